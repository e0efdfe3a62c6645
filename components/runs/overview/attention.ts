/** Reasons to look at a schedule. */
import type { Verdict } from "../../../lib/runs/judge/judge_schedule.ts";
import type { Reason } from "../../../lib/runs/judge/reason.ts";
import { reasonWords } from "../../../lib/runs/judge/reason_words.ts";
import { timeOf } from "../../../lib/runs/times.ts";

/** Why to look at a schedule, and how soon. */
export interface Attention {
  /** How urgent that is: most where it is down or a reason is critical; 0 for no reason. */
  readonly rank: number;
  readonly reasons: readonly string[];
}

/** The rank of a schedule that could not be loaded: second only to what is critical. */
export const NOT_LOADED_RANK = 4;

/** The rank of an id that the service does not know: below everything that runs. */
export const UNKNOWN_ID_RANK = -1;

/** When the most severe reason began, or else the newest run, in milliseconds since 1970. */
export function recencyOf({ reasons, health }: Verdict): number {
  return reasons[0]?.since ?? timeOf(health.latest?.startTime) ?? 0;
}

const RANKS = { critical: 5, warning: 3, info: 1 } as const;

/** Runs that were not read may hold anything, as those of a schedule that was not loaded. */
function rankOf({ code, severity }: Reason): number {
  return code === "unread" ? NOT_LOADED_RANK : RANKS[severity];
}

/** Finds the reasons to look at a schedule; what only informs is on its page. */
export function attentionTo({ state, reasons, health }: Verdict): Attention {
  const urgent = reasons.filter(({ severity, code }) =>
    severity !== "info" || code === "never-ran"
  );
  const words = urgent.map(reasonWords);
  const isUnknown = health.count > 0 && !health.streak;
  if (isUnknown) words.push("no status is known as success or failure");
  return {
    rank: state === "down" ? RANKS.critical : Math.max(isUnknown ? 1 : 0, ...urgent.map(rankOf)),
    reasons: words,
  };
}
