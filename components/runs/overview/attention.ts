import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { reasonWords } from "../../../lib/judgement/reason_words.ts";
import { timeOf } from "../../../lib/runs/times.ts";

/** Why somebody should look at a schedule, and how urgently. */
export interface Attention {
  /** How urgent: highest if the schedule is down or a reason is critical; 0 without a reason. */
  readonly rank: number;
  readonly reasons: readonly string[];
}

/** The rank of a schedule that could not be loaded: just below critical. */
export const NOT_LOADED_RANK = 4;

/** The rank of an id that the service does not know, probably mistyped: below every other schedule. */
export const UNKNOWN_ID_RANK = -1;

/** When the schedule was well last, in milliseconds since 1970: the overview sorts by it as well. */
export function recencyOf({ health }: Verdict): number {
  return timeOf(health.lastGood?.startTime) ?? 0;
}

const RANKS = { critical: 5, warning: 3, info: 1 } as const;

/** Unread runs may hold anything, like those of a schedule that could not be loaded. */
function rankOf({ code, severity }: Reason): number {
  return code === "unread" ? NOT_LOADED_RANK : RANKS[severity];
}

/** Finds the reasons to look at a schedule; mere information is on its page. */
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
