/** Before the first clock change, runs don't show in which zone an inferred plan is. */
import { type Plan, readPlan } from "../plan.ts";
import { slotTimes } from "../slot_times.ts";
import { clockOf, type ZoneClock } from "../../../zone_clock.ts";
import { commonZones } from "./zones.ts";

/** No common zone puts its clocks back by more. */
export const LONGEST_WAIT = 3_600_000;

/**
 * How much longer than its grace a slot of an inferred plan waits, in milliseconds: clocks may have
 * gone back since the latest run in a zone that the runs can't distinguish from the plan's.
 */
export function clockChangeWait(plan: Plan, latest: number, slot: number): number {
  const ms = laterByClocks(plan, latest, slot);
  return ms > 0 && slotTimes(readPlan(plan), slot - ms, slot - ms + 1).length > 0 ? 0 : ms;
}

function laterByClocks({ zone, since }: Plan, latest: number, slot: number): number {
  const clock = clockOf(zone);
  const waits = commonZones().map((name) => {
    const other = clockOf(name);
    const ahead = (time: number) => offsetAt(other, time) - offsetAt(clock, time);
    const wait = slot > latest ? ahead(latest) - ahead(slot) : 0;
    if (wait <= 0) return 0;
    const spans = [clock, other].flatMap((each) => each.spans(since, latest));
    return spans.every(({ start }) => ahead(start) === ahead(latest)) ? wait : 0;
  });
  return Math.min(LONGEST_WAIT, Math.max(...waits));
}

function offsetAt(clock: ZoneClock, time: number): number {
  return clock.spans(time, time + 1)[0].offset;
}
