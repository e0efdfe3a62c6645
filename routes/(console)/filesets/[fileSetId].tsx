import { FileSetFacts } from "../../../components/file_sets/file_set_facts.tsx";
import { PageTop } from "../../../components/page/page_top.tsx";
import { ProblemError } from "../../../server/http/problem.ts";
import { pageTrouble } from "../../_trouble.ts";
import { handler, page } from "./$[fileSetId].ts";

export const handlers = handler({
  async GET(ctx) {
    const id = ctx.params.fileSetId;
    try {
      // The interface has no operation for one file set: it is searched, and only that id counts.
      const { fileSets } = await ctx.state.backend.fileSets.search(
        { filters: [{ field: "id", operator: "EQUALS", value: [id] }] },
        { limit: 1, signal: ctx.req.signal },
      );
      const fileSet = fileSets.find((found) => found.id === id);
      if (!fileSet && fileSets.length > 0) {
        throw new ProblemError(
          502,
          "The service does not search by id, so it could not be looked up",
        );
      }
      if (!fileSet) throw new ProblemError(404, `No file set with the id ${id} was found`);
      return { data: { fileSet, trouble: null } };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: { fileSet: null, trouble }, ...answer };
    }
  },
});

export default page(({ data: { fileSet, trouble } }) => {
  const title = fileSet ? fileSet.name || fileSet.id : "File set";
  return (
    <>
      <PageTop
        title={title}
        path={
          <nav aria-label="Path" class="path">
            <a href="/filesets">File sets</a>
          </nav>
        }
        trouble={trouble}
      />
      {fileSet && <FileSetFacts fileSet={fileSet} />}
    </>
  );
});
