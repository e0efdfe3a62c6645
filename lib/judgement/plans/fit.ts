/** Finds the plans that a schedule followed: those that describe its runs in the fewest bits. */
import * as constants from "./constants.ts";
import { bestFit, isPlanFor } from "./best_fit.ts";
import { type Candidate, movedBy, onDaysOf } from "./candidates.ts";
import { bitsOf, type Fit, fitTo, type PlanPeriod } from "./cost.ts";
import { withStanding } from "./standing.ts";
import { partOf, type Starts, startsOf, unplannedBits } from "./starts.ts";
import { strangeness } from "./strangeness.ts";

/** Finds the plans that runs followed, as periods that together cover all runs, in order. */
export function periodsOf(times: Float64Array, zone: string | undefined): PlanPeriod[] {
  const count = times.length;
  if (count < constants.MIN_RUNS) return [{ from: 0, to: count, fit: null }];
  const starts = startsOf(times);
  const whole = bestFit(starts, zone);
  const isWhole = whole !== null && isPlanFor(whole, starts);
  const strange = isWhole ? strangeness(whole, starts) : null;
  const windows = windowsOf(count);
  const suspects = windows.filter(([from, to]) => strange?.isIn(from, to) ?? true);
  const late = windows.filter(([from, to]) => strange?.isLateIn(from, to) ?? false);
  if (isWhole && late.length === 0 && (suspects.length === 0 || !strange!.isIn(0, count))) {
    return [{ from: 0, to: count, fit: whole }];
  }

  const plans = new Map<string, Found>();
  let added = 0;
  const add = (fit: Fit, part: Starts) => {
    const gain = gainOf(fit, part);
    const before = plans.get(fit.candidate.key);
    if (before && gain <= before.gain) return;
    plans.set(fit.candidate.key, { fit, gain });
    added++;
  };
  const searched = new Set<string>();
  const find = (from: number, to: number) => {
    const key = `${from} ${to}`;
    if (searched.has(key)) return;
    searched.add(key);
    const part = partOf(starts, from, to);
    const fit = bestFit(part, zone);
    if (fit && isPlanFor(fit, part)) add(fit, part);
  };
  // If lateness changed, the habits of all runs fit no part, so parts may have the same plan.
  if (isWhole && late.length > 0) plans.set("whole", { fit: whole, gain: gainOf(whole, starts) });
  else if (isWhole) add(whole, starts);
  for (const [from, to] of [...suspects, ...late]) find(from, to);
  const path = (): PlanPeriod[] => {
    const periods = bestPath(starts, plans);
    const wrong = periods.find(({ fit }) => fit?.standsIn)?.fit;
    if (!wrong) return periods;
    // Only all of the period's runs show that one time of day stands in for another.
    for (const [key, { fit }] of plans) {
      if (fit.candidate.key === wrong.candidate.key) plans.delete(key);
    }
    return path();
  };
  let periods = path();
  for (let round = 0; round < 2; round++) {
    const before = added;
    for (const { from, to } of periods) if (to - from >= constants.MIN_RUNS) find(from, to);
    // Better habits of a known plan change its bits as much as a new plan does.
    if (added === before) break;
    periods = path();
  }
  return withStanding(withCarriedOver(withLastRead(periods, times, zone), starts), starts);
}

/** The periods; if the plan before one, at new times, explains its runs as well, it has that plan. */
function withCarriedOver(periods: readonly PlanPeriod[], starts: Starts): PlanPeriod[] {
  const all: PlanPeriod[] = [];
  for (const period of periods) {
    const before = all.at(-1)?.fit;
    const part = partOf(starts, period.from, period.to);
    const fit = before && period.fit ? carriedOver(before, period.fit, part) : null;
    all.push(fit ? { ...period, fit } : period);
  }
  return all;
}

/** The periods, with the last one fitted alone if it has no plan; too few runs end no plan. */
function withLastRead(
  periods: PlanPeriod[],
  times: Float64Array,
  zone: string | undefined,
): PlanPeriod[] {
  const { from, to, fit } = periods.at(-1)!;
  if (fit !== null || from === 0) return periods;
  if (to - from < constants.MIN_RUNS) {
    return [...periods.slice(0, -2), { ...periods.at(-2)!, to, undecided: to - from }];
  }
  const read = periodsOf(times.subarray(from), zone).map((period) => ({
    ...period,
    from: period.from + from,
    to: period.to + from,
    fit: period.fit && isSureAfterChange(period.fit, period.to - period.from) ? period.fit : null,
  }));
  return [...periods.slice(0, -1), ...read];
}

function gainOf(fit: Fit, starts: Starts): number {
  return unplannedBits(starts) - fit.bits;
}

/** A plan, with the habits of the part of the runs in which it saves most. */
interface Found {
  readonly fit: Fit;
  /** Bits that it saves there. */
  readonly gain: number;
}

/** Parts of a history that may have a plan of their own. */
function windowsOf(count: number): [from: number, to: number][] {
  const windows: [number, number][] = [];
  for (
    let size = constants.MIN_RUNS;
    size < count;
    size = Math.ceil(size * constants.WINDOW_GROWTH)
  ) {
    windows.push([0, size], [count - size, count]);
    if (size > constants.MAX_FITTED) break;
  }
  for (const parts of [2, 4, 8]) {
    if (count / parts < constants.MIN_RUNS) break;
    for (let part = 0; part < parts; part++) {
      windows.push([Math.floor(count * part / parts), Math.floor(count * (part + 1) / parts)]);
    }
  }
  return windows;
}

/** Decides which plan held when: the path of fewest bits through all runs. */
function bestPath(starts: Starts, found: ReadonlyMap<string, Found>): PlanPeriod[] {
  const { times } = starts;
  const count = times.length;
  const plans = [...found.values()].sort((a, b) => b.gain - a.gain).slice(0, constants.MAX_PLANS)
    .map(({ fit: { candidate, habits } }) => ({
      candidate,
      ...bitsOf(candidate, habits, starts),
    }));
  const none = unplannedCosts(starts);
  const states = plans.length + 1;
  const change = constants.CHANGE_BITS + Math.log2(count);
  // For each run and state, the state of the run before.
  const from = new Uint8Array(states * count);
  let bits = new Float64Array(states);
  let next = new Float64Array(states);
  for (let state = 0; state < plans.length; state++) {
    bits[state] = plans[state].candidate.bits + plans[state].timing[0];
  }
  bits[plans.length] = none[0];
  for (let run = 1; run < count; run++) {
    let least = 0;
    for (let state = 1; state < states; state++) if (bits[state] < bits[least]) least = state;
    for (let state = 0; state < states; state++) {
      const plan = plans[state];
      const stay = bits[state] + (plan ? plan.missed[run] : 0);
      const begin = bits[least] + change + (plan ? plan.candidate.bits : 0);
      const timing = plan ? plan.timing[run] : none[run];
      from[run * states + state] = begin < stay ? least : state;
      next[state] = Math.min(stay, begin) + timing;
    }
    [bits, next] = [next, bits];
  }
  const path = new Int16Array(count);
  let state = 0;
  for (let other = 1; other < states; other++) if (bits[other] < bits[state]) state = other;
  for (let run = count - 1; run >= 0; run--) {
    path[run] = state;
    if (run > 0) state = from[run * states + state];
  }
  const periods: PlanPeriod[] = [];
  for (let begin = 0; begin < count;) {
    let end = begin + 1;
    while (end < count && path[end] === path[begin]) end++;
    const part = partOf(starts, begin, end);
    const plan = plans[path[begin]];
    const fit = plan && end - begin >= constants.MIN_RUNS ? fitTo(plan.candidate, part) : null;
    const isSure = fit !== null && isPlanFor(fit, part) &&
      (end - begin === count || isSureAfterChange(fit, end - begin));
    periods.push({ from: begin, to: end, fit: isSure ? fit : null });
    begin = end;
  }
  return periods;
}

function isSureAfterChange({ gaps, extras }: Fit, runs: number): boolean {
  const mostGaps = runs >= constants.SURE_RUNS_WITH_GAP ? 1 : 0;
  return runs >= constants.SURE_RUNS || extras === 0 && gaps <= mostGaps;
}

/** The bits of each run without a plan, by how many runs are around it. */
function unplannedCosts({ times, finest }: Starts): Float64Array {
  const around = 8;
  return times.map((_, run) => {
    const begin = Math.max(0, run - around);
    const end = Math.min(times.length - 1, run + around);
    const gap = (times[end] - times[begin]) / 60_000 / Math.max(1, end - begin);
    return Math.log2(Math.max(finest, gap)) + Math.LOG2E;
  });
}

/** All times of day can move together by this many minutes. */
const MAX_MINUTES_MOVED = 60;

/** The plan before, at new times, if it explains the runs as well: it is based on more runs. */
function carriedOver(before: Fit, own: Fit, starts: Starts): Fit | null {
  const candidates = [
    movedTo(own.candidate, before.candidate),
    onDaysOf(before.candidate, own.candidate),
  ];
  const fits = candidates.flatMap((candidate) => candidate ? fitTo(candidate, starts) : []);
  return fits.find(({ gaps, extras, bits, candidate }) =>
    gaps <= own.gaps && extras <= own.extras && bits - candidate.bits < own.bits
  ) ?? null;
}

/** The plan before, moved to the times of day of another, if they are in the same zone. */
function movedTo(own: Candidate, before: Candidate): Candidate | null {
  if (own.read.clock !== before.read.clock || before.read.weeks) return null;
  const [times, others] = [own, before].map(({ parts }) =>
    parts.flatMap(({ group }) => group.minutes)
  );
  // If there are more or fewer times, only their minutes of the hour are compared.
  const minutes = times.length === others.length
    ? times[0] - others[0]
    : times[0] % 60 - others[0] % 60;
  return Math.abs(minutes) > MAX_MINUTES_MOVED ? null : movedBy(minutes, before);
}
