/** Lengths of time in milliseconds. A calendar day may have 23 or 25 hours; {@link DAY} has 24. */

export const SECOND: number = 1000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;
export const DAY: number = 24 * HOUR;
