/** How an incident ended; a gap, as far as planned runs show it. */
import { MINUTE } from "../time_units.ts";
import type { PlannedRun } from "./planned_runs.ts";
import { graceEndOf, type Plan } from "./plans/plan.ts";

/**
 * How a gap ended: its first run `started` late; or it started in time, but was `listed` only when the
 * incident was resolved; or it is `unplanned` now, as after a change of plan. A change is `past`: over,
 * or usual by now. Of what is `unwatched`, nobody knows.
 */
export type Ending =
  | {
    readonly how: "started" | "listed";
    readonly due: number;
    readonly at: number;
    /** Whether it succeeded. */
    readonly isGood: boolean;
  }
  | { readonly how: "unplanned" | "past" | "unwatched" };

/**
 * How the gap ended whose first planned run was due at a time; null if it has not, or is not known.
 *
 * @param planned The latest planned runs, oldest first.
 * @param starts When the newest runs started, in any order.
 */
export function gapEnding(
  due: number,
  { plan, planned, starts }: {
    readonly plan: Plan | null;
    readonly planned: readonly Pick<PlannedRun, "at" | "outcome">[];
    readonly starts: readonly number[];
  },
): Ending | null {
  const known = planned.filter(({ outcome }) => !outcome.startsWith("extra"));
  const own = known.find(({ at }) => at === due);
  if (!own) return known.length === 0 || known[0].at < due ? { how: "unplanned" } : null;
  if (own.outcome === "excused") return { how: "unplanned" };
  // A run may start a little early.
  const at = Math.min(...starts.filter((start) => start >= due - MINUTE));
  const hasCome = !["missed", "overdue"].includes(own.outcome) && Number.isFinite(at);
  if (!hasCome || plan === null) return null;
  const how = at > graceEndOf(plan, due) ? "started" : "listed";
  return { how, due, at, isGood: ["met", "late", "by-hand"].includes(own.outcome) };
}
