import {
  EXPORT_FORMATS,
  exportFileName,
  isExportFormat,
} from "../../../components/file_sets/export_formats.ts";
import { exportStream } from "../../../components/file_sets/export_stream.ts";
import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { walkFileSets } from "../../../lib/walks.ts";
import { searchLimitIssues } from "../../../server/api/search_limits.ts";
import { primedRows } from "../../../server/backend/primed_rows.ts";
import { logInterruptedDownload } from "../../../server/log/log_problem.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { problemAnswer } from "../../_trouble.ts";
import { handler } from "./$export.ts";

/** Rows of one call: a service that allows fewer answers with fewer. */
const PAGE_LIMIT = 1000;

/**
 * Everything that a search matches, as a file. The first page is waited for, so that a search that
 * can't be answered is refused; a fault or drift after it cuts the download off, because a file that
 * lacks rows must not look whole.
 */
export const handlers = handler({
  async GET(ctx) {
    const { downloadBackend, log } = ctx.state;
    try {
      const { view, faults: unreadable } = parseFileSetsView(ctx.url.searchParams);
      const faults = [...unreadable, ...searchLimitIssues(view.body)];
      const format = ctx.url.searchParams.get("format");
      if (!isExportFormat(format)) {
        const detail = `must be one of ${Object.keys(EXPORT_FORMATS).join(", ")}`;
        throw new ProblemError(400, `format ${detail}`, {
          errors: [...faults, { parameter: "format", detail }],
        });
      }
      if (faults.length > 0) {
        throw new ProblemError(400, "This link can't be read", { errors: faults });
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
      return problemAnswer(error, ctx.req, ctx.state);
    }
  },
});
