/**
 * Filters runs that were fetched already, the same on the server and in the browser.
 *
 * @module
 */

import type { ReportRun } from "./types.ts";

/** Which runs to keep. What is missing or empty keeps all. */
export interface RunFilter {
  /** Statuses to keep, as the service writes them. */
  readonly status?: readonly string[];
  /** Runs that the schedule started, or those that a person did. */
  readonly trigger?: RunTrigger;
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
): readonly Run[] {
  const { status = [], trigger, text = "" } = filter;
  const wanted = text.trim().toLowerCase();
  return runs.filter((run) =>
    (status.length === 0 || status.includes(run.status ?? "")) &&
    (trigger === undefined || run.automated === (trigger === "automated")) &&
    (wanted === "" || textOf(run).includes(wanted))
  );
}

/** Everything of a run that is searched by text. */
function textOf(run: ReportRun): string {
  return [run.reportTitle, run.reportSubject, run.resourceName, run.status]
    .filter(Boolean).join("\n").toLowerCase();
}

/**
 * Reads a filter from query parameters: `status` (repeatable), `trigger` and `text`. What can't be
 * used keeps all runs.
 *
 * @param params The query parameters.
 * @returns The filter.
 */
export function parseRunFilter(params: URLSearchParams): RunFilter {
  const status = [...new Set(params.getAll("status").filter((name) => name !== ""))];
  const trigger = params.get("trigger");
  const text = params.get("text")?.trim() ?? "";
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(trigger === "automated" || trigger === "manual" ? { trigger } : {}),
    ...(text ? { text } : {}),
  };
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
  if (filter.trigger) params.set("trigger", filter.trigger);
  if (filter.text?.trim()) params.set("text", filter.text.trim());
  return params;
}
