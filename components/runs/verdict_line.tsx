import type { Verdict } from "../../lib/runs/judge/judge_schedule.ts";
import { formatCountOf } from "../ui/format.ts";
import { reasonWords } from "./reason_words.ts";

const STATES: Readonly<
  Record<Verdict["state"], readonly [sign: string, words: string, meaning: string]>
> = {
  up: ["✓", "Up", "good"],
  late: ["○", "Late", "neutral"],
  down: ["✕", "Down", "bad"],
  unknown: ["○", "Unknown", "neutral"],
  new: ["○", "New", "neutral"],
};

/** Whether a schedule is well, and every reason to look at it. */
export function VerdictLine({ verdict: { state, reasons, schedule, health } }: {
  readonly verdict: Verdict;
}) {
  const [sign, words, meaning] = STATES[state];
  const told = reasons.map(reasonWords);
  if (health.count > 0 && !health.streak) told.push("no status means success or failure");
  else if (health.count > 0 && !schedule) {
    told.push(`${formatCountOf(health.count, "run", "runs")} at irregular times`);
  }
  return (
    <p class="verdict">
      <strong class={`status ${meaning}`}>
        <span aria-hidden="true">{sign}</span> {words}
      </strong>
      {told.length > 0 && `: ${told.join("; ")}`}
    </p>
  );
}
