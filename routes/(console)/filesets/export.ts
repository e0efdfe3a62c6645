import { fileSetColumns } from "../../../lib/fields.ts";
import { walkFileSets } from "../../../lib/client/walks/lists.ts";
import { DOWNLOAD_PAGE_LIMIT, downloadResponse, readFormat } from "../../_download.ts";
import { answerOrProblem } from "../../_errors.ts";
import { parseLink } from "./_read_search.ts";
import { handler } from "./$export.ts";

export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { view, issues } = parseLink(ctx);
      const format = readFormat(ctx.url.searchParams, issues);
      const rows = walkFileSets(ctx.state.downloadBackend, view.body, {
        limit: DOWNLOAD_PAGE_LIMIT,
        onDrift: "throw",
        signal: ctx.req.signal,
      });
      const columns = view.columns ?? fileSetColumns();
      return await downloadResponse(ctx, { subject: "file-sets", format, rows, columns });
    }),
});
