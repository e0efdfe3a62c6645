/** Converts plans and pauses to the fields of a form, and back. */
import { DAY, MINUTE } from "../../lib/time_units.ts";
import { formatCount, timeText, wholeNumber } from "../../lib/format.ts";
import { addDays, dayIn, startOfDay } from "../../lib/days.ts";
import { readCron } from "../../lib/judgement/plans/cron.ts";
import { type Plan, readPlan, saySameTimes, slotsPerDay } from "../../lib/judgement/plans/plan.ts";
import { firstSlot } from "../../lib/judgement/plans/slot_times.ts";
import type { Pause } from "../../lib/judgement/slots.ts";
import { isZone } from "../config/setting_values.ts";
import { createHash } from "node:crypto";
import { describePlan } from "../../lib/judgement/plans/describe.ts";
import type { KnownSchedule, WatchSettings } from "../store/records/watches.ts";

export const PLAN_FIELDS = [
  "cron",
  "zone",
  "grace",
  "weeks",
  "weeksFrom",
  "pauses",
] as const;

export type PlanFields = Readonly<Record<typeof PLAN_FIELDS[number], string>>;

type PlanIssues = Partial<PlanFields>;

type ReadFields =
  | { readonly plan: Plan; readonly pauses: readonly Pause[]; readonly issues: null }
  | { readonly issues: PlanIssues };

const MAX_LINES = 20;
const MAX_CHARACTERS = 200;
const MAX_PER_DAY = 24 * 60;
const MAX_GRACE_MINUTES = 31 * 24 * 60;
/** The next 29 February may be eight years away. */
const MAX_AHEAD = 9 * 366 * DAY;
const MAX_PAUSES = 100;
const MAX_WEEKS = 52;
const DEFAULT_GRACE_MS = 10 * MINUTE;

/** The fields of a plan; without a plan, the initial values. */
export function toPlanFields(
  plan: Plan | null,
  pauses: readonly Pause[],
  zone: string,
): PlanFields {
  const planZone = plan?.zone ?? zone;
  return {
    cron: plan?.cron.join("\n") ?? "",
    zone: planZone,
    grace: String(Math.max(1, Math.round((plan?.graceMs ?? DEFAULT_GRACE_MS) / MINUTE))),
    weeks: String(plan?.everyWeeks?.n ?? 1),
    weeksFrom: plan?.everyWeeks?.from ?? "",
    pauses: pauses.map((pause) => pauseText(pause, planZone)).join("\n"),
  };
}

export function planFieldsIn(params: URLSearchParams): PlanFields {
  const readText = (name: string) => (params.get(name) ?? "").replaceAll("\r\n", "\n");
  return Object.fromEntries(PLAN_FIELDS.map((name) => [name, readText(name)])) as PlanFields;
}

/** A plan with other times than the one before holds from now. */
export function readPlanFields(
  fields: PlanFields,
  now: number,
  before: Plan | null = null,
): ReadFields {
  const issues: { -readonly [Name in keyof PlanFields]?: string } = {};
  const cron = splitLines(fields.cron);
  const lines = cronLinesIssue(cron);
  if (lines) issues.cron = lines;
  const zone = fields.zone.trim();
  // Intl also accepts offsets such as +01:00, but they have no clock changes.
  if (!/^[A-Za-z]/.test(zone) || !isZone(zone)) {
    issues.zone = "must be the name of a time zone, such as Europe/Berlin or UTC";
  }
  const grace = wholeNumberUpTo(fields.grace, MAX_GRACE_MINUTES);
  if (grace === null) {
    issues.grace = `must be a whole number of minutes from 1 to ${MAX_GRACE_MINUTES}`;
  }
  const weeks = wholeNumberUpTo(fields.weeks || "1", MAX_WEEKS);
  if (weeks === null) issues.weeks = `must be a whole number from 1 to ${MAX_WEEKS}`;
  if (weeks !== 1 && startOfDay(fields.weeksFrom, "UTC") === undefined) {
    issues.weeksFrom = "must be a day of a week with runs, such as 2026-01-05";
  }
  const pauses = readPauses(fields.pauses, issues.zone ? "UTC" : zone);
  if (typeof pauses === "string") issues.pauses = pauses;
  if (Object.keys(issues).length > 0 || typeof pauses === "string") return { issues };
  const times = {
    cron,
    zone,
    ...(weeks! > 1 ? { everyWeeks: { n: weeks!, from: fields.weeksFrom } } : {}),
  };
  const plan: Plan = {
    ...times,
    graceMs: grace! * MINUTE,
    since: before && saySameTimes(before, times) ? before.since : now,
  };
  const excess = planExcess(plan, now);
  return excess ? { issues: excess } : { plan, pauses, issues: null };
}

function cronLinesIssue(lines: readonly string[]): string | null {
  if (lines.length === 0) return "must have at least one line, such as 0 6 * * 1-5";
  if (lines.length > MAX_LINES) return `must have at most ${MAX_LINES} lines`;
  const issues = lines.flatMap((line) => {
    const start = `"${line.slice(0, 100)}"`;
    if (line.length > MAX_CHARACTERS) {
      return `${start}: must have at most ${MAX_CHARACTERS} characters`;
    }
    try {
      readCron(line);
      return [];
    } catch (error) {
      return [`${start}: ${(error as Error).message}`];
    }
  });
  return issues.join("; ") || null;
}

/** What is wrong with a plan that is due too often, or never; null if it can be judged and shown. */
function planExcess(plan: Plan, now: number): PlanIssues | null {
  const read = readPlan(plan);
  const perDay = slotsPerDay(read);
  if (perDay > MAX_PER_DAY) {
    const cron = `must not be due more than ${formatCount(MAX_PER_DAY)} times a day, ` +
      `not ${formatCount(perDay)}: remove lines, or minutes from them`;
    return { cron };
  }
  const isNever = firstSlot(read, now, now + MAX_AHEAD) === null;
  return isNever ? { cron: "is never due: there is no such day" } : null;
}

function splitLines(text: string): string[] {
  return text.split("\n").map((line) => line.trim().replace(/\s+/g, " ")).filter((line) => line);
}

function wholeNumberUpTo(text: string, max: number): number | null {
  const number = wholeNumber(text.trim()) ?? 0;
  return number >= 1 && number <= max ? number : null;
}

function readPauses(text: string, zone: string): Pause[] | string {
  const lines = splitLines(text);
  if (lines.length > MAX_PAUSES) return `must have at most ${MAX_PAUSES} lines`;
  const pauses: Pause[] = [];
  for (const line of lines) {
    const [, first, isSpan, last] = /^(\S+)( to ?(\S*))?$/.exec(line) ?? [];
    const from = parseMoment(first ?? "", zone);
    const to = last ? parseMoment(last, zone) : isSpan ? null : from;
    if (from === undefined || to === undefined) {
      return `"${line.slice(0, 100)}" must be a day such as 2026-12-24, or two with "to" between`;
    }
    if (to && to.end <= from.start) return `"${line}" ends before it begins`;
    pauses.push({ from: from.start, to: to === null ? null : to.end });
  }
  return pauses;
}

/** The start and the end of a day; both are the same for a date-time. */
function parseMoment(
  text: string,
  zone: string,
): { readonly start: number; readonly end: number } | undefined {
  const start = startOfDay(text, zone);
  const end = start === undefined ? undefined : startOfDay(addDays(text, 1), zone);
  if (start !== undefined && end !== undefined) return { start, end };
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : { start: time, end: time };
}

function pauseText({ from, to }: Pause, zone: string): string {
  const dayAt = dayIn(zone);
  const isStart = (at: number) => startOfDay(dayAt(at), zone) === at;
  const first = isStart(from) ? dayAt(from) : timeText(from);
  if (to === null) return `${first} to`;
  const last = isStart(to) ? addDays(dayAt(to), -1) : timeText(to);
  return first === last ? first : `${first} to ${last}`;
}

/** Shows whether somebody else changed the plan meanwhile. */
export function planVersion({ plans, pauses }: Pick<KnownSchedule, "plans" | "pauses">): string {
  return createHash("sha256").update(JSON.stringify([plans, pauses])).digest("hex").slice(0, 16);
}

/** What a form sends to confirm an inferred plan as it is; null if there is none, or a saved one. */
export function confirmFields(
  plan: Plan | null | undefined,
  { plans, pauses }: Pick<KnownSchedule, "plans" | "pauses">,
  zone: string,
): Readonly<Record<string, string>> | null {
  if (!plan || plans.length > 0) return null;
  return { ...toPlanFields(plan, pauses, zone), seen: planVersion({ plans, pauses }) };
}

/** A summary such as `daily at 06:00, UTC; grace 20 min; days without runs: 2026-12-24`. */
export function planSummary({ plan, pauses }: Pick<WatchSettings, "plan" | "pauses">): string {
  const fields = toPlanFields(plan, pauses, "UTC");
  const days = fields.pauses.replaceAll("\n", ", ");
  return [
    ...(plan ? [describePlan(plan), `grace ${fields.grace} min`] : ["the inferred plan"]),
    ...(days ? [`days without runs: ${days}`] : []),
  ].join("; ");
}
