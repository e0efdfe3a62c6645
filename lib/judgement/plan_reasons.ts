/** Finds reasons that depend on a plan: missed, overdue and late runs, and runs by hand. */
import type { ReportRun } from "../types.ts";
import { type Facts, LATELY } from "./facts.ts";
import { type Reason, shownBy } from "./reason.ts";
import { type JudgedSlot, slotAt } from "./slots.ts";

/** A miss among this many of the newest slots is recent. */
const NEWEST_SLOTS = 20;
/** If people met half of this many newest slots by hand, that is reported. */
const HABIT_SLOTS = 6;

/** Overdue, missed and late slots, unread runs, and a schedule that never ran. */
export function* planReasons(facts: Facts): Generator<Reason> {
  const { schedule, judged: { slots } } = facts;
  if (facts.newerUnread) {
    yield { code: "unreadable", severity: "warning", ...shownBy([]), failure: null };
  } else if (facts.runs.length === 0) {
    yield { code: "never-ran", severity: "info", ...shownBy([]) };
  }
  if (!schedule) return;
  if (schedule.counts.overdue > 0) {
    const gap = toGap(slots.filter(({ outcome }) => outcome === "overdue"));
    yield { code: "overdue", severity: "critical", ...gap };
  }
  yield* missedReasons(slots);
  yield* lateReasons(facts);
}

/** Each gap whose last missed run is among the newest planned runs; if none is, the last gap. */
function* missedReasons(slots: readonly JudgedSlot<ReportRun>[]): Generator<Reason> {
  const newest = slots.slice(-NEWEST_SLOTS);
  const gaps = [...gapsIn(slots)];
  const recent = gaps.filter((gap) => newest.includes(gap.at(-1)!));
  for (const gap of recent.length > 0 ? recent : gaps.slice(-1)) {
    const severity = recent.length > 0 ? "warning" : "info";
    yield { code: "missed", severity, ...toGap(gap) };
  }
}

/** A gap goes on over what was excused or started by hand, as it does while it is overdue. */
function* gapsIn<Slot extends JudgedSlot<ReportRun>>(slots: readonly Slot[]): Generator<Slot[]> {
  let gap: Slot[] = [];
  for (const slot of slots) {
    const isMet = slot.runs.length > 0 && slot.outcome !== "by-hand";
    if (slot.outcome === "missed") gap.push(slot);
    else if (isMet && gap.length > 0) {
      yield gap;
      gap = [];
    }
  }
  if (gap.length > 0) yield gap;
}

function toGap(slots: readonly JudgedSlot<ReportRun>[]) {
  const [{ at: due }, { at: latest }] = [slots[0], slots.at(-1)!];
  const subject = slotAt(due).id;
  return { subject, since: due, runs: [], due, latest, count: slots.length };
}

function* lateReasons({ judged: { slots }, now, newerUnread }: Facts): Generator<Reason> {
  const due = slots[slots.findLastIndex(({ outcome }) => outcome !== "due") + 1];
  const reason = { code: "late", severity: "info" } as const;
  if (due && due.at < now && !newerUnread) {
    const late = { due: due.at, lateMs: now - due.at, count: 1 };
    yield { ...reason, ...shownBy([]), since: due.at, ...late };
    return;
  }
  const late = slots.filter(({ outcome, at }) => outcome === "late" && at >= now - LATELY);
  if (late.length === 0) return;
  const { at, runs: [run] } = late.at(-1)!;
  const shown = shownBy(late.map(({ runs: [run] }) => run));
  const lateMs = run.time - at;
  yield { ...reason, ...shown, since: late[0].at, due: null, lateMs, count: late.length };
}

/** Yields a reason if the schedule fails or does not run, and people regularly start it instead. */
export function* byHandReasons(facts: Facts): Generator<Reason> {
  const { occurrences: { byHand }, judged: { slots } } = facts;
  if (byHand.length === 0) return;
  const events = slots.filter(({ outcome }) => outcome !== "due").map(({ at, runs, outcome }) => ({
    at,
    hasFailed: ["missed", "overdue", "by-hand"].includes(outcome) || runs.at(-1)?.meaning === "bad",
  }));
  const newest = events.slice(-NEWEST_SLOTS);
  const repairs = newest.flatMap(({ at, hasFailed }, index) => {
    const end = newest[index + 1]?.at ?? Infinity;
    const isRepair = ({ time, meaning }: typeof byHand[number]) =>
      hasFailed && time >= at && time < end && meaning === "good";
    return byHand.find(isRepair) ?? [];
  });
  const lately = repairs.filter(({ time }) => time >= newest.slice(-HABIT_SLOTS)[0].at);
  if (lately.length < 2 || lately.length * 2 < Math.min(newest.length, HABIT_SLOTS)) return;
  const counts = { count: repairs.length, of: newest.length };
  yield { code: "started-by-hand", severity: "warning", ...shownBy(repairs), ...counts };
}
