import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatCount, formatCountOf, formatDuration } from "../../../../../lib/format.ts";
import { PlanWords } from "../../../../../components/runs/plan/planned_runs.tsx";
import type { loadRun } from "../../../../../server/pages/run.ts";
import { compareRuns } from "../../../../../lib/runs/compare.ts";
import { countRecipients, shownName } from "../../../../../lib/runs/recipients.ts";
import { shortStatus, type StatusMeaning } from "../../../../../lib/runs/status.ts";
import type { Recipient, ReportRun } from "../../../../../lib/types.ts";
import { When } from "../../../../../components/ui/moment.tsx";
import { Address, AddressesShown } from "../../../../../components/runs/recipients/address.tsx";
import { MAX_LISTED } from "../../../../../components/runs/recipients/recipient_choices.ts";
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

const ON_TIME_MS = 60_000;

/** What became of a run, beside the one that it is compared with. */
export function RunVerdict(
  { scheduleId, run, meaning, due, compared }: Pick<
    Shown,
    "scheduleId" | "run" | "meaning" | "due" | "compared"
  >,
) {
  const { time = 0 } = due?.slot.runs.find((each) => each.run.id === run.id) ?? {};
  const lateMs = time - (due?.slot.at ?? 0);
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
      {due && (
        <p>
          Due <When at={due.slot.at} /> ({<PlanWords plan={due.schedule.plan} isZoneBeside />},{" "}
          {due.schedule.source}), started{" "}
          {lateMs < ON_TIME_MS ? "on time" : `${formatDuration(lateMs)} later`}
          {due.slot.outcome === "late" && ", after the grace"}
          {due.slot.outcome === "by-hand" && ", by hand"}.
        </p>
      )}
      {compared && <Recipients {...compared} />}
    </VerdictPart>
  );
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
