import { fileSetColumns } from "../../../lib/fields.ts";
import { walkFileSets } from "../../../lib/client/walks/lists.ts";
import { searchLimitIssues } from "../../../server/api/service_operations.ts";
import { DOWNLOAD_PAGE_LIMIT, downloadResponse, readDownload } from "../../_download.ts";
import { answerOrProblem } from "../../_errors.ts";
import { handler } from "./$export.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";
import { FILE_SETS } from "../../../components/file_sets/file_sets_view.ts";

export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { searchParams } = ctx.url;
      const { view, issues } = parsePageView(searchParams, FILE_SETS, {
        zone: ctx.state.preferences.zone,
        now: Date.now(),
      });
      const format = readDownload(searchParams, [...issues, ...searchLimitIssues(view.body)]);
      const rows = walkFileSets(ctx.state.downloadBackend, view.body, {
        limit: DOWNLOAD_PAGE_LIMIT,
        onDrift: "throw",
        signal: ctx.req.signal,
      });
      const columns = view.columns ?? fileSetColumns();
      return await downloadResponse(ctx, { subject: "file-sets", format, rows, columns });
    }),
});
