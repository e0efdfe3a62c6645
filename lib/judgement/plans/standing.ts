/** Decides whether a plan of long standing still holds: a few runs at other times are extra. */
import { MIN_RUNS } from "./constants.ts";
import { type Candidate, matchTo } from "./candidates.ts";
import { fitTo, type PlanPeriod } from "./cost.ts";
import { partOf, type Starts } from "./starts.ts";

/** A plan with this many runs is ended or extended only by as many as a new plan needs. */
const MIN_STANDING = 12;

/** The periods, joined where there is too little evidence for a change of plan. */
export function withStanding(periods: readonly PlanPeriod[], starts: Starts): PlanPeriod[] {
  const all: PlanPeriod[] = [];
  for (const period of periods) {
    const before = all.at(-1);
    const holdsOn = before !== undefined && stillHolds(before, period, starts);
    if (holdsOn) all.splice(-1, 1, joined(before, period, starts));
    else all.push(period);
  }
  return all;
}

function joined(before: PlanPeriod, { to, undecided }: PlanPeriod, starts: Starts): PlanPeriod {
  const { from, fit } = before;
  const refitted = fitTo(fit!.candidate, partOf(starts, from, to));
  return { from, to, undecided, fit: refitted };
}

function stillHolds(before: PlanPeriod, period: PlanPeriod, starts: Starts): boolean {
  const old = before.fit?.candidate;
  if (!old || before.to - before.from < MIN_STANDING) return false;
  const { times } = partOf(starts, period.from, period.to);
  const own = period.fit?.candidate;
  if (own?.key === old.key) return true;
  return own ? extendsByChance(old, own, times) : isMet(old, times);
}

/** Whether a plan is the old one with more slots, too few of which were met. */
function extendsByChance(old: Candidate, own: Candidate, times: Float64Array): boolean {
  const { slots, slotOf } = matchTo(own, times);
  const [first, last] = [slots[slotOf.find((slot) => slot >= 0) ?? 0], times[times.length - 1]];
  const inSpan = (slot: number) => slot >= first && slot <= last;
  const present = new Set(slots);
  const before = matchTo(old, times).slots.filter(inSpan);
  if (before.some((slot) => !present.has(slot))) return false;
  const known = new Set(before);
  const met = new Set(slotOf);
  const added = [...slots.keys()].filter((slot) => inSpan(slots[slot]) && !known.has(slots[slot]));
  const hits = added.filter((slot) => met.has(slot)).length;
  return hits < MIN_RUNS || hits * 2 <= added.length;
}

/** Whether most slots of a plan are met, and most runs meet a slot. */
function isMet(plan: Candidate, times: Float64Array): boolean {
  const { slots, slotOf } = matchTo(plan, times);
  const hits = slotOf.filter((slot) => slot >= 0).length;
  const due = slots.filter((slot) => slot >= times[0] && slot <= times[times.length - 1]).length;
  return hits * 2 > due && hits * 2 > times.length;
}
