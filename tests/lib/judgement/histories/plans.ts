/**
 * Plans of labelled histories, and the moments that they mean. This stands on Temporal and on nothing
 * of Docket, so that it can judge Docket.
 */

import { DAY, MINUTE } from "../../../../lib/time_units.ts";
/** A day as a plan sees it. */
interface Day {
  readonly day: number;
  readonly month: number;
  /** 1 for Monday through 7 for Sunday. */
  readonly weekday: number;
  readonly daysInMonth: number;
  /** Weeks since Monday 5 January 1970. */
  readonly week: number;
}

/** When a schedule is due. */
export interface TruePlan {
  readonly name: string;
  /** Minutes of the day at which it is due. */
  readonly minutes: readonly number[];
  readonly isDue: (day: Day) => boolean;
  /** Further times with days of their own. */
  readonly also?: TruePlan;
  /** Whether it runs again in an hour that a clock change repeats, and not in one that is left out. */
  readonly everyHour?: boolean;
  /** About how long the plan waits between two runs, in days: how long a history has to be. */
  readonly days: number;
}

const every: TruePlan["isDue"] = () => true;
const at = (hour: number, minute = 0) => hour * 60 + minute;
const isWeekday = ({ weekday }: Day) => weekday <= 5;
const lastBusinessDay = ({ day, daysInMonth, weekday }: Day) => {
  const ofLast = (weekday - 1 + daysInMonth - day) % 7 + 1;
  return day === daysInMonth - Math.max(0, ofLast - 5);
};
const firstBusinessDay = ({ day, weekday }: Day) =>
  weekday <= 5 && (day === 1 || weekday === 1 && day <= 3);
/** A day, or the Monday after where it is at a weekend. */
const movedOn = (due: number) => ({ day, weekday }: Day) =>
  weekday === 1 ? day >= due && day <= due + 2 : weekday < 6 && day === due;
/** A day, or the Friday before where it is at a weekend. */
const movedBack = (due: number) => ({ day, weekday }: Day) =>
  weekday === 5 ? day <= due && day >= due - 2 : weekday < 6 && day === due;
const fifthBusinessDay = ({ day, weekday }: Day) => {
  let before = 0;
  for (let other = 1; other < day; other++) if ((weekday + 69 - day + other) % 7 < 5) before++;
  return weekday < 6 && before === 4;
};
const steps = (step: number, from = 0, through = 1439) =>
  Array.from({ length: Math.floor((through - from) / step) + 1 }, (_, at) => from + at * step);

/** A plan of steps of minutes. */
const repeated = (name: string, minutes: number[], days: number, isDue = every): TruePlan => ({
  name,
  minutes,
  isDue,
  everyHour: true,
  days,
});

/** The plans that histories are made of. */
export const PLANS: readonly TruePlan[] = [
  { name: "daily 06:00", minutes: [at(6)], isDue: every, days: 1 },
  { name: "daily 02:30", minutes: [at(2, 30)], isDue: every, days: 1 },
  { name: "daily 00:00", minutes: [0], isDue: every, days: 1 },
  { name: "daily 23:55", minutes: [at(23, 55)], isDue: every, days: 1 },
  { name: "daily 17:42", minutes: [at(17, 42)], isDue: every, days: 1 },
  { name: "daily 08:00 and 10:00", minutes: [at(8), at(10)], isDue: every, days: 0.5 },
  { name: "daily 06:00 and 18:00", minutes: [at(6), at(18)], isDue: every, days: 0.5 },
  {
    name: "daily 07:05, 12:35, 19:50",
    minutes: [at(7, 5), at(12, 35), at(19, 50)],
    isDue: every,
    days: 0.34,
  },
  { name: "weekdays 06:30", minutes: [at(6, 30)], isDue: isWeekday, days: 1.4 },
  { name: "weekdays 07:00", minutes: [at(7)], isDue: isWeekday, days: 1.4 },
  { name: "weekdays 08:00 and 16:00", minutes: [at(8), at(16)], isDue: isWeekday, days: 0.7 },
  {
    name: "weekdays 08:00, Saturdays 10:00",
    minutes: [at(8)],
    isDue: isWeekday,
    also: {
      name: "Saturdays 10:00",
      minutes: [at(10)],
      isDue: ({ weekday }) => weekday === 6,
      days: 7,
    },
    days: 1.2,
  },
  { name: "weekends 11:00", minutes: [at(11)], isDue: ({ weekday }) => weekday > 5, days: 3.5 },
  { name: "Mondays 09:00", minutes: [at(9)], isDue: ({ weekday }) => weekday === 1, days: 7 },
  { name: "Sundays 23:45", minutes: [at(23, 45)], isDue: ({ weekday }) => weekday === 7, days: 7 },
  {
    name: "Tuesdays and Thursdays 08:00",
    minutes: [at(8)],
    isDue: ({ weekday }) => weekday === 2 || weekday === 4,
    days: 3.5,
  },
  {
    name: "Mondays, Wednesdays, Fridays 05:15",
    minutes: [at(5, 15)],
    isDue: ({ weekday }) => [1, 3, 5].includes(weekday),
    days: 2.3,
  },
  {
    name: "Mondays to Thursdays 14:00",
    minutes: [at(14)],
    isDue: ({ weekday }) => weekday <= 4,
    days: 1.75,
  },
  repeated("hourly", steps(60), 1 / 24),
  repeated("hourly at 20 past", steps(60, 20), 1 / 24),
  repeated("every 15 minutes", steps(15), 1 / 96),
  repeated("every 5 minutes", steps(5), 1 / 288),
  repeated(
    "every 15 minutes 08:00 to 17:45 on weekdays",
    steps(15, at(8), at(17, 45)),
    1 / 28,
    isWeekday,
  ),
  repeated("every 30 minutes 06:00 to 20:00", steps(30, at(6), at(20)), 1 / 29),
  repeated("hourly 07:00 to 18:00 on weekdays", steps(60, at(7), at(18)), 1 / 8.5, isWeekday),
  repeated("hourly 09:00 to 17:00", steps(60, at(9), at(17)), 1 / 9),
  repeated("every 2 hours", steps(120), 1 / 12),
  repeated("every 6 hours", steps(360), 0.25),
  {
    name: "Fridays every 2 weeks 10:00",
    minutes: [at(10)],
    isDue: ({ weekday, week }) => weekday === 5 && week % 2 === 0,
    days: 14,
  },
  {
    name: "Wednesdays every 3 weeks 06:00",
    minutes: [at(6)],
    isDue: ({ weekday, week }) => weekday === 3 && week % 3 === 1,
    days: 21,
  },
  { name: "the 1st 06:00", minutes: [at(6)], isDue: ({ day }) => day === 1, days: 30 },
  { name: "the 15th 07:30", minutes: [at(7, 30)], isDue: ({ day }) => day === 15, days: 30 },
  {
    name: "the 1st and 15th 05:00",
    minutes: [at(5)],
    isDue: ({ day }) => day === 1 || day === 15,
    days: 15,
  },
  { name: "the 31st 06:00", minutes: [at(6)], isDue: ({ day }) => day === 31, days: 52 },
  {
    name: "the last day 20:00",
    minutes: [at(20)],
    isDue: ({ day, daysInMonth }) => day === daysInMonth,
    days: 30,
  },
  { name: "the first business day 08:00", minutes: [at(8)], isDue: firstBusinessDay, days: 30 },
  { name: "the last business day 17:00", minutes: [at(17)], isDue: lastBusinessDay, days: 30 },
  {
    name: "the first Monday 09:00",
    minutes: [at(9)],
    isDue: ({ day, weekday }) => weekday === 1 && day <= 7,
    days: 30,
  },
  {
    name: "the third Tuesday 18:00",
    minutes: [at(18)],
    isDue: ({ day, weekday }) => weekday === 2 && day > 14 && day <= 21,
    days: 30,
  },
  {
    name: "the last Friday 16:00",
    minutes: [at(16)],
    isDue: ({ day, weekday, daysInMonth }) => weekday === 5 && day > daysInMonth - 7,
    days: 30,
  },
  { name: "the 5th business day 07:00", minutes: [at(7)], isDue: fifthBusinessDay, days: 30 },
  {
    name: "the 1st and 15th 06:15, or the next weekday",
    minutes: [at(6, 15)],
    isDue: (day) => movedOn(1)(day) || movedOn(15)(day),
    days: 15,
  },
  { name: "the 15th 13:00, or the next weekday", minutes: [at(13)], isDue: movedOn(15), days: 30 },
  {
    name: "the 25th 12:00, or the weekday before",
    minutes: [at(12)],
    isDue: movedBack(25),
    days: 30,
  },
  {
    name: "quarters 06:00",
    minutes: [at(6)],
    isDue: ({ day, month }) => day === 1 && month % 3 === 1,
    days: 91,
  },
  {
    name: "the last business day of a quarter 18:00",
    minutes: [at(18)],
    isDue: (day) => day.month % 3 === 0 && lastBusinessDay(day),
    days: 91,
  },
  repeated(
    "every 10 minutes 08:00 to 18:50, Mondays to Saturdays",
    steps(10, at(8), at(18, 50)),
    1 / 57,
    ({ weekday }) => weekday <= 6,
  ),
  repeated("every 12 minutes from 8 past", steps(12, 8), 1 / 120),
  {
    name: "the 1st, 11th and 21st 07:00",
    minutes: [at(7)],
    isDue: ({ day }) => day === 1 || day === 11 || day === 21,
    days: 10,
  },
];

/** The plan of that name. */
export function planNamed(name: string): TruePlan {
  const plan = PLANS.find((plan) => plan.name === name);
  if (!plan) throw new Error(`No plan is named ${name}`);
  return plan;
}

/** The moments from `from` up to `to` at which a plan is due, in milliseconds since 1970. */
export function dueMoments(plan: TruePlan, zone: string, from: number, to: number): number[] {
  const moments = new Set<number>();
  const first = Math.floor(from / DAY) - 2;
  for (let number = first; number * DAY < to + 2 * DAY; number++) {
    const date = new Date(number * DAY);
    const day = {
      day: date.getUTCDate(),
      month: date.getUTCMonth() + 1,
      weekday: (date.getUTCDay() + 6) % 7 + 1,
      daysInMonth: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0))
        .getUTCDate(),
      week: Math.floor((number - 4) / 7),
    };
    if (!plan.isDue(day)) continue;
    for (const minute of plan.minutes) {
      for (const moment of momentsOf(number * DAY + minute * MINUTE, zone, !!plan.everyHour)) {
        if (moment >= from && moment < to) moments.add(moment);
      }
    }
  }
  if (plan.also) {
    for (const moment of dueMoments(plan.also, zone, from, to)) {
      moments.add(moment);
    }
  }
  return [...moments].sort((a, b) => a - b);
}

/** The moments at which clocks of a zone show a time, given as if it were UTC. */
function momentsOf(local: number, zone: string, everyHour: boolean): number[] {
  // One day before and after no other clock change is near.
  const offsets = [offsetAt(zone, local - DAY), offsetAt(zone, local + DAY)];
  const found = [...new Set(offsets)].map((offset) => local - offset)
    .filter((moment) => moment + offsetAt(zone, moment) === local)
    .sort((a, b) => a - b);
  if (found.length > 0) return everyHour ? found : [found[0]];
  if (everyHour) return [];
  // The clocks leave this time out: due when they go on.
  let before = local - Math.max(...offsets) - 3 * 60 * MINUTE;
  while (offsetAt(zone, before) === offsetAt(zone, before + MINUTE)) before += MINUTE;
  return [before + MINUTE];
}

/** The first clock change of a zone after one moment and before another. */
export function clockChange(zone: string, from: number, to: number): number | undefined {
  for (let moment = from; moment < to; moment += DAY) {
    if (offsetAt(zone, moment) !== offsetAt(zone, Math.min(to, moment + DAY))) return moment;
  }
}

const offsets = new Map<string, number>();

/** How far a zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(zone: string, moment: number): number {
  if (zone === "UTC") return 0;
  // Where a day begins and ends alike, no clock changes in it; elsewhere on the half hour at most.
  const day = moment - moment % DAY;
  const offset = keptOffset(zone, day);
  if (offset === keptOffset(zone, day + DAY)) return offset;
  return keptOffset(zone, moment - moment % (30 * MINUTE));
}

function keptOffset(zone: string, moment: number): number {
  const key = `${zone} ${moment}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
      .offsetNanoseconds / 1e6;
    offsets.set(key, offset);
  }
  return offset;
}
