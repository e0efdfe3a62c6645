import { DAY } from "../../time_units.ts";
import { type CronRule, readCron } from "./cron.ts";
import { weekOf } from "./due_days.ts";
import { endOfGrace } from "./match.ts";
import { firstSlot, type ReadPlan, slotTimes } from "./slot_times.ts";
import { clockOf } from "../../zone_clock.ts";

/** When a schedule is due: cron expressions, a zone and a grace. */
export interface Plan {
  /**
   * Cron expressions of five fields; a run is due when any of them matches. `L`, `W` and `#` stand
   * for month ends, business days and nth weekdays.
   */
  readonly cron: readonly string[];
  /** IANA name of the zone of the expressions. */
  readonly zone: string;
  /** Only every nth week, counted from the week of a day such as `2026-01-05`. */
  readonly everyWeeks?: { readonly n: number; readonly from: string };
  /** How late a run may start and still be on time, in milliseconds. */
  readonly graceMs: number;
  /** Since when it holds, in milliseconds since 1970. */
  readonly since: number;
}

const MAX_SLOTS = 1_000_000;

/**
 * The times at which a plan is due.
 *
 * @param plan The plan; its `since` and its grace do not matter.
 * @param from The first time that may be returned, in milliseconds since 1970.
 * @param to The end of the times, which is not returned.
 * @returns The times, sorted, in milliseconds since 1970.
 * @throws {TypeError | RangeError} If the plan is not valid, or has more than a million times.
 *
 * @example
 * ```ts
 * import { planSlots } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const plan = { cron: ["0 6 * * 1-5"], zone: "Europe/Berlin", graceMs: 300_000, since: 0 };
 * assertEquals(planSlots(plan, Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 6)), [
 *   Date.UTC(2026, 0, 1, 5),
 *   Date.UTC(2026, 0, 2, 5),
 *   Date.UTC(2026, 0, 5, 5),
 * ]);
 * ```
 */
export function planSlots(plan: Plan, from: number, to: number): number[] {
  const read = readPlan(plan);
  if ((to - from) / DAY * slotsPerDay(read) > MAX_SLOTS) {
    throw new RangeError(`A plan may have at most ${MAX_SLOTS} planned runs at once`);
  }
  return slotTimes(read, from, to);
}

export function slotsPerDay({ rules }: ReadPlan): number {
  return rules.reduce((sum, { minutes }) => sum + minutes.length, 0);
}

export function graceEndOf(plan: Plan, slot: number): number {
  // A slot that is further away does not shorten the grace.
  const next = firstSlot(readPlan(plan), slot + 1, slot + 2 * plan.graceMs);
  return endOfGrace(plan.graceMs, slot, next);
}

/** The shortest grace of these slots, if the next slot shortens one; otherwise null. */
export function shortestGrace(plan: Plan, slots: readonly number[]): number | null {
  const graces = slots.map((slot) => graceEndOf(plan, slot) - slot);
  const shortest = graces.reduce((a, b) => Math.min(a, b), Infinity);
  return shortest < plan.graceMs ? shortest : null;
}

/** Whether plans say the same times in the same words. */
export function saySameTimes(
  one: Omit<Plan, "graceMs" | "since">,
  other: Omit<Plan, "graceMs" | "since">,
): boolean {
  const [first, second] = [one, other].map(({ cron, zone, everyWeeks }) =>
    JSON.stringify([cron, zone, everyWeeks?.n, everyWeeks?.from])
  );
  return first === second;
}

/** Reads a plan. Throws a TypeError or RangeError that says what is not valid. */
export function readPlan({ cron, zone, everyWeeks }: Omit<Plan, "graceMs" | "since">): ReadPlan {
  if (cron.length === 0) throw new TypeError("A plan needs a cron expression");
  return {
    rules: cron.map(parseRule),
    clock: clockOf(zone),
    weeks: everyWeeks ? readWeeks(everyWeeks) : null,
  };
}

function parseRule(expression: string): CronRule {
  try {
    return readCron(expression);
  } catch (error) {
    const { message } = error as Error;
    throw new RangeError(`cron can't be "${expression}": ${message}`, { cause: error });
  }
}

function readWeeks({ n, from }: NonNullable<Plan["everyWeeks"]>): ReadPlan["weeks"] {
  const day = Date.parse(`${from}T00:00:00Z`) / DAY;
  if (!Number.isInteger(n) || n < 1) {
    throw new RangeError(`everyWeeks.n must be a whole number of at least 1, not ${n}`);
  }
  if (!Number.isInteger(day)) {
    throw new RangeError(`everyWeeks.from must be a day such as 2026-01-05, not ${from}`);
  }
  const week = weekOf(day);
  return { n, rest: (week % n + n) % n };
}
