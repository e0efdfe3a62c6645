/** Lengths of time, as people write them. */

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a text such as 90s, 20m, 2h or 1d; null where it is none. */
export function readDuration(text: string): number | null {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * UNITS[unit];
  return ms > 0 ? ms : null;
}
