/** The plan that a schedule is judged by, with what was missed, overdue and late. */
import type { ReportRun } from "../types.ts";
import type { Plan } from "./plans/plan.ts";
import { type JudgedSlots, type Slot, slotAt, type SlotOutcome } from "./slots.ts";

/** The plan that a schedule is judged by, and what became of its slots. */
export interface JudgedPlan {
  /** The plan. */
  readonly plan: Plan;
  /** Whether a person confirmed it. */
  readonly source: "confirmed" | "inferred";
  /** Slots before the newest run that were not met, newest first, at most 500. */
  readonly missed: readonly Slot[];
  /** Slots after the newest run whose grace is over, newest first, at most 500. */
  readonly overdue: readonly Slot[];
  /** Slots whose run started after the grace, newest first, at most 500. */
  readonly late: readonly Slot[];
  /** When it is due next, in milliseconds since 1970. */
  readonly next: number | null;
  /** Since when a miss would have shown, and whether enough ran to say that nothing was missed. */
  readonly sees: { readonly since: number; readonly enough: boolean };
  /** How many slots were missed or are overdue, even if the lists are cut. */
  readonly counts: { readonly missed: number; readonly overdue: number };
}

const MOST_SLOTS = 500;
/** Fewer runs don't prove that nothing was missed. */
const ENOUGH_RUNS = 5;

export function judgedPlan(
  plan: Plan,
  source: JudgedPlan["source"],
  { slots, next, since }: JudgedSlots<ReportRun>,
  { runCount, newerUnread }: { readonly runCount: number; readonly newerUnread: boolean },
): JudgedPlan {
  const of = (outcome: SlotOutcome) =>
    slots.filter((slot) => slot.outcome === outcome).map(({ at }) => at).reverse();
  const missed = of("missed");
  // Newer runs may have met an overdue slot.
  const overdue = newerUnread ? [] : of("overdue");
  const listed = (moments: readonly number[]) => moments.slice(0, MOST_SLOTS).map(slotAt);
  return {
    plan,
    source,
    missed: listed(missed),
    overdue: listed(overdue),
    late: listed(of("late")),
    next,
    sees: {
      since: since ?? plan.since,
      enough: since !== null && (source === "confirmed" || runCount >= ENOUGH_RUNS),
    },
    counts: { missed: missed.length, overdue: overdue.length },
  };
}
