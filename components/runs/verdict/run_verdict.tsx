import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatCount, formatCountOf, formatDuration } from "../../../lib/format.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { JudgedSlot } from "../../../lib/judgement/slots.ts";
import { compareRuns } from "../../../lib/runs/compare.ts";
import { countRecipients, shownName } from "../../../lib/runs/recipients.ts";
import { shortStatus, type StatusMeaning } from "../../../lib/runs/status.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import { When } from "../../ui/moment.tsx";
import { PlanWords } from "../plan/planned_runs.tsx";
import { Address, AddressesShown } from "../recipients/address.tsx";
import { MAX_LISTED } from "../recipients/recipient_choices.ts";
import { ComparedRuns } from "./compared_runs.tsx";
import { VerdictPart } from "./state_badge.tsx";

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

const ON_TIME_MS = 60_000;

/** What became of a run, beside the one that it is compared with. */
export function RunVerdict({ scheduleId, run, meaning, due, compared }: {
  readonly scheduleId: number;
  readonly run: ReportRun;
  readonly meaning: StatusMeaning;
  /** The planned run that it belongs to, and its plan; null if there is none. */
  readonly due: {
    readonly slot: Pick<JudgedSlot<ReportRun>, "at" | "runs" | "outcome">;
    readonly schedule: { readonly plan: Plan; readonly source: string };
  } | null;
  readonly compared: ComparedPair | null;
}) {
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

interface ComparedPair {
  readonly runs: readonly [before: ReportRun, after: ReportRun];
  readonly names: readonly [string, string];
}

/** What the table of two runs does not show: who was added and removed. */
function Recipients({ runs: [before, after] }: ComparedPair) {
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
