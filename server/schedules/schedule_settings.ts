/** What people set of a schedule: in a request, or in a row of a file. */
import type { ValidationIssue } from "../http/problem.ts";
import { textIssue } from "../http/shape.ts";
import type { ConfirmedPlan, WatchSettings } from "../store/records/watches.ts";
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

/** Reads what people set of a schedule; the pointers of faults are such as `/cron`. */
export function readScheduleSettings(
  { name, owner, ...plan }: ScheduleSettings,
  now: number,
  faults: ValidationIssue[],
): Partial<WatchSettings> {
  for (const [member, text = ""] of Object.entries({ name, owner })) {
    const detail = textIssue(text, MAX_CHARACTERS.name);
    if (detail) faults.push({ pointer: `/${member}`, detail });
  }
  return {
    ...name !== undefined && { name: name.trim() },
    ...owner !== undefined && { owner: owner.trim() },
    ...readConfirmedPlan(plan, now, faults),
  };
}

/** A plan that holds from now on; stored after one with the same times, it holds since that one. */
function readConfirmedPlan(
  { cron, zone, graceMinutes, weeks, weeksFrom }: ScheduleSettings,
  now: number,
  faults: ValidationIssue[],
): { readonly plan?: ConfirmedPlan } {
  if (cron === undefined) {
    for (const [member, value] of Object.entries({ zone, graceMinutes, weeks, weeksFrom })) {
      if (value !== undefined) faults.push({ pointer: `/${member}`, detail: "needs cron" });
    }
    return {};
  }
  const read = readPlanFields({
    ...toPlanFields(null, [], zone ?? "UTC"),
    cron: cron.replaceAll(";", "\n"),
    ...graceMinutes !== undefined && { grace: String(graceMinutes) },
    ...weeks !== undefined && { weeks: String(weeks) },
    ...weeksFrom !== undefined && { weeksFrom },
  }, now);
  if (!read.issues) return { plan: { ...read.plan, confirmed: now } };
  for (const [field, detail] of Object.entries(read.issues)) {
    faults.push({ pointer: `/${field === "grace" ? "graceMinutes" : field}`, detail });
  }
  return {};
}
