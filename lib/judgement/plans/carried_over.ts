/** What carries over from a plan to the one that follows it. */
import { type Candidate, movedBy, onDaysOf } from "./candidates.ts";
import { type Fit, fitTo } from "./cost.ts";
import type { Starts } from "./starts.ts";

/** Bits to say that all times of day moved by some minutes, and at most how many. */
const MOVE_BITS = 4;
const MOST_MINUTES_MOVED = 60;

/** The plan before, at new times, if it explains the runs as well: it knows more days and hours. */
export function carriedOver(before: Fit, own: Fit, starts: Starts): Fit | null {
  const candidates = [
    movedTo(own.candidate, before.candidate),
    onDaysOf(before.candidate, own.candidate),
  ];
  const fits = candidates.flatMap((candidate) => candidate ? fitTo(candidate, starts) : []);
  return fits.find(({ gaps, extras, bits, candidate }) =>
    gaps <= own.gaps && extras <= own.extras && bits - candidate.bits + MOVE_BITS < own.bits
  ) ?? null;
}

/** The plan before, moved to the times of day of another, if they are in the same zone. */
function movedTo(own: Candidate, before: Candidate): Candidate | null {
  if (own.read.clock !== before.read.clock || before.read.weeks) return null;
  const [times, others] = [own, before].map(({ parts }) =>
    parts.flatMap((one) => one.group.minutes)
  );
  const by = times[0] - others[0];
  // With other hours, at least the minute of the hour tells.
  const minutes = times.length === others.length ? by : ((by + 30) % 60 + 60) % 60 - 30;
  return Math.abs(minutes) > MOST_MINUTES_MOVED ? null : movedBy(minutes, before);
}
