/**
 * Filters runs that were fetched already, the same on the server and in the browser.
 *
 * @module
 */

import type { ReportRun } from "../types.ts";
import { addDays, startOfDay } from "./days.ts";
import { durationOf, timeOf } from "./times.ts";

/**
 * Which runs to keep. What is missing or empty keeps all; a run that does not say what is asked for
 * is not kept.
 */
export interface RunFilter {
  /** Statuses to keep, as the service writes them. */
  readonly status?: readonly string[];
  /** Runs that the schedule started, or those that a person did. */
  readonly trigger?: RunTrigger;
  /** The first day to keep, such as `2026-11-01`. */
  readonly from?: string;
  /** The last day to keep. */
  readonly through?: string;
  /** The shortest duration to keep, in seconds. */
  readonly minSeconds?: number;
  /** The longest duration to keep, in seconds. */
  readonly maxSeconds?: number;
  /** Runs that have attachments, or those that have none. */
  readonly attachments?: "with" | "without";
  /** User id of someone whom the run lists as a recipient. */
  readonly recipient?: number;
  /** Text that the title, the subject, the resource's name or the status contains, in any case. */
  readonly text?: string;
}

/** What started a run. */
export type RunTrigger = "automated" | "manual";

/**
 * The runs that pass a filter, in their order.
 *
 * @param runs The runs.
 * @param filter Which to keep.
 * @param zone IANA name of the zone that days are days of. Default: UTC.
 * @returns The runs that pass.
 *
 * @example
 * ```ts
 * import { filterRuns } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const runs = [{ id: 1, status: "success" }, { id: 2, status: "failure" }];
 * assertEquals(filterRuns(runs, { status: ["failure"] }), [{ id: 2, status: "failure" }]);
 * ```
 */
export function filterRuns<Run extends ReportRun>(
  runs: readonly Run[],
  filter: RunFilter,
  zone = "UTC",
): readonly Run[] {
  const conditions = conditionsOf(filter, zone);
  return runs.filter((run) => conditions.every((holds) => holds(run)));
}

type Condition = (run: ReportRun) => boolean;

function conditionsOf(filter: RunFilter, zone: string): Condition[] {
  const { status = [], trigger, minSeconds, maxSeconds, attachments, recipient } = filter;
  const conditions: Condition[] = [];
  if (status.length > 0) conditions.push((run) => status.includes(run.status ?? ""));
  if (trigger) conditions.push(({ automated }) => automated === (trigger === "automated"));
  if (filter.from || filter.through) conditions.push(isWithin(filter, zone));
  if (minSeconds !== undefined) {
    conditions.push((run) => (durationOf(run) ?? -Infinity) >= minSeconds * 1000);
  }
  if (maxSeconds !== undefined) {
    conditions.push((run) => (durationOf(run) ?? Infinity) <= maxSeconds * 1000);
  }
  if (attachments) {
    conditions.push(({ attachmentCount: count }) =>
      typeof count === "number" && (count > 0) === (attachments === "with")
    );
  }
  if (recipient !== undefined) {
    conditions.push(({ recipients }) =>
      recipients?.some(({ userId }) => userId === recipient) ?? false
    );
  }
  const text = filter.text?.trim().toLowerCase();
  if (text) conditions.push(containing(text));
  return conditions;
}

function isWithin({ from, through }: RunFilter, zone: string): Condition {
  const start = from ? startOfDay(from, zone) ?? -Infinity : -Infinity;
  const end = through ? startOfDay(addDays(through, 1), zone) ?? Infinity : Infinity;
  return ({ startTime }) => {
    const time = timeOf(startTime);
    return time !== undefined && time >= start && time < end;
  };
}

function containing(text: string): Condition {
  // The runs of a schedule nearly all have the same few texts: each is looked at once.
  const known = new Map<string, boolean>();
  const contains = (value: string | null | undefined): boolean => {
    if (!value) return false;
    let found = known.get(value);
    if (found === undefined) {
      found = value.toLowerCase().includes(text);
      known.set(value, found);
    }
    return found;
  };
  return (run) =>
    contains(run.reportTitle) || contains(run.reportSubject) || contains(run.resourceName) ||
    contains(run.status);
}

/**
 * Reads a filter from query parameters: `status` (repeatable), `trigger`, `from`, `through`,
 * `min-seconds`, `max-seconds`, `attachments`, `recipient` and `text`. What can't be used keeps all
 * runs.
 *
 * @param params The query parameters.
 * @returns The filter.
 */
export function parseRunFilter(params: URLSearchParams): RunFilter {
  const status = [...new Set(params.getAll("status").filter((name) => name !== ""))];
  const trigger = params.get("trigger");
  const attachments = params.get("attachments");
  const recipient = numberIn(params, "recipient");
  const text = params.get("text")?.trim() ?? "";
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(trigger === "automated" || trigger === "manual" ? { trigger } : {}),
    ...dayFilter(params, "from"),
    ...dayFilter(params, "through"),
    ...defined("minSeconds", numberIn(params, "min-seconds")),
    ...defined("maxSeconds", numberIn(params, "max-seconds")),
    ...(attachments === "with" || attachments === "without" ? { attachments } : {}),
    ...(Number.isSafeInteger(recipient) ? { recipient } : {}),
    ...(text ? { text } : {}),
  };
}

function dayFilter(params: URLSearchParams, name: "from" | "through"): RunFilter {
  const day = params.get(name)?.trim() ?? "";
  return startOfDay(day, "UTC") === undefined ? {} : { [name]: day };
}

/** A number of zero or more. */
function numberIn(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name)?.trim() ?? "";
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function defined(name: keyof RunFilter, value: number | undefined): RunFilter {
  return value === undefined ? {} : { [name]: value };
}

/**
 * Writes a filter as query parameters, as {@linkcode parseRunFilter} reads it.
 *
 * @param filter The filter.
 * @returns The query parameters, always in the same order.
 */
export function formatRunFilter(filter: RunFilter): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of filter.status ?? []) params.append("status", name);
  const others = {
    "trigger": filter.trigger,
    "from": filter.from,
    "through": filter.through,
    "min-seconds": filter.minSeconds,
    "max-seconds": filter.maxSeconds,
    "attachments": filter.attachments,
    "recipient": filter.recipient,
    "text": filter.text?.trim() || undefined,
  };
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params;
}
