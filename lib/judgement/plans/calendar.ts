/** Days without runs, such as holidays, as spans in the zone of a plan. */
import { addDays, startOfDay } from "../../days.ts";
import type { Pause } from "../slots.ts";

export function spansOfDays(days: readonly string[], zone: string): readonly Pause[] {
  return days.map((day) => ({
    from: startOfDay(day, zone)!,
    to: startOfDay(addDays(day, 1), zone)!,
  }));
}
