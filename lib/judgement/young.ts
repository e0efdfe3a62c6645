/**
 * At which times of day and on which days a young schedule can miss a run: when it ran before. After a
 * change of plan that people did not confirm, at which of the new times: on weekdays with runs before.
 */
import { DAY, HOUR, MINUTE } from "../time_units.ts";
import { weekdayAt } from "./plans/due_days.ts";

/** A schedule is young for this long: then enough weekends have passed to show whether it runs. */
export const YOUNG_MS: number = 21 * DAY;
/** Where planned runs are this far apart, each weekday is new by itself. */
const DAILY_MS = 20 * HOUR;

export interface UnmetTime {
  readonly at: number;
  /** The same time, as the clocks of the plan's zone show it. */
  readonly local: number;
  /** How long after it the next one is planned. */
  readonly gap: number;
  /** Whether others that day were met before and after it. */
  readonly isBetween: boolean;
}

export class MetTimes {
  // Minutes since midnight, and since the midnight before Sunday.
  readonly #ofDay = new Set<number>();
  readonly #ofWeek = new Set<number>();
  /** Minutes of the hour, with their days. */
  readonly #ofHours = new Set<number>();

  add(local: number): void {
    this.#ofDay.add(minuteOfDay(local));
    this.#ofWeek.add(minuteOfWeek(local));
    this.#ofHours.add(minuteOfHour(local));
  }

  /**
   * Whether a planned run was due, as one was met at this time of day, or both the ones before and
   * after it: every 15 minutes, where 08:00 and 08:30 were met, 08:15 was due, but not 08:45. It has to
   * be this weekday where planned runs are a day apart, or where it may be a weekend; but then, others
   * that were met that day show that it is a day with runs.
   */
  showDue({ at, local, gap, isBetween }: UnmetTime): boolean {
    const isByWeekday = countsByWeekday(at, gap);
    if (isByWeekday && this.#ofWeek.has(minuteOfWeek(local))) return true;
    // At weekends, it may run once an hour instead of every half hour.
    const isOfDay = !isByWeekday || isBetween && this.#ofHours.has(minuteOfHour(local));
    return isOfDay && this.#isNear(local, 1, gap) && this.#isNear(local, -1, gap);
  }

  /** Whether one was met at a time of day, or the next or the previous one was. */
  #isNear(local: number, direction: 1 | -1, gap: number): boolean {
    // Of a lunch break, such as from 12:00 to 13:00, more than one planned run was never met.
    for (let away = 0; away < Math.min(HOUR, 2 * gap); away += MINUTE) {
      if (this.#ofDay.has(minuteOfDay(local + direction * away))) return true;
    }
    return false;
  }
}

function minuteOfDay(local: number): number {
  return Math.floor(local % DAY / MINUTE);
}

function minuteOfWeek(local: number): number {
  return weekdayAt(local) * DAY / MINUTE + minuteOfDay(local);
}

function minuteOfHour(local: number): number {
  return Math.floor(local / DAY) * 60 + minuteOfDay(local) % 60;
}

/**
 * Whether a planned run is due only on weekdays with runs: one a day, or where it may be a weekend.
 * Weekdays at 06:00 that moved to 07:00 on a Monday look daily until Saturday.
 */
export function countsByWeekday(at: number, gap: number): boolean {
  return gap >= DAILY_MS || mayBeWeekend(at);
}

/** Whether it is a weekend in some zone: days begin first at 14 hours from UTC, and last at -12. */
function mayBeWeekend(at: number): boolean {
  return [14 * HOUR, -12 * HOUR].some((offset) => weekdayAt(at + offset) % 6 === 0);
}
