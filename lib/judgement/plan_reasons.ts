/** Finds reasons that depend on a plan: missed, overdue and late runs, and runs by hand. */
import type { ReportRun } from "../types.ts";
import { type Facts, LATELY, reasonOf } from "./facts.ts";
import type { Plan } from "./plans/plan.ts";
import type { Reason } from "./reason.ts";
import type { JudgedSlot } from "./slots.ts";

/** A miss among this many of the newest slots is recent. */
const NEWEST_SLOTS = 20;
/** If people met half of this many newest slots by hand, that is reported. */
const HABIT_SLOTS = 6;

/** Overdue, missed and late slots, unread runs, and a schedule that never ran. */
export function* planReasons(facts: Facts): Generator<Reason> {
  const { schedule, judged: { slots }, now, isConfirmed } = facts;
  if (facts.runs.length === 0 && !facts.newerUnread) {
    yield reasonOf("never-ran", "info", null, [], { confirmedPlan: isConfirmed });
  }
  if (facts.newerUnread) yield reasonOf("unread", "warning", null, [], { newer: true });
  if (!schedule) return;
  const { counts, missed, overdue, next, plan } = schedule;
  if (counts.overdue > 0) {
    const since = slots.find(({ outcome }) => outcome === "overdue")?.at ?? null;
    yield reasonOf("overdue", "critical", since, [], {
      count: counts.overdue,
      latest: overdue[0].at,
      next,
      graceMs: plan.graceMs,
      confirmed: isConfirmed,
    });
  }
  if (counts.missed > 0) {
    const recent = slots.slice(-NEWEST_SLOTS)
      .filter(({ outcome, isHindsight }) => outcome === "missed" && !isHindsight).length;
    yield reasonOf("missed", recent > 0 ? "warning" : "info", startOfGap(slots), [], {
      count: counts.missed,
      recent,
      planned: slots.length,
      latest: missed[0].at,
      spanMs: now - slots[0].at,
      confirmed: isConfirmed,
    });
  }
  yield* lateReasons(facts);
}

function* lateReasons({ judged: { slots }, now, schedule, newerUnread }: Facts): Generator<Reason> {
  const last = slots.at(-1);
  if (last?.outcome === "due" && last.at < now && !newerUnread) {
    yield dueReason(last.at, schedule!.plan, now);
    return;
  }
  const late = slots.filter(({ outcome, at }) => outcome === "late" && at >= now - LATELY);
  if (late.length > 0) {
    const runs = late.map(({ runs: [{ run }] }) => run);
    const newest = late.at(-1)!;
    yield reasonOf("late", "info", late[0].at, runs, {
      count: late.length,
      lateMs: newest.runs[0].time - newest.at,
      graceMs: schedule!.plan.graceMs,
    });
  }
}

/** The reason for a run that is due, but may still start or be listed. */
export function dueReason(due: number, { graceMs }: Pick<Plan, "graceMs">, now: number): Reason {
  return reasonOf("late", "info", due, [], { due, lateMs: now - due, graceMs });
}

/** When the newest series of missed slots began. */
function startOfGap(slots: readonly JudgedSlot<ReportRun>[]): number | null {
  let at = slots.findLastIndex(({ outcome }) => outcome === "missed");
  while (at > 0 && slots[at - 1].outcome === "missed") at--;
  return slots[at]?.at ?? null;
}

/** Yields a reason if the schedule fails or does not run, and people regularly start it instead. */
export function* byHandReasons(facts: Facts): Generator<Reason> {
  const { occurrences: { planned, byHand }, judged: { slots } } = facts;
  if (byHand.length === 0) return;
  const events = slots.length > 0
    ? slots.filter(({ outcome }) => outcome !== "due").map(({ at, runs, outcome }) => ({
      at,
      hasFailed: ["missed", "overdue", "by-hand"].includes(outcome) ||
        runs.at(-1)?.meaning === "bad",
    }))
    : planned.map((runs) => ({ at: runs[0].time, hasFailed: runs.at(-1)!.meaning === "bad" }));
  const newest = events.slice(-3 * HABIT_SLOTS);
  const repaired = newest.map((event, index) => {
    if (!event.hasFailed) return null;
    const end = newest[index + 1]?.at ?? Infinity;
    return byHand.find(({ time, meaning }) => time >= event.at && time < end && meaning === "good")
      ?.run ?? null;
  });
  const lately = repaired.slice(-HABIT_SLOTS);
  const count = lately.filter((run) => run !== null).length;
  if (count < 2 || count * 2 < lately.length) return;
  let first = repaired.length;
  while (first > 0 && (repaired[first - 1] !== null || repaired[first - 2])) first--;
  const runs = repaired.slice(first).filter((run) => run !== null);
  yield reasonOf("started-by-hand", "warning", newest[first]?.at ?? null, runs, {
    count: runs.length,
    of: newest.length - first,
  });
}
