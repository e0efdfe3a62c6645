/** Decides which run belongs to which slot of a plan: one to one, in order. */

/** A run belongs to no slot if it comes later than this share of the time to the next one. */
const LATEST_PART = 0.95;
/** Clocks differ, so a run may seem to start this much before its slot. */
const EARLY_MS = 60_000;
const EARLY_PART = 0.1;

/** How much earlier than its slot a run may start, given the time to the next one. */
function earlyFor(gap: number): number {
  return Math.min(EARLY_MS, gap * EARLY_PART);
}

/** The shortest grace: however near the next slot is, it takes some time until a run is listed. */
const MIN_GRACE = 5 * EARLY_MS;

/** Until when a run is on time for a slot. If the next slot is near, it shortens the grace. */
export function endOfGrace(graceMs: number, slot: number, next: number | null): number {
  const most = next === null ? Infinity : Math.max(LATEST_PART * (next - slot), MIN_GRACE);
  return slot + Math.min(graceMs, Math.floor(most));
}

/**
 * Matches each run to the latest slot at or before its start, if that is free. Returns the index of
 * each run's slot, or -1. There must be a slot before the first run, and one after the last.
 */
export function matchSlots(slots: ArrayLike<number>, times: ArrayLike<number>): Int32Array {
  const slotOf = new Int32Array(times.length).fill(-1);
  const count = slots.length;
  if (count === 0) return slotOf;
  let at = 0;
  let taken = -1;
  for (let run = 0; run < times.length; run++) {
    const time = times[run];
    while (at + 1 < count && slots[at + 1] <= time) at++;
    let slot = at;
    if (at + 1 < count && time >= slots[at + 1] - earlyFor(slots[at + 1] - slots[at])) {
      // Just before a slot, a run is early for it.
      slot = at + 1;
    } else if (time < slots[at] - EARLY_MS) continue;
    if (slot <= taken) continue;
    if (slot + 1 < count && time - slots[slot] > LATEST_PART * (slots[slot + 1] - slots[slot])) {
      continue;
    }
    slotOf[run] = slot;
    taken = slot;
  }
  return slotOf;
}
