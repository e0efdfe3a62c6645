/**
 * Sample times are relative to a reference day and shifted in whole days, so that the newest is of
 * yesterday or today whenever the sample is made.
 */

export const DAY = 86_400_000;

export const MINUTE = 60_000;

/** The newest day of the sample before it is shifted: a Wednesday, in UTC. */
export const NEWEST_DAY = Date.UTC(2025, 11, 31);

/** How far to shift every time so that the newest day is the day before `now`. */
export function shiftFor(now: Date): number {
  return Math.floor(now.getTime() / DAY) * DAY - DAY - NEWEST_DAY;
}
