/** Reads plans from texts: options of a command line, or fields of a form. */
import { DAY, HOUR, MINUTE, SECOND } from "../../time_units.ts";
import { type Plan, readPlan } from "./plan.ts";
import { clockOf } from "../../zone_clock.ts";

export interface PlanText {
  /** Cron expressions of five fields, separated by semicolons. */
  readonly cron: string;
  /** IANA name of the zone of the expressions. Default: UTC. */
  readonly zone?: string;
  /** How late a run may start, such as `20m`. Default: ten minutes. */
  readonly grace?: string;
}

const DEFAULT_GRACE_MS = 10 * MINUTE;

/**
 * Reads a plan from texts.
 *
 * @param since Since when it holds, in milliseconds since 1970.
 * @throws {RangeError} If a part is not valid; the message begins with the name of the part.
 *
 * @example
 * ```ts
 * import { parsePlan } from "./parse.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const plan = parsePlan({ cron: "0 6 * * 1-5", zone: "Europe/Berlin", grace: "20m" }, 0);
 * assertEquals([plan.cron, plan.graceMs], [["0 6 * * 1-5"], 1_200_000]);
 * ```
 */
export function parsePlan({ cron, zone = "UTC", grace }: PlanText, since: number): Plan {
  const plan = {
    cron: cron.split(";").map((expression) => expression.trim()),
    zone: checkZone("zone", zone),
    graceMs: grace === undefined ? DEFAULT_GRACE_MS : readGrace(grace),
    since,
  };
  readPlan(plan);
  return plan;
}

/** Returns the zone; throws a RangeError that begins with `name` if it is unknown. */
export function checkZone(name: string, zone: string): string {
  try {
    clockOf(zone);
    return zone;
  } catch {
    throw new RangeError(
      `${name} must be the IANA name of a time zone, such as Europe/Berlin, not "${zone}"`,
    );
  }
}

function readGrace(text: string): number {
  const ms = readDuration(text);
  if (ms !== undefined) return ms;
  throw new RangeError(`grace must be a time such as 90s, 20m, 2h or 1d, not "${text}"`);
}

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** Reads a duration such as 90s, 20m, 2h or 1d; milliseconds, or undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * UNITS[unit];
  return ms > 0 ? ms : undefined;
}
