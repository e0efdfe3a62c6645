import { Head } from "fresh/runtime";
import { formatCount } from "../../../components/format.ts";
import { LoneMoment, Missing } from "../../../components/moment.tsx";
import { TroubleNotice } from "../../../components/notice.tsx";
import { FIELDS, fieldWords } from "../../../components/search_words.ts";
import type { FileSet, FileSetField } from "../../../lib/types.ts";
import { ProblemError } from "../../../server/problem.ts";
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
      const fileSet = fileSets.find((found) => found.id.toLowerCase() === id.toLowerCase());
      if (!fileSet) throw new ProblemError(404, `No file set with the id ${id} was found`);
      return { data: { fileSet, trouble: null } };
    } catch (error) {
      const { trouble, status } = pageTrouble(error, ctx.state);
      return { data: { fileSet: null, trouble }, status };
    }
  },
});

export default page(({ data: { fileSet, trouble } }) => {
  const title = fileSet ? fileSet.name || fileSet.id : "File set";
  return (
    <>
      <Head>
        <title>{`${title} · Docket`}</title>
      </Head>
      <nav aria-label="Path" class="path">
        <a href="/filesets">File sets</a>
      </nav>
      <h1>{title}</h1>
      {trouble && <TroubleNotice trouble={trouble} />}
      {fileSet && (
        <>
          <dl class="facts">
            {FIELDS.map((field) => (
              <div key={field}>
                <dt>{fieldWords(field)}</dt>
                <dd>
                  <FieldValue fileSet={fileSet} field={field} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
});

function FieldValue(
  { fileSet, field }: { readonly fileSet: FileSet; readonly field: FileSetField },
) {
  const value = fileSet[field];
  if (value === null || value === undefined || value === "") return <Missing />;
  if (field === "created" || field === "updated") return <LoneMoment at={fileSet[field]} />;
  if (field === "id") return <code>{value}</code>;
  return <>{field === "fileCount" && typeof value === "number" ? formatCount(value) : value}</>;
}
