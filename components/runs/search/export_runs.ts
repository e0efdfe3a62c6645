import { runColumns } from "../../../lib/fields.ts";
import { maskRecipient } from "../../../lib/runs/recipients.ts";
import { runFilter } from "../../../lib/runs/filter.ts";
import { durationOf, withZone } from "../../../lib/runs/times.ts";
import { createClient } from "../../../lib/client/client.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { EXPORT_PAGE_LIMIT, type ExportFormat, exportRows } from "../../export/export_rows.ts";
import type { ExportOutcome, ExportTools } from "../../export/use_export.tsx";
import { runsHref, type RunView } from "../run_links.tsx";
import { parseRunView } from "./run_view.ts";
import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { historyRequest } from "../../../lib/client/transport/request.ts";
import { type Code, type CodeTarget, writeCode } from "../../export/code.ts";

export function runExportColumns({ columns }: RunView): readonly string[] {
  return columns ? ["startTime", ...columns.filter((name) => name !== "startTime")] : runColumns();
}

/** Returns a run as an export writes it, with masked addresses, or null to leave it out. */
export function runSelection({ body, columns }: RunView, serviceZone: string) {
  const matches = runFilter(body);
  const hasDuration = columns?.includes("duration");
  return (run: ReportRun) => {
    const known = withZone(run, serviceZone);
    if (!matches(known)) return null;
    const ms = hasDuration ? durationOf(known) : undefined;
    return {
      ...run,
      ...(ms === undefined ? {} : { duration: ms / 1000 }),
      ...(run.recipients ? { recipients: run.recipients.map(maskRecipient) } : {}),
    };
  };
}

export const runExportSubject = (scheduleId: number) => `schedule-${scheduleId}-runs`;

export interface ExportedRuns {
  readonly scheduleId: number;
  readonly serviceZone: string;
  readonly zone: string;
}

export function exportRuns(
  { scheduleId, serviceZone, zone }: ExportedRuns,
  href: string,
  tools: ExportTools,
): Promise<ExportOutcome> {
  const { searchParams } = new URL(href);
  const { view } = parseRunView(searchParams, { zone, now: Date.now() });
  // The server retries; retrying here too would multiply the attempts.
  const client = createClient({ baseUrl: location.origin, token: null, attempts: 1 });
  const search = client.reportSchedules.history(scheduleId, {
    limit: EXPORT_PAGE_LIMIT,
    signal: tools.signal,
  });
  return exportRows(
    {
      subject: runExportSubject(scheduleId),
      search,
      columns: runExportColumns(view),
      select: runSelection(view, serviceZone),
    },
    searchParams.get("format") as ExportFormat,
    tools,
  );
}

/** The script reads all runs and filters them itself, since the service can't. */
export function runCode(scheduleId: number, view: RunView, target: CodeTarget): Code {
  const { body, limit = DEFAULT_LIMIT, skip = 0 } = view;
  const history = `client.reportSchedules.history(${scheduleId})`;
  const print = "  console.log(run.id, run.startTime, run.status);\n}";
  const isSearch = Object.keys(body).length > 0;
  return writeCode(target, {
    href: runsHref(scheduleId, view),
    request: historyRequest(target.origin, scheduleId, { limit, skip }),
    loop: isSearch
      ? `const runs = await Array.fromAsync(${history});\n` +
        `for (const run of searchRuns(runs, ${JSON.stringify(body, null, 2)})) {\n${print}`
      : `for await (const run of ${history}) {\n${print}`,
    imports: isSearch ? ["searchRuns"] : [],
  });
}
