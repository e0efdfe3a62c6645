/** Decides which run belongs to which planned run: one to one, in order. */
import { MINUTE } from "../../time_units.ts";
import { EARLY_MINUTES, EARLY_SHARE, LATEST_SHARE, MIN_GRACE_MINUTES } from "./numbers.ts";

/** Until when a run is on time for a planned run. If the next one is near, it shortens the grace. */
export function endOfGrace(graceMs: number, slot: number, next: number | null): number {
  const most = next === null
    ? Infinity
    : Math.max(LATEST_SHARE * (next - slot), MIN_GRACE_MINUTES * MINUTE);
  return slot + Math.min(graceMs, Math.floor(most));
}

/**
 * Matches each run to the latest planned run at or before its start, if that is free. Returns the
 * index of each run's slot, or -1. There must be a slot before the first run, and one after the last.
 */
export function matchSlots(slots: ArrayLike<number>, times: ArrayLike<number>): Int32Array {
  const slotOf = new Int32Array(times.length).fill(-1);
  const count = slots.length;
  if (count === 0) return slotOf;
  let [at, taken] = [0, -1];
  for (let run = 0; run < times.length; run++) {
    const time = times[run];
    while (at + 1 < count && slots[at + 1] <= time) at++;
    const gap = at + 1 < count ? slots[at + 1] - slots[at] : Infinity;
    const early = Math.min(EARLY_MINUTES * MINUTE, gap * EARLY_SHARE);
    // 06:59:40 is early for 07:00, not 59 minutes late for 06:00.
    const slot = time >= slots[at] + gap - early ? at + 1 : at;
    const isTooEarly = time < slots[slot] - early;
    const isTooLate = slot === at && time - slots[at] > LATEST_SHARE * gap;
    if (slot <= taken || isTooEarly || isTooLate) continue;
    slotOf[run] = slot;
    taken = slot;
  }
  return slotOf;
}
