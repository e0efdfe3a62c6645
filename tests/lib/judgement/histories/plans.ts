/** Plans of labelled histories, as cron: `planSlots` is compared with croner in tests of its own. */
import { type Plan, planSlots } from "../../../../lib/mod.ts";
import { DAY } from "../../../../lib/time_units.ts";

/** When a schedule is due. */
export interface TruePlan extends Pick<Plan, "cron" | "everyWeeks"> {
  readonly name: string;
  /** About how long the plan waits between two runs, in days: how long a history has to be. */
  readonly days: number;
}

const planOf = (name: string, days: number, ...cron: string[]): TruePlan => ({ name, days, cron });

/** The plans that histories are made of. */
export const PLANS: readonly TruePlan[] = [
  planOf("daily 06:00", 1, "0 6 * * *"),
  planOf("daily 02:30", 1, "30 2 * * *"),
  planOf("daily 00:00", 1, "0 0 * * *"),
  planOf("daily 23:55", 1, "55 23 * * *"),
  planOf("daily 17:42", 1, "42 17 * * *"),
  planOf("daily 08:00 and 10:00", 0.5, "0 8,10 * * *"),
  planOf("daily 06:00 and 18:00", 0.5, "0 6,18 * * *"),
  planOf("daily 07:05, 12:35, 19:50", 0.34, "5 7 * * *", "35 12 * * *", "50 19 * * *"),
  planOf("weekdays 06:30", 1.4, "30 6 * * 1-5"),
  planOf("weekdays 07:00", 1.4, "0 7 * * 1-5"),
  planOf("weekdays 08:00 and 16:00", 0.7, "0 8,16 * * 1-5"),
  planOf("weekdays 08:00, Saturdays 10:00", 1.2, "0 8 * * 1-5", "0 10 * * 6"),
  planOf("weekends 11:00", 3.5, "0 11 * * 6,7"),
  planOf("Mondays 09:00", 7, "0 9 * * 1"),
  planOf("Sundays 23:45", 7, "45 23 * * 7"),
  planOf("Tuesdays and Thursdays 08:00", 3.5, "0 8 * * 2,4"),
  planOf("Mondays, Wednesdays, Fridays 05:15", 2.3, "15 5 * * 1,3,5"),
  planOf("Mondays to Thursdays 14:00", 1.75, "0 14 * * 1-4"),
  planOf("hourly", 1 / 24, "0 * * * *"),
  planOf("hourly at 20 past", 1 / 24, "20 * * * *"),
  planOf("every 15 minutes", 1 / 96, "*/15 * * * *"),
  planOf("every 5 minutes", 1 / 288, "*/5 * * * *"),
  planOf("every 15 minutes 08:00 to 17:45 on weekdays", 1 / 28, "*/15 8-17 * * 1-5"),
  planOf("every 30 minutes 06:00 to 20:00", 1 / 29, "0,30 6-19 * * *", "0 20 * * *"),
  planOf("hourly 07:00 to 18:00 on weekdays", 1 / 8.5, "0 7-18 * * 1-5"),
  planOf("hourly 09:00 to 17:00", 1 / 9, "0 9-17 * * *"),
  planOf("every 2 hours", 1 / 12, "0 */2 * * *"),
  planOf("every 6 hours", 0.25, "0 */6 * * *"),
  {
    ...planOf("Fridays every 2 weeks 10:00", 14, "0 10 * * 5"),
    everyWeeks: { n: 2, from: "1970-01-05" },
  },
  {
    ...planOf("Wednesdays every 3 weeks 06:00", 21, "0 6 * * 3"),
    everyWeeks: { n: 3, from: "1970-01-12" },
  },
  planOf("the 1st 06:00", 30, "0 6 1 * *"),
  planOf("the 15th 07:30", 30, "30 7 15 * *"),
  planOf("the 1st and 15th 05:00", 15, "0 5 1,15 * *"),
  planOf("the 31st 06:00", 52, "0 6 31 * *"),
  planOf("the last day 20:00", 30, "0 20 L * *"),
  planOf("the first business day 08:00", 30, "0 8 1W * *"),
  planOf("the last business day 17:00", 30, "0 17 LW * *"),
  planOf("the first Monday 09:00", 30, "0 9 * * 1#1"),
  planOf("the third Tuesday 18:00", 30, "0 18 * * 2#3"),
  planOf("the last Friday 16:00", 30, "0 16 * * 5#L"),
  planOf("the 5th business day 07:00", 30, "0 7 5,6 * +5", "0 7 7 * +1-5"),
  planOf(
    "the 1st and 15th 06:15, or the next weekday",
    15,
    "15 6 1,15 * +1-5",
    "15 6 2,3,16,17 * +1",
  ),
  planOf("the 15th 13:00, or the next weekday", 30, "0 13 15 * +1-5", "0 13 16,17 * +1"),
  planOf("the 25th 12:00, or the weekday before", 30, "0 12 25 * +1-5", "0 12 23,24 * +5"),
  planOf("quarters 06:00", 91, "0 6 1 */3 *"),
  planOf("the last business day of a quarter 18:00", 91, "0 18 LW 3,6,9,12 *"),
  planOf("every 10 minutes 08:00 to 18:50, Mondays to Saturdays", 1 / 57, "*/10 8-18 * * 1-6"),
  planOf("every 12 minutes from 8 past", 1 / 120, "8-59/12 * * * *"),
  planOf("the 1st, 11th and 21st 07:00", 10, "0 7 1,11,21 * *"),
];

/** The plan of that name. */
export function planNamed(name: string): TruePlan {
  const plan = PLANS.find((plan) => plan.name === name);
  if (!plan) throw new Error(`No plan is named ${name}`);
  return plan;
}

/** The moments from `from` up to `to` at which a plan is due, in milliseconds since 1970. */
export function dueMoments(plan: TruePlan, zone: string, from: number, to: number): number[] {
  return planSlots({ ...plan, zone, graceMs: 0, since: 0 }, from, to);
}

/** The first clock change of a zone after one moment and before another. */
export function clockChange(zone: string, from: number, to: number): number | undefined {
  const next = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
    .getTimeZoneTransition("next")?.epochMilliseconds;
  return next !== undefined && next < to ? next : undefined;
}

/** The shortest time between two runs of a plan, in milliseconds. */
export function shortestGap(plan: TruePlan): number {
  const from = Date.UTC(2026, 0, 1);
  const due = dueMoments(plan, "UTC", from, from + Math.max(8, plan.days * 3) * DAY);
  return Math.min(plan.days * DAY, ...due.slice(1).map((moment, at) => moment - due[at]));
}
