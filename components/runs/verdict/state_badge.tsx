import type { Verdict } from "../../../lib/runs/judge/judge_schedule.ts";
import type { Reason } from "../../../lib/runs/judge/reason.ts";

/** How much something matters: what is down or sent outside, what drifts, what can't be known. */
export type Tier = "down" | "late" | "unknown";

const STATES: Readonly<Record<Verdict["state"], readonly [sign: string, words: string]>> = {
  up: ["✓", "Up"],
  late: ["◷", "Late"],
  down: ["✕", "Down"],
  unknown: ["?", "Unknown"],
  new: ["○", "New"],
};

/** The state of a schedule, by a sign and a word as well as by its colour. */
export function StateBadge({ state }: { readonly state: Verdict["state"] }) {
  const [sign, words] = STATES[state];
  return (
    <strong class={`badge ${state}`}>
      <span aria-hidden="true">{sign}</span> {words}
    </strong>
  );
}

/** The tier of a reason. */
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
