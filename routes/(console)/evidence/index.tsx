import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_TRAIL } from "../../../components/runs/schedule_header.tsx";
import { timeText } from "../../../lib/format.ts";
import { loadEvidence, readSchedulesQuestion } from "../../../server/pages/evidence.ts";
import { DOWNLOAD_PAGE_LIMIT, primedRows } from "../../_download.ts";
import { answerOrProblem, loadPage } from "../../_errors.ts";
import { readLink } from "../filesets/_read_search.ts";
import { handler, page } from "./$index.ts";

/**
 * Streams a pack of signed evidence while it is made: of a search for file sets, or with `schedules`, of their runs
 * or of who received them on the day `on`. Browsers see errors as a page.
 */
export const handlers = handler({
  async GET(ctx) {
    const pack = async () => {
      const { searchParams } = ctx.url;
      const now = Date.now();
      const { zone } = ctx.state.preferences;
      const question = readSchedulesQuestion(searchParams, { zone, now }) ??
        { body: readLink(ctx).body };
      const bytes = await loadEvidence(ctx.state, question, {
        masked: searchParams.get("addresses") !== "shown",
        limit: DOWNLOAD_PAGE_LIMIT,
        signal: ctx.req.signal,
      });
      const pieces = await primedRows(ctx, bytes);
      const name = `evidence-${timeText(now).slice(0, 10)}.zip`;
      return new Response(ReadableStream.from(pieces), {
        headers: {
          "content-type": "application/zip",
          "content-disposition": `attachment; filename="${name}"`,
        },
      });
    };
    if (!ctx.req.headers.get("accept")?.includes("text/html")) return answerOrProblem(ctx, pack);
    const { data: { shown, error }, ...answer } = await loadPage(ctx, pack);
    return shown ?? { data: { error }, ...answer };
  },
});

export default page(({ data: { error }, url: { search, searchParams } }) => {
  const [trail, next] = searchParams.has("schedules")
    ? [SCHEDULES_TRAIL, <a key="next" href="/people">Choose people and a day</a>]
    : [
      [["/filesets", "File sets"]] as const,
      <a key="next" href={`/filesets${search}`}>Change the search</a>,
    ];
  return <PageHeader title="Signed evidence" {...{ error, trail, next }} />;
});
