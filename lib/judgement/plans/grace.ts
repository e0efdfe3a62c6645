/** How late a run may start and still be on time, judging by how late runs were. */
import { type Candidate, matchTo } from "./candidates.ts";

const MINUTE = 60_000;
const LEAST_GRACE = 5 * MINUTE;
/** One run in this many may be later than the grace. */
const ONE_IN = 100;
/** This share of the runs may be late for reasons of their own. */
const OUTLIERS = 0.05;
/** Before any run, lateness is this many times as likely to be uniform as to have a tail. */
const EVEN_ODDS = 0.5;
/** Halving a range this often gives a minute of any lateness. */
const HALVINGS = 20;
/** A run later than this share of the time between slots belongs to no slot. */
const LATEST_PART = 0.95;

/** The lateness that one run in a hundred exceeds: milliseconds, in whole minutes. */
export function graceOf(candidate: Candidate, times: Float64Array): number {
  const { slots, slotOf } = matchTo(candidate, times);
  const late: number[] = [];
  let shortest = Infinity;
  slotOf.forEach((slot, run) => {
    if (slot < 0) return;
    late.push(Math.max(0, times[run] - slots[slot]));
    if (slot + 1 < slots.length) shortest = Math.min(shortest, slots[slot + 1] - slots[slot]);
  });
  late.sort((a, b) => a - b);
  const later = Math.max(1, Math.floor(late.length / ONE_IN));
  const seen = (late[late.length - 1 - later] ?? 0) * 1.1;
  // Too few runs to see one in a hundred: estimate it from the distribution of lateness.
  const likely = late.length < ONE_IN ? Math.min(lateBy(late), shortest * LATEST_PART) : 0;
  return Math.max(LEAST_GRACE, Math.ceil(Math.max(seen, likely) / MINUTE) * MINUTE);
}

/** The lateness that one run in a hundred exceeds, be it uniform or exponential above its least. */
function lateBy(late: readonly number[]): number {
  const left = Math.max(1, Math.round(late.length * OUTLIERS));
  const usual = late.slice(0, late.length - left);
  const count = usual.length;
  if (count < 2) return 0;
  const [least, most] = [usual[0], usual[count - 1]];
  if (most === least) return least;
  const sum = usual.reduce((sum, each) => sum + each - least, 0);
  // Uniform against exponential lateness, for any maximum and any mean.
  let odds = EVEN_ODDS;
  for (let run = 1; run < count; run++) odds *= sum / (most - least) / run;
  const even = odds / (1 + odds);
  // Of those left out, the latest is no outlier if it fits in. They were at least as late as `most`.
  const top = Math.min(late[late.length - 1], most + 2 * left / count * (most - least));
  const mean = (sum + left * (most - least)) / (count - 1);
  const later = (lateness: number) =>
    even * (lateness < top ? 1 : (top / lateness) ** count / (count + 1)) +
    (1 - even) * (1 + (lateness - least) / (count * mean)) ** -count;
  let [low, high] = [most, least + mean * count * (ONE_IN ** (1 / count) - 1)];
  for (let half = 0; half < HALVINGS && low < high; half++) {
    const middle = (low + high) / 2;
    if (later(middle) > 1 / ONE_IN) low = middle;
    else high = middle;
  }
  return high;
}
