/** Days without runs, such as holidays, as spans in the zone of a plan. */
import { addDays, startOfDay } from "../../days.ts";
import type { Pause } from "../slots.ts";

/** The result of the last call, because a replay needs the same days at each moment. */
let latest: { readonly days: readonly string[]; readonly zone: string; spans: Pause[] } | undefined;

export function spansOfDays(days: readonly string[], zone: string): readonly Pause[] {
  if (days.length === 0) return [];
  if (latest?.days !== days || latest.zone !== zone) {
    const spans = days.map((day) => ({
      from: startOfDay(day, zone)!,
      to: startOfDay(addDays(day, 1), zone)!,
    }));
    latest = { days, zone, spans };
  }
  return latest.spans;
}
