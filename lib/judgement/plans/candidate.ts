/** A candidate plan, and which runs would belong to which of its slots. */
import type { DayChoice } from "./days/day_choice.ts";
import type { Group } from "./fixed_times.ts";
import { matchSlots } from "./match.ts";
import { type ReadPlan, slotTimes } from "./slot_times.ts";

export interface Candidate {
  /** The same for the same plan. */
  readonly key: string;
  readonly cron: readonly string[];
  readonly read: ReadPlan;
  /** Bits of the plan itself, including those of its zone. */
  readonly bits: number;
  readonly zoneBits: number;
  /** No slot is further than this from the next one, in milliseconds. */
  readonly reach: number;
  /** Times of day, each with its days. */
  readonly parts: readonly { readonly group: Group; readonly choice: DayChoice }[];
}

/** Slots of a plan about the time of some runs, and the place of each run's slot, or -1. */
export interface Matched {
  readonly slots: readonly number[];
  readonly slotOf: Int32Array;
}

export function matchTo({ read, reach }: Candidate, times: Float64Array): Matched {
  const slots = slotTimes(read, times[0] - reach, times[times.length - 1] + reach);
  return { slots, slotOf: matchSlots(slots, times) };
}
