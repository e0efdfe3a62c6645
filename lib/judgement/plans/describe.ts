import { groupBy } from "../../group_by.ts";
import { DAY, MINUTE } from "../../time_units.ts";
import { clockOf } from "../../zone_clock.ts";
import { MAX_BUSINESS_DAYS, movedBack, movedOn, nthBusinessDay } from "./business_days.ts";
import { ANY_IN_MONTH, type DayRule, EVERY_MONTH, readCron } from "./cron.ts";
import type { Plan } from "./plan.ts";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const NTH = ["", "first", "second", "third", "fourth", "fifth", "last"];
const EACH_QUARTER = 0b0010010010010;
const DAY_MINUTES = 1440;
/** Common days of the month whose moves look like those of a business day. */
const ROUND_DAYS = [15, 28];
/** Of more times than this, only the first and the last are named, and the step if there is one. */
const MAX_TIMES = 4;

/**
 * Describes a plan, such as `weekdays at 06:00, Europe/Berlin`.
 *
 * @param plan The plan.
 * @param options `zone`: the IANA name of the reader's zone, in which times are then said (default:
 * that of the plan, which the words name). `now`: the moment whose clocks count, in milliseconds
 * since 1970 (default: the present).
 * @returns The words, beginning with a small letter unless with a weekday. With the reader's zone,
 * they name the plan's zone only where its clocks change at other times, or where a planned run is
 * on another day in the reader's.
 * @throws {RangeError} If an expression or a zone is not valid.
 *
 * @example
 * ```ts
 * import { describePlan } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const plan = { cron: ["0 6 * * *"], zone: "Europe/Berlin", graceMs: 300_000, since: 0 };
 * const now = Date.UTC(2026, 10, 28);
 * assertEquals(describePlan(plan), "daily at 06:00, Europe/Berlin");
 * assertEquals(describePlan(plan, { zone: "Europe/Paris", now }), "daily at 06:00");
 * assertEquals(
 *   describePlan(plan, { zone: "Europe/Istanbul", now }),
 *   "daily at 08:00 (planned in Europe/Berlin)",
 * );
 * ```
 */
export function describePlan(
  plan: Pick<Plan, "cron" | "zone" | "everyWeeks">,
  reader: { readonly zone?: string; readonly now?: number } = {},
): string {
  const { words, timesIn, plannedIn } = planForReader(plan, reader);
  if (timesIn !== null) return `${words}, ${timesIn}`;
  return plannedIn === null ? words : `${words} (planned in ${plannedIn})`;
}

/**
 * A plan in words. `timesIn` is the zone of their times, if these are not the reader's; `plannedIn` is
 * the plan's zone, if its clocks change at other times than the reader's, so that the words hold for
 * now alone.
 */
export function planForReader(
  { cron, zone, everyWeeks }: Pick<Plan, "cron" | "zone" | "everyWeeks">,
  reader: { readonly zone?: string; readonly now?: number },
): {
  readonly words: string;
  readonly timesIn: string | null;
  readonly plannedIn: string | null;
} {
  const { ahead, isSteady } = zoneDistance(zone, reader.zone ?? zone, reader.now ?? Date.now());
  const rules = cron.map(readCron);
  const isEveryDay = rules.every(({ days }) => dayWords(days) === null) && !everyWeeks;
  const isSameDay = rules.every(({ minutes }) =>
    minutes.every((minute) => minute + ahead >= 0 && minute + ahead < DAY_MINUTES)
  );
  const isInReadersZone = reader.zone !== undefined && (isEveryDay || isSameDay);
  const words = planWords({ cron, everyWeeks }, isInReadersZone ? ahead : 0);
  if (!isInReadersZone) return { words, timesIn: zone, plannedIn: null };
  return { words, timesIn: null, plannedIn: isSteady ? null : zone };
}

/** How many minutes the reader's clocks are ahead, and whether they are so all year. */
function zoneDistance(zone: string, readers: string, now: number) {
  const at = (time: number) =>
    clockOf(readers).spans(time, time + 1)[0].offset -
    clockOf(zone).spans(time, time + 1)[0].offset;
  const isSteady = [1, 2, 3].every((quarter) => at(now + quarter * 91 * DAY) === at(now));
  return { ahead: at(now) / MINUTE, isSteady };
}

function planWords({ cron, everyWeeks }: Pick<Plan, "cron" | "everyWeeks">, ahead: number): string {
  const moved = movedWords(cron.filter(needsBothDays), ahead);
  const others = moved === null ? cron : cron.filter((expression) => !needsBothDays(expression));
  const byDays = groupBy(others.map(readCron), ({ days }) => JSON.stringify(days));
  const parts = [...byDays.values()].map((rules) => {
    const when = timeWords(rules.flatMap((rule) => rule.minutes), ahead);
    const on = dayWords(rules[0].days);
    if (everyWeeks && everyWeeks.n > 1) {
      return `every ${everyWeeks.n} weeks on ${on ?? "every day"} ${when}`;
    }
    if (on === null) return when.startsWith("at ") ? `daily ${when}` : when;
    return `${on} ${when}`;
  });
  return listed([...moved ?? [], ...parts], "; ");
}

/** Whether both the day of the month and the weekday have to match. */
function needsBothDays(expression: string): boolean {
  return /\s\+\S+$/.test(expression.trim());
}

/** Words for the rule of business days that these expressions form together, or null. */
function movedWords(expressions: readonly string[], ahead: number): string[] | null {
  const all = expressions.map((expression) => {
    const [minute, hour, day, month, weekday] = expression.trim().split(/\s+/);
    return { expression, times: `${minute} ${hour} ${month}`, days: `${day} * ${weekday}` };
  });
  const words: string[] = [];
  for (const parts of groupBy(all, ({ times }) => times).values()) {
    const on = businessDayWords(parts.map(({ days }) => days));
    if (on === null) return null;
    const { minutes, days: { months } } = readCron(parts[0].expression);
    const ofMonths = months === EVERY_MONTH ? "" : ` of ${monthWords(months)}`;
    words.push(`${on}${ofMonths} ${timeWords(minutes, ahead)}`);
  }
  return words;
}

/** Describes what fields mean together, or null if they follow none of these rules. */
function businessDayWords(fields: readonly string[]): string | null {
  const sorted = [...fields].sort().join();
  const is = (rule: readonly string[]) => [...rule].sort().join() === sorted;
  const plain = fields.find((field) => field.endsWith(" +1-5"))?.split(" ")[0];
  const days = plain?.split(",").map(Number) ?? [];
  const names = days.map(ordinal).join(" and ");
  let moved: string | null = null;
  if (days.length > 0 && is(movedOn(days))) moved = `on the ${names} or the next weekday`;
  else if (days.length > 0 && is(movedBack(days))) {
    moved = `on the ${names} or the last weekday before`;
  }
  // The 11th business day may also be the 15th or the next weekday, which is more common.
  if (moved !== null && days.every((day) => ROUND_DAYS.includes(day))) return moved;
  for (let n = 2; n <= MAX_BUSINESS_DAYS; n++) {
    if (is(nthBusinessDay(n))) return `on the ${ordinal(n)} business day`;
  }
  return moved;
}

/** The times of day on clocks that are `ahead` minutes ahead of the plan's. */
function timeWords(planned: readonly number[], ahead: number): string {
  const shifted = planned.map((minute) => (minute + ahead + DAY_MINUTES) % DAY_MINUTES);
  const minutes = [...new Set(shifted)].sort((a, b) => a - b);
  if (minutes.length <= MAX_TIMES) return `at ${listed(minutes.map(clock))}`;
  const step = minutes[1] - minutes[0];
  if (!minutes.every((minute, at) => minute === minutes[0] + at * step)) {
    return `at ${minutes.length} times from ${clock(minutes[0])} to ${clock(minutes.at(-1)!)}`;
  }
  const isWholeDay = minutes[0] < step && minutes.at(-1)! + step >= DAY_MINUTES;
  const often = step === 60
    ? "hourly"
    : step % 60 === 0
    ? `every ${step / 60} hours`
    : step === 1
    ? "every minute"
    : `every ${step} minutes`;
  if (!isWholeDay) return `${often} from ${clock(minutes[0])} to ${clock(minutes.at(-1)!)}`;
  if (minutes[0] === 0) return often;
  return step === 60
    ? `hourly at ${minutes[0]} minutes past`
    : `${often} from ${clock(minutes[0])}`;
}

function clock(minute: number): string {
  const pad = (count: number) => String(count).padStart(2, "0");
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}

function dayWords(rule: DayRule): string | null {
  if (rule.both && rule.days !== null && rule.weekdays !== null) {
    const [days, weekdays] = [monthDayWords(rule), weekdayWords(rule)];
    const months = rule.months === EVERY_MONTH ? "" : ` of ${monthWords(rule.months)}`;
    return `${listed(days)}${months}, only ${listed(weekdays, " and ")}`;
  }
  const months = rule.months === EVERY_MONTH ? null : monthWords(rule.months);
  const words = [...monthDayWords(rule), ...weekdayWords(rule)]
    .map((each) => months ? each.replace(/ of the month$/, "") : each);
  if (words.length === 0) return months && `daily in ${months}`;
  const isOfMonth = rule.days !== null ||
    rule.weekdays!.some((which) => which && which !== ANY_IN_MONTH);
  const ofMonth = months ? ` of ${months}` : rule.days === null && isOfMonth ? " of the month" : "";
  return `${listed(words, " and ", " or ")}${isOfMonth || !months ? ofMonth : ` in ${months}`}`;
}

function monthDayWords(rule: DayRule): string[] {
  const set = rule.days ?? 0;
  const days = Array.from({ length: 31 }, (_, at) => at + 1).filter((day) => set >> day & 1);
  const step = days[1] - days[0];
  const isEach = days.length > 3 && days.at(-1)! + step > 31 &&
    days.every((day, at) => day === 1 + at * step);
  const plain = isEach
    ? `every ${step} days from the 1st of the month`
    : `on the ${listed(days.map(ordinal))}`;
  return [
    ...(days.length > 0 ? [plain] : []),
    ...(rule.lastDay ? ["on the last day of the month"] : []),
    ...(rule.lastBusinessDay ? ["on the last business day of the month"] : []),
    ...rule.nearestBusinessDays.map((day) =>
      day === 1
        ? "on the first business day of the month"
        : `on the business day nearest to the ${ordinal(day)}`
    ),
  ];
}

function weekdayWords({ weekdays }: DayRule): string[] {
  if (weekdays === null) return [];
  const every = weekdays.flatMap((which, day) => which === ANY_IN_MONTH ? [day] : []);
  const words: string[] = [];
  if (every.join() === "1,2,3,4,5") words.push("weekdays");
  else if (every.join() === "0,6") words.push("weekends");
  else if (every.length > 0) {
    const fromMonday = [...every].sort((a, b) => (a + 6) % 7 - (b + 6) % 7);
    const isRow = fromMonday.length > 2 &&
      fromMonday.every((day, at) => at === 0 || (day - fromMonday[at - 1] + 7) % 7 === 1);
    const names = fromMonday.map((day) => `${WEEKDAYS[day]}s`);
    words.push(isRow ? `${names[0]} to ${names.at(-1)}` : listed(names));
  }
  const nth = weekdays.flatMap((which, day) =>
    which === ANY_IN_MONTH
      ? []
      : NTH.flatMap((name, at) => which >> at & 1 ? [`the ${name} ${WEEKDAYS[day]}`] : [])
  );
  if (nth.length > 0) words.push(`on ${listed(nth)}`);
  return words;
}

function monthWords(months: number): string {
  if (months === EACH_QUARTER) return "each quarter";
  const name = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
  const list = Array.from({ length: 12 }, (_, at) => at).filter((at) => months >> (at + 1) & 1);
  return listed(list.map((at) => name.format(Date.UTC(2026, at))));
}

const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };

function ordinal(day: number): string {
  return day + ENDINGS[new Intl.PluralRules("en", { type: "ordinal" }).select(day)];
}

function listed(
  words: readonly string[],
  between = ", ",
  last = between === ", " ? " and " : between,
) {
  if (words.length < 2) return words.join();
  return `${words.slice(0, -1).join(between)}${last}${words.at(-1)}`;
}
