/** Quiet hours: messages wait until they end. */
import { planSlots } from "../../lib/judgement/plans/plan.ts";
import type { QuietHours } from "../store/observer/owners.ts";

/** Longer than a day with a change of clocks. */
const OVER_A_DAY_MS = 26 * 3_600_000;

/** When the quiet hours end that a moment falls into; null if it falls into none. */
export function endOfQuiet(quiet: QuietHours, at: number): number | null {
  const next = (clock: string) => nextTime(clock, quiet.zone, at);
  const [begin, end] = [next(quiet.from), next(quiet.to)];
  return end < begin ? end : null;
}

/** When the clocks of a zone show a time next. */
function nextTime(clock: string, zone: string, at: number): number {
  const [hour, minute] = clock.split(":").map(Number);
  const plan = { cron: [`${minute} ${hour} * * *`], zone, graceMs: 0, since: 0 };
  return planSlots(plan, at + 1, at + OVER_A_DAY_MS)[0];
}
