/** Finds parts of runs that fit a plan badly: they take more bits, or are all equally late. */
import { DAY, MINUTE } from "../../time_units.ts";
import * as constants from "./constants.ts";
import { type Matched, matchTo } from "./candidates.ts";
import { bitsUnder, type Fit } from "./cost.ts";
import type { Starts } from "./starts.ts";
import { usualCount } from "./tally.ts";

export function strangeness({ candidate, habits }: Fit, starts: Starts) {
  const matched = matchTo(candidate, starts.times);
  const { timing, missed } = bitsUnder(habits, matched, starts);
  const local = candidate.read.clock.toLocal(matched.slots);
  const count = timing.length;
  const usual = Math.log2(habits.lateness) + 6;
  const sums = new Float64Array(count + 1);
  for (let run = 0; run < count; run++) {
    const bits = Math.max(0, timing[run] - usual) + (missed[run] > 1 ? missed[run] : 0);
    sums[run + 1] = sums[run] + bits;
  }
  const mean = sums[count] / count;
  const change = constants.CHANGE_BITS + Math.log2(count) + constants.MIN_PLAN_BITS;
  return {
    /** Whether another plan may explain a part: it takes more bits than a change of plan. */
    isIn(from: number, to: number): boolean {
      const bits = sums[to] - sums[from];
      // A few runs are not a change by themselves, but may be one side of it.
      if (count <= constants.ALL_SEARCHED) return sums[count] > change;
      if (bits <= change) return false;
      if (count <= constants.ALWAYS_SEARCHED || to - from === count) return true;
      return bits > 2 * mean * (to - from) + change;
    },
    /** Whether a part's runs are all about equally late, so that another plan may fit better. */
    isLateIn(from: number, to: number): boolean {
      const end = Math.min(to, from + constants.MAX_LATE);
      return bitsOfLateness(matched, local, timing, starts, from, end) > change;
    },
  };
}

/** How many bits it would save to count lateness from the smallest one at each time of day. */
function bitsOfLateness(
  { slots, slotOf }: Matched,
  local: Float64Array,
  timing: Float64Array,
  { times, finest }: Starts,
  from: number,
  to: number,
): number {
  const ofTimes = new Map<number, { late: number; bits: number }[]>();
  for (let run = from; run < to; run++) {
    const slot = slotOf[run];
    if (slot < 0) continue;
    const ofDay = (local[slot] % DAY + DAY) % DAY;
    const runs = ofTimes.get(ofDay) ?? [];
    ofTimes.set(ofDay, runs);
    runs.push({ late: Math.max(0, times[run] - slots[slot]) / MINUTE, bits: timing[run] });
  }
  let saved = 0;
  for (const runs of ofTimes.values()) {
    if (runs.length < constants.MIN_LATE) continue;
    runs.sort((a, b) => a.late - b.late);
    const usual = runs.slice(0, usualCount(runs.length));
    const sum = usual.reduce((sum, { late }) => sum + late - usual[0].late, 0);
    const mean = Math.max(finest, sum / (usual.length - 1));
    const bits = usual.reduce((sum, run) => sum + run.bits, 0);
    saved += bits - usual.length * (Math.log2(mean) + Math.LOG2E) - constants.MIN_PLAN_BITS;
  }
  return saved;
}
