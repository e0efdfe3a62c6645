import { PageHeader } from "../../../components/page/page_header.tsx";
import {
  allColumns,
  FILE_SETS,
  fileSetsHref,
  fileSetValues,
} from "../../../components/file_sets/file_sets_view.ts";
import {
  FoundFileSets,
  QUERY_HELP,
  Result,
  searchCode,
  toPosition,
} from "../../../components/file_sets/found_file_sets.tsx";
import { exportPath, formatPageView } from "../../../components/search/page_view.ts";
import {
  AddCondition,
  QueryField,
  SearchForm,
} from "../../../components/search/search_form_view.tsx";
import { SearchMenu } from "../../../components/search/search_menu.tsx";
import { withQuery } from "../../../components/ui/query.ts";
import { FileSetSearch } from "../../../islands/FileSetSearch.tsx";
import { loadFileSetSearch } from "../../../server/pages/file_set_search.ts";
import { pageError } from "../../_errors.ts";
import { datesOf, MISSING, readPageSearch } from "./_read_search.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const search = readPageSearch(ctx);
    if (search.redirect !== undefined) return ctx.redirect(search.redirect, 303);
    if (search.error) return { data: { ...search, found: null }, status: 400 };
    const { view, condition } = search;
    try {
      const options = { ...datesOf(ctx), signal: ctx.req.signal };
      const found = await loadFileSetSearch(ctx.state, view, options);
      return { data: { ...search, found }, status: condition.issue === undefined ? 200 : 400 };
    } catch (thrown) {
      const { error, status, headers } = pageError(thrown, ctx, MISSING);
      return { data: { ...search, error, found: null }, status, headers };
    }
  },
});

export default page(({ data, state: { services, preferences: { zone }, origin } }) => {
  const { view, found } = data;
  const rows = found?.page.fileSets ?? [];
  const { table } = FILE_SETS;
  const values = fileSetValues(found?.facets ?? null, rows);
  const position = found && toPosition(found.page, view);
  const tokenHeader = services.settings.serviceTokenHeader;
  return (
    <>
      <PageHeader title="File sets" />
      <div id="search-form">
        <SearchForm
          page={{ table, view, href: fileSetsHref, zone }}
          target={TARGET}
          all="/filesets"
          help={QUERY_HELP}
          error={data.error}
          adding={<AddCondition {...{ table, values }} condition={data.condition} />}
        >
          <QueryField
            {...{ table, values }}
            query={data.query}
            example="payroll -permission:READ updated:last-month"
            isWrong={data.isQueryWrong}
          />
          <button type="submit">Search</button>
        </SearchForm>
      </div>
      <div class="line apart bar">
        <p class="result help" role="status" tabIndex={-1} id="search-result">
          {position && <Result position={position} all={found!.all} />}
        </p>
        <div class="line tools">
          <FileSetSearch zone={zone} />
          <div id="search-tools">
            {found && (
              <SearchMenu
                href={(format) => exportPath("/filesets", view, table, format)}
                evidence={withQuery(
                  "/evidence",
                  formatPageView({ body: view.body }, table),
                )}
                code={searchCode(view, { origin, tokenHeader })}
                rows={{ ...FILE_SETS, columns: allColumns(rows, view.columns) }}
                target={TARGET}
                view={view}
              />
            )}
          </div>
        </div>
      </div>
      <div id="search-found">
        {position && <FoundFileSets {...{ view, position, zone }} found={found!} />}
      </div>
    </>
  );
});

const TARGET = { action: "/filesets", method: "get" } as const;
