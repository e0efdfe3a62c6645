/** The slots of plans, kept: many schedules have the same plan, and croner takes 40 µs a slot. */
import { type Plan, planSlots } from "../../lib/judgement/plans/plan.ts";

/** The most plans whose slots are kept. */
const MOST_PLANS = 2000;

/** Keeps slots of one span at a time: pages ask for those of the current day, hour after hour. */
export function createKeptSlots(most = MOST_PLANS, slotsOf = planSlots) {
  const kept = new Map<string, readonly number[]>();
  let span = "";
  /** The slots of a plan from one time to another. */
  return (plan: Plan, from: number, to: number): readonly number[] => {
    const asked = `${from} ${to}`;
    if (asked !== span) kept.clear();
    span = asked;
    const name = JSON.stringify(plan);
    const known = kept.get(name);
    if (known) return known;
    const slots = slotsOf(plan, from, to);
    if (kept.size >= most) kept.delete(kept.keys().next().value!);
    kept.set(name, slots);
    return slots;
  };
}
