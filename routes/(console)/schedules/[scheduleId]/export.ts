import {
  runExportColumns,
  runExportSubject,
  runSelection,
} from "../../../../components/runs/search/export_runs.ts";
import { parseRunView } from "../../../../components/runs/search/run_view.ts";
import { walkHistory } from "../../../../lib/client/walks/lists.ts";
import { searchLimitIssues } from "../../../../server/api/service_operations.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { loadStoredFile } from "../../../../server/pages/schedule.ts";
import { LOAD } from "../../../../lib/runs/load_runs.ts";
import { downloadResponse, readFormat } from "../../../_download.ts";
import { answerOrProblem } from "../../../_errors.ts";
import { handler } from "./$export.ts";

export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { searchParams } = ctx.url;
      const scheduleId = requireScheduleId(ctx.params);
      const { zone } = ctx.state.preferences;
      const { view, issues } = parseRunView(searchParams, { zone, now: Date.now() });
      const { serviceZone } = ctx.state.services.settings;
      const format = readFormat(searchParams, [...issues, ...searchLimitIssues(view.body)]);
      const stored = await loadStoredFile(ctx.state, scheduleId);
      const rows = stored?.runs ?? walkHistory(ctx.state.downloadBackend, scheduleId, {
        limit: LOAD.limit,
        onDrift: "throw",
        signal: ctx.req.signal,
      });
      return await downloadResponse(ctx, {
        subject: runExportSubject(scheduleId),
        format,
        stored,
        rows: selected(rows, runSelection(view, serviceZone)),
        columns: runExportColumns(view),
      });
    }),
});

async function* selected<Row, Result>(
  rows: AsyncIterable<Row>,
  select: (row: Row) => Result | null,
): AsyncGenerator<Result> {
  for await (const row of rows) {
    const result = select(row);
    if (result) yield result;
  }
}
