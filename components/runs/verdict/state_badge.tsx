import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../lib/judgement/reason.ts";

/** How much something matters: down or sent outside, drifting, or unknown. */
export type Tier = "down" | "late" | "unknown";

/** The sign, the word and the colour of each state, most severe first. */
export const STATE_MARKS = {
  down: ["✕", "Down", "bad"],
  late: ["◷", "Late", "drift"],
  unknown: ["?", "Unknown", "neutral"],
  new: ["○", "New", "neutral"],
  up: ["✓", "Up", "good"],
} as const;

interface StateProps {
  readonly state: Verdict["state"];
  /** What is as bad as being down, if anything is. */
  readonly alarm?: string;
}

/** What is as bad as being down, although the report goes out. */
const ALARMS: Readonly<Partial<Record<ReasonCode, string>>> = {
  "outside-recipient": "sent outside",
  "sent-to-nobody": "sent to nobody",
};

/** What is shown besides a schedule's state if its most severe reason is as bad as being down. */
export function alarmOf(
  { state, reasons: [reason] }: {
    readonly state: Verdict["state"];
    readonly reasons: readonly Pick<Reason, "code" | "severity">[];
  },
): string | undefined {
  return state !== "down" && reason?.severity === "critical" ? ALARMS[reason.code] : undefined;
}

/** The state of a schedule, by a sign and a word as well as a colour. */
export function StateBadge({ state, alarm }: StateProps) {
  return (
    <strong class={`badge ${alarm ? "down" : state}`}>
      <StateWords state={state} alarm={alarm} />
    </strong>
  );
}

/** The same for a row of a table. */
export function StateMark({ state, alarm }: StateProps) {
  return (
    <span class={`status ${alarm ? "bad" : STATE_MARKS[state][2]}`}>
      <StateWords state={state} alarm={alarm} />
    </span>
  );
}

/** A state by its sign and word. An alarm has a sign of its own. */
function StateWords({ state, alarm }: StateProps) {
  const [sign, word] = STATE_MARKS[state];
  return (
    <>
      <span aria-hidden="true">{alarm ? "⚠" : sign}</span> {word}
      {alarm && `, ${alarm}`}
    </>
  );
}

export function tierOf({ code, severity }: Reason): Tier {
  switch (code) {
    case "outside-recipient":
    case "sent-to-nobody":
      return "down";
    case "unread":
    case "never-ran":
    case "unknown-status":
      return "unknown";
    case "failing":
    case "overdue":
      return "down";
    case "missed":
      return severity === "info" ? "late" : "down";
    default:
      return "late";
  }
}
