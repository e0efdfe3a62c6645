import {
  EXPORT_FORMATS,
  exportFileName,
  isExportFormat,
} from "../../../components/file_sets/export/export_formats.ts";
import { exportStream } from "../../../components/file_sets/export/export_stream.ts";
import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { walkFileSets } from "../../../lib/walks.ts";
import { primedRows } from "../../../server/backend/primed_rows.ts";
import { logInterruptedDownload } from "../../../server/log/log_problem.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { searchLimitIssues } from "../../../server/api/search_limits.ts";
import { problemAnswer } from "../../_errors.ts";
import { handler } from "./$export.ts";

/** Rows per request. A service may return fewer. */
const PAGE_LIMIT = 1000;

/**
 * Downloads all matching file sets. Errors on the first page are reported as such. A later error, or
 * rows that change meanwhile, aborts the download, so that an incomplete file does not look complete.
 */
export const handlers = handler({
  async GET(ctx) {
    const { downloadBackend, log } = ctx.state;
    try {
      const { view, issues: linkIssues } = parseFileSetsView(ctx.url.searchParams, {
        zone: ctx.state.preferences.zone,
        now: Date.now(),
      });
      const issues = [...linkIssues, ...searchLimitIssues(view.body)];
      const format = ctx.url.searchParams.get("format");
      if (!isExportFormat(format)) {
        const detail = `must be one of ${Object.keys(EXPORT_FORMATS).join(", ")}`;
        throw new ProblemError(400, `format ${detail}`, {
          errors: [...issues, { parameter: "format", detail }],
        });
      }
      if (issues.length > 0) {
        throw new ProblemError(400, "This link is not valid", { errors: issues });
      }
      const walk = walkFileSets(downloadBackend, view.body, {
        limit: PAGE_LIMIT,
        onDrift: "throw",
        signal: ctx.req.signal,
      });
      const rows = await primedRows(walk, (error) => {
        logInterruptedDownload(log, error, ctx.req.signal);
      });
      return new Response(exportStream(format, rows, view.columns), {
        headers: {
          "content-type": EXPORT_FORMATS[format].type,
          "content-disposition": `attachment; filename="${
            exportFileName(format, new Date(), true)
          }"`,
        },
      });
    } catch (error) {
      return problemAnswer(error, ctx);
    }
  },
});
