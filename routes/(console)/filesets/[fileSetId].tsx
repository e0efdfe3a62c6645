import { FileSetFacts } from "../../../components/file_sets/found_file_sets.tsx";
import { CopyButton } from "../../../components/ui/copy_button.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { percentDecoded } from "../../../lib/format.ts";
import { loadFileSet } from "../../../server/pages/file_set_search.ts";
import { loadPage } from "../../_errors.ts";
import { handler, page } from "./$[fileSetId].ts";

export const handlers = handler({
  GET: (ctx) =>
    loadPage(ctx, () => {
      const id = percentDecoded(ctx.params.fileSetId) ?? "";
      return loadFileSet(ctx.state.backend, id, ctx.req.signal);
    }),
});

export default page(({ data: { shown, error }, req, state }) => (
  <>
    <PageHeader
      title={shown ? shown.name || shown.id : "File set"}
      trail={[[searchBefore(req, state.origin), "File sets"]]}
      beside={shown && <CopyButton text={shown.id} label="Copy id" />}
      error={error}
    />
    {shown && (
      <FileSetFacts fileSet={shown} first={["owner", "permission", "fileCount", "updated"]} />
    )}
  </>
));

function searchBefore({ headers }: Request, origin: string): string {
  const referrer = headers.get("referer") ?? "";
  return referrer.startsWith(`${origin}/filesets?`) ? referrer.slice(origin.length) : "/filesets";
}
