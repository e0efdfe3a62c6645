/** At which times of day and on which days a young schedule can miss a run: when it ran before. */
import { DAY, HOUR, MINUTE } from "../time_units.ts";
import { weekdayOf } from "./plans/due_days.ts";

/** A schedule is young for this long: then enough weekends have passed to show whether it runs. */
export const YOUNG_MS: number = 21 * DAY;
/** Where planned runs are this far apart, each weekday is new by itself. */
const DAILY_MS = 20 * HOUR;

/** The local times at which planned runs were met. */
export class MetTimes {
  /** The minutes since midnight, and since the midnight before Sunday. */
  readonly #ofDay = new Set<number>();
  readonly #ofWeek = new Set<number>();

  add(local: number): void {
    this.#ofDay.add(minuteOfDay(local));
    this.#ofWeek.add(minuteOfWeek(local));
  }

  /**
   * Whether a planned run was met at such a time, or both within an hour before and after it: where
   * runs at 08:00 and 08:30 were met, one at 08:15 was due, but not at 08:45. The next run is due
   * after `gap`.
   */
  has(at: number, local: number, gap: number): boolean {
    const isByWeekday = gap >= DAILY_MS || mayBeWeekend(at);
    const [met, minute, all] = isByWeekday
      ? [this.#ofWeek, minuteOfWeek(local), 7 * DAY / MINUTE]
      : [this.#ofDay, minuteOfDay(local), DAY / MINUTE];
    const isMetWithin = (direction: 1 | -1) => {
      for (let away = 0; away < HOUR / MINUTE; away++) {
        if (met.has((minute + direction * away + all) % all)) return true;
      }
      return false;
    };
    return isMetWithin(1) && isMetWithin(-1);
  }
}

function minuteOfDay(local: number): number {
  return Math.floor(local % DAY / MINUTE);
}

function minuteOfWeek(local: number): number {
  return weekdayOf(Math.floor(local / DAY)) * DAY / MINUTE + minuteOfDay(local);
}

/** Whether it is a weekend in some zone: days begin first at 14 hours from UTC, and last at -12. */
function mayBeWeekend(at: number): boolean {
  return [14 * HOUR, -12 * HOUR].some((offset) =>
    weekdayOf(Math.floor((at + offset) / DAY)) % 6 === 0
  );
}
