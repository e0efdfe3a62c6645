import type { Verdict } from "../../../lib/runs/judge/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../lib/runs/judge/reason.ts";

/** How much something matters: down or sent outside, drifting, or unknown. */
export type Tier = "down" | "late" | "unknown";

const STATES: Readonly<Record<Verdict["state"], readonly [sign: string, words: string]>> = {
  up: ["✓", "Up"],
  late: ["◷", "Late"],
  down: ["✕", "Down"],
  unknown: ["?", "Unknown"],
  new: ["○", "New"],
};

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
export function StateBadge({ state, alarm }: {
  readonly state: Verdict["state"];
  readonly alarm?: string;
}) {
  const [sign, words] = STATES[state];
  return (
    <strong class={`badge ${alarm ? "down" : state}`}>
      <StateWords sign={sign} words={words} alarm={alarm} />
    </strong>
  );
}

/** A state by its sign and words. An alarm has a sign of its own. */
export function StateWords({ sign, words, alarm }: {
  readonly sign: string;
  readonly words: string;
  readonly alarm: string | undefined;
}) {
  return (
    <>
      <span aria-hidden="true">{alarm ? "⚠" : sign}</span> {words}
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
