/** Durations and sizes with units, as queries and forms have them. */

/** The units of each kind, with what one of them is; the first of several is written. */
const UNITS: Readonly<Record<UnitKind, Readonly<Record<string, number>>>> = {
  seconds: { h: 3600, m: 60, min: 60, s: 1 },
  bytes: { GB: 1e9, MB: 1e6, KB: 1e3, B: 1, bytes: 1 },
};

export type UnitKind = "seconds" | "bytes";

/** A number of seconds or bytes from a text such as `2 min` or `1.5MB`; undefined for other texts. */
export function readUnits(text: string, kind: UnitKind): string | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const factor = unit === "" ? 1 : Object.entries<number>(UNITS[kind])
    .find(([name]) => name.toLowerCase() === unit.toLowerCase())?.[1];
  if (factor === undefined) return undefined;
  const value = Number(number) * factor;
  return String(kind === "bytes" ? Math.round(value) : value);
}

/** Writes seconds or bytes in the largest unit that is exact, such as `5m`. */
export function writeUnits(text: string, kind: UnitKind): string {
  const value = Number(text);
  const exact = Object.entries<number>(UNITS[kind])
    .filter(([, factor]) => value >= factor)
    .map(([unit, factor]) => `${value / factor}${unit}`)
    .find((written) => written.length <= 6 && readUnits(written, kind) === text);
  return exact ?? text;
}
