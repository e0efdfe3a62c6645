import { FileSetFacts } from "../../../components/file_sets/drawer/drawer.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { percentDecoded } from "../../../lib/format.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { loadPage } from "../../_errors.ts";
import { handler, page } from "./$[fileSetId].ts";

export const handlers = handler({
  GET: (ctx) =>
    loadPage(ctx, async () => {
      const id = percentDecoded(ctx.params.fileSetId) ?? "";
      // The interface can't get a single file set, so this searches for its id.
      const { fileSets } = await ctx.state.backend.fileSets.search(
        { filters: [{ field: "id", operator: "EQUALS", value: [id] }] },
        { limit: 1, signal: ctx.req.signal },
      );
      const fileSet = fileSets.find((found) => found.id === id);
      if (fileSet) return fileSet;
      throw fileSets.length === 0
        ? new ProblemError(404, `No file set has the id “${id}”`)
        : new ProblemError(502, "The service does not search by id, so it can't find a file set");
    }),
});

export default page(({ data: { shown, error }, req, state }) => (
  <>
    <PageHeader
      title={shown ? shown.name || shown.id : "File set"}
      trail={[[searchBefore(req, state.origin), "File sets"]]}
      error={error}
      actions={<a href={searchBefore(req, state.origin)}>Back to the search</a>}
    />
    {shown && <FileSetFacts fileSet={shown} />}
  </>
));

function searchBefore({ headers }: Request, origin: string): string {
  const referrer = URL.parse(headers.get("referer") ?? "");
  const isSearch = referrer?.pathname === "/filesets" && referrer.origin === origin;
  return isSearch ? referrer.pathname + referrer.search : "/filesets";
}
