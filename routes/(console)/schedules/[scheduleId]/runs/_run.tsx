import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatCount, formatCountOf, formatDuration } from "../../../../../lib/format.ts";
import { PlanWords } from "../../../../../components/runs/plan/planned_runs.tsx";
import type { loadRun } from "../../../../../server/pages/run.ts";
import { compareRuns } from "../../../../../lib/runs/compare.ts";
import { countRecipients, shownName } from "../../../../../lib/runs/recipients.ts";
import { shortStatus, type StatusMeaning } from "../../../../../lib/runs/status.ts";
import type { Recipient, ReportRun } from "../../../../../lib/types.ts";
import { Fact, useMoment, When } from "../../../../../components/ui/moment.tsx";
import { Section } from "../../../../../components/ui/section.tsx";
import { triggerLabel } from "../../../../../components/runs/run_words.tsx";
import { Address, AddressesShown } from "../../../../../components/runs/recipients/address.tsx";
import { MAX_LISTED } from "../../../../../components/runs/recipients/recipient_choices.ts";
import { runHref, runMoment } from "../../../../../components/runs/run_links.tsx";
import { ComparedRuns } from "../../../../../components/runs/verdict/compared_runs.tsx";
import { VerdictPart } from "../../../../../components/runs/verdict/state_badge.tsx";

/** What a run means for its recipients, such as `7 people did not get it.` */
function runSentence(run: ReportRun, meaning: StatusMeaning): string {
  const count = countRecipients(run);
  const people = count ? formatCountOf(count, "person", "people") : "";
  switch (meaning) {
    case "good":
      return count === 0 ? "It went to nobody." : people ? `Sent to ${people}.` : "Sent.";
    case "bad":
      return people ? `${people} did not get it.` : "Failed.";
    case "pending":
      return "It is still running.";
    default:
      return `Nobody knows whether it went out: its status is ${shortStatus(run.status ?? null)}.`;
  }
}

type Shown = Awaited<ReturnType<typeof loadRun>>;

/** What became of a run, beside the one that it is compared with. */
export function RunVerdict(
  { scheduleId, run, meaning, due, compared }: Pick<
    Shown,
    "scheduleId" | "run" | "meaning" | "due" | "compared"
  >,
) {
  return (
    <VerdictPart
      tone={meaning === "bad" ? "bad" : "neutral"}
      label="What became of it"
      sentence={runSentence(run, meaning)}
      evidence={
        <ComparedRuns
          {...compared ?? { runs: [run], names: ["This run"] }}
          scheduleId={scheduleId}
        />
      }
    >
      {due && <DueLine {...due} runId={run.id} />}
      {compared && <Recipients {...compared} />}
    </VerdictPart>
  );
}

/** Links to the runs before and after it, and to the latest one. */
export function RunNeighbours({ scheduleId, before, after, newest }: Shown) {
  const { now, zone } = useMoment();
  if (!before && !after) return null;
  return (
    <nav class="line pager" aria-label="Previous and next run">
      {before && (
        <a href={runHref(scheduleId, before.id)}>
          <span aria-hidden="true">←</span> <span class="unseen">Previous run,</span>{" "}
          {runMoment(before, now, zone)}
        </a>
      )}
      {after && (
        <a href={runHref(scheduleId, after.id)}>
          <span class="unseen">Next run,</span> {runMoment(after, now, zone)}{" "}
          <span aria-hidden="true">→</span>
        </a>
      )}
      {after && <a href={runHref(scheduleId, newest.id)}>Latest run</a>}
    </nav>
  );
}

const ON_TIME_MS = 60_000;

function DueLine(
  { slot, schedule: { plan, source }, runId }:
    & NonNullable<Shown["due"]>
    & { readonly runId: number },
) {
  const { at, outcome, runs } = slot;
  const lateMs = runs.find(({ run }) => run.id === runId)!.time - at;
  const late = lateMs < ON_TIME_MS ? "on time" : `${formatDuration(lateMs)} later`;
  return (
    <p>
      Due <When at={at} /> ({<PlanWords plan={plan} isZoneBeside />}, {source}), started {late}
      {outcome === "late" && ", after the grace"}
      {outcome === "by-hand" && ", by hand"}.
    </p>
  );
}

export function RunFacts({ run }: { readonly run: ReportRun }) {
  return (
    <Section id="about" title="Facts">
      <dl class="facts">
        <Fact name="Report">{withId(run.reportTitle, run.reportId)}</Fact>
        <Fact name="Subject">{run.reportSubject}</Fact>
        <Fact name="Resource">
          {withId([run.resourceType, run.resourceName].filter(Boolean).join(" "), run.resourceId)}
        </Fact>
        <Fact name="Trigger">{triggerLabel(run.automated)}</Fact>
        <Fact name="Owner id">{run.ownerId}</Fact>
        <Fact name="Cards">{run.cardCount}</Fact>
        <Fact name="Run id">
          <code>{run.id}</code>
        </Fact>
      </dl>
    </Section>
  );
}

function withId(name: string | null | undefined, id: number | null | undefined) {
  return [name, typeof id === "number" && `(${id})`].filter(Boolean).join(" ");
}

/** What the table of two runs does not show: who was added and removed. */
function Recipients({ runs: [before, after] }: NonNullable<Shown["compared"]>) {
  const isShown = useContext(AddressesShown);
  const { added, dropped } = compareRuns(before, after);
  const personLine = ({ userId, displayName, emailAddress }: Recipient) => (
    <>
      {shownName(displayName, isShown) || `user ${userId ?? "?"}`},{" "}
      <Address address={emailAddress} />
    </>
  );
  return (
    <>
      {!added && <p>Recipients can't be compared: one of the runs does not list them.</p>}
      <Listed name="Added" items={(added ?? []).map(personLine)} />
      <Listed name="Removed" items={(dropped ?? []).map(personLine)} />
    </>
  );
}

function Listed({ name, items }: {
  readonly name: string;
  readonly items: readonly ComponentChildren[];
}) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {items.slice(0, MAX_LISTED).map((item, at) => <li key={at}>{item}</li>)}
        {items.length > MAX_LISTED && <li>and {formatCount(items.length - MAX_LISTED)} more</li>}
      </ul>
    </>
  );
}
