/** What people set of a schedule: in a request, or in a row of a file. */
import type { ValidationIssue } from "../http/problem.ts";
import { textIssue } from "../http/shape.ts";
import type { WatchSettings } from "../store/records/watches.ts";
import { MAX_CHARACTERS } from "../store/text.ts";
import { readPlanFields, toPlanFields } from "./plan_fields.ts";

export interface ScheduleSettings {
  readonly name?: string | undefined;
  readonly owner?: string | undefined;
  /** Several expressions are separated by semicolons. */
  readonly cron?: string | undefined;
  readonly zone?: string | undefined;
  readonly graceMinutes?: number | undefined;
  /** Only every so many weeks, counted from the week of this day. */
  readonly weeks?: string | number | undefined;
  readonly weeksFrom?: string | undefined;
}

/**
 * Reads what people set of a schedule; the pointers of faults are such as `/cron`. A plan holds from now
 * on; stored after one with the same times, it holds since that one.
 */
export function readScheduleSettings(
  { name, owner, cron, ...times }: ScheduleSettings,
  now: number,
  faults: ValidationIssue[],
): Partial<WatchSettings> {
  const report = (member: string, detail: string) => faults.push({ pointer: `/${member}`, detail });
  for (const [member, text = ""] of Object.entries({ name, owner })) {
    const detail = textIssue(text, MAX_CHARACTERS.name);
    if (detail) report(member, detail);
  }
  const settings = {
    ...name !== undefined && { name: name.trim() },
    ...owner !== undefined && { owner: owner.trim() },
  };
  if (cron === undefined) {
    for (const [member, value] of Object.entries(times)) {
      if (value !== undefined) report(member, "needs cron");
    }
    return settings;
  }
  const { zone = "UTC", graceMinutes, weeks, weeksFrom } = times;
  const read = readPlanFields({
    ...toPlanFields(null, [], zone),
    cron: cron.replaceAll(";", "\n"),
    ...graceMinutes !== undefined && { grace: String(graceMinutes) },
    ...weeks !== undefined && { weeks: String(weeks) },
    ...weeksFrom !== undefined && { weeksFrom },
  }, now);
  if (!read.issues) return { ...settings, plan: { ...read.plan, confirmed: now } };
  for (const [field, detail] of Object.entries(read.issues)) {
    report(field === "grace" ? "graceMinutes" : field, detail);
  }
  return settings;
}
