import { PageHeader } from "../../../components/page/page_header.tsx";
import type { ErrorWords } from "../../../components/page/error_message.ts";
import { Drawer } from "../../../components/file_sets/drawer/drawer.tsx";
import {
  allColumns,
  atOffset,
  FILE_SETS,
  fileSetsHref,
} from "../../../components/file_sets/file_sets_view.ts";
import { type LoadedFileSets, loadFileSets } from "../../../components/file_sets/load_file_sets.ts";
import {
  explainIssues,
  NothingFound,
  Result,
  searchCode,
  toPosition,
} from "../../../components/file_sets/search/search_result.tsx";
import { FileSetTable } from "../../../components/file_sets/file_set_table.tsx";
import { FacetsPanel } from "../../../components/file_sets/facets_panel.tsx";
import type { NewCondition } from "../../../components/search/new_condition.ts";
import {
  exportPath,
  formatPageView,
  type SearchPage,
  type ShownSearch,
} from "../../../components/search/page_view.ts";
import { invalidSearch, isFromForm, readForm } from "../../../components/search/search_form.ts";
import { SearchForm, type UsableSearch } from "../../../components/search/search_form_view.tsx";
import { SearchTools } from "../_search_tools.tsx";
import { fileSetValues, QueryHelp } from "./_search_help.tsx";
import { FileSetSearch } from "../../../islands/FileSetSearch.tsx";
import type { ErrorMessage } from "../../../components/ui/error_notice.tsx";
import { withQuery } from "../../../components/ui/query.ts";
import { Pager } from "../../../components/ui/pager.tsx";
import { matchingText } from "../../../lib/client/own_matching.ts";
import { countRowFacets } from "../../../components/file_sets/row_facets.ts";
import type { Facets } from "../../../lib/search/facets.ts";
import { countFacets } from "../../../server/backend/count_facets.ts";
import { LIMITS } from "../../../server/store/file_sets/search_body.ts";
import { searchLimitIssues } from "../../../server/api/service_operations.ts";
import { pageError } from "../../_errors.ts";
import { handler, page } from "./$index.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";

interface SearchData {
  readonly view: ShownSearch;
  readonly query: string;
  readonly condition: NewCondition;
  readonly found: LoadedFileSets & { readonly facets: Facets } | null;
  readonly error: ErrorMessage | null;
  /** After an error: its place in the query, and a link to a valid search. */
  readonly place?: readonly [start: number, end: number];
  readonly usable?: UsableSearch;
}

export const handlers = handler({
  async GET(ctx) {
    const params = ctx.url.searchParams;
    const fromForm = isFromForm(params);
    const dates = { zone: ctx.state.preferences.zone, now: Date.now() };
    const parsed = parsePageView(params, FILE_SETS, dates);
    const { view, query, condition, issues, meant } = fromForm
      ? readForm(params, FILE_SETS, dates, parsed)
      : parsed;
    const show = (shown: Partial<SearchData>, status = 400) => {
      const data: SearchData = { view, query, condition, found: null, error: null, ...shown };
      return { data, status };
    };
    const excess = searchLimitIssues(view.body);
    if (excess.length > 0) {
      // Without chips: each would repeat the long link.
      return show({ view: { body: {} }, error: invalidSearch([...issues, ...excess]) });
    }
    // The embedded service finds further issues, so all are shown at once.
    const { backend, services: { store } } = ctx.state;
    const { limit, offset } = view;
    const known = store?.searchIssues(view.body, { limit, offset }) ?? [];
    if (issues.length > 0 || (known.length > 0 && !fromForm)) {
      const { named, usable } = meant
        ? { named: [], usable: didYouMean(view, meant) }
        : explainIssues(view, known, LIMITS.pageSize);
      return show({
        usable,
        error: invalidSearch([...issues, ...named]),
        place: issues.find(({ place }) => place)?.place,
      });
    }
    const isWrong = condition.issue !== undefined;
    if (fromForm && !isWrong) return ctx.redirect(fileSetsHref(view), 303);
    try {
      const [loaded, counted] = await Promise.all([
        loadFileSets(backend, view, ctx.req.signal),
        store && countFacets(store, view.body, { ...dates, signal: ctx.req.signal }),
      ]);
      const facets = counted ?? countRowFacets(loaded.page.fileSets, dates);
      return show({ found: { ...loaded, facets } }, isWrong ? 400 : 200);
    } catch (thrown) {
      const { error, status, headers } = pageError(thrown, ctx, MISSING);
      // An upstream service may reject the page size without saying which it allows.
      const usable = status === 400 && limit !== undefined
        ? {
          href: fileSetsHref({ ...view, limit: undefined }),
          text: "Search with the default page size",
        }
        : undefined;
      return { ...show({ error, usable }, status), headers };
    }
  },
});

/** What a person lacks who may use the service, but not its file sets. */
const MISSING: ErrorWords = {
  403: [
    "The service does not let you read file sets",
    "It answered with status 403. Schedules and their runs are not concerned.",
  ],
  404: [
    "The service has no file sets",
    "It answered with status 404. Schedules and their runs are not concerned.",
  ],
};

function didYouMean(
  view: ShownSearch,
  { query, body }: { readonly query: string; readonly body: ShownSearch["body"] },
): UsableSearch {
  return { href: fileSetsHref({ ...view, body }), text: `Did you mean ${query}?` };
}

export default page(({ data, state: { services, preferences, origin } }) => {
  const { view, query, condition, found, error, place, usable } = data;
  const { zone } = preferences;
  const rows = found?.page.fileSets ?? [];
  const facets = found?.facets ?? null;
  const searchPage: SearchPage = { table: FILE_SETS.table, view, href: fileSetsHref, zone };
  const position = found && toPosition(found.page, view);
  return (
    <>
      <PageHeader title="File sets" />
      <QueryHelp />
      <div id="search-form">
        <SearchForm
          page={searchPage}
          target={TARGET}
          all="/filesets"
          example="payroll -permission:READ updated:last-month"
          values={fileSetValues(facets, rows)}
          {...{ query, condition, error, usable, place }}
        />
      </div>
      <div class="bar">
        <p class="result" role="status" tabIndex={-1} id="search-result">
          {position && <Result {...{ view, position, zone }} all={found.all} />}
        </p>
        <div class="tools">
          <div id="search-tools" class="tools">
            {found && (
              <SearchTools
                href={(format) => exportPath("/filesets", view, FILE_SETS.table, format)}
                evidence={withQuery(
                  "/evidence",
                  formatPageView({ body: view.body }, FILE_SETS.table),
                )}
                code={searchCode(view, {
                  origin,
                  tokenHeader: services.settings.serviceTokenHeader,
                })}
                rows={{ ...FILE_SETS, columns: allColumns(rows, view.columns) }}
                target={TARGET}
                view={view}
              />
            )}
          </div>
          <FileSetSearch zone={zone} />
        </div>
      </div>
      <div id="search-found">
        {found && position && (
          <div class="with-facets">
            {/* Counting all matches may take longer than the page waits. */}
            <div id="facets" data-late={services.store && facets?.rows !== null || undefined}>
              <FacetsPanel {...{ facets, view, zone }} />
            </div>
            <div class="found">
              {found.page.matching && <p class="help">{matchingText(found.page.matching)}.</p>}
              {position.count === 0 ? <NothingFound view={view} position={position} /> : (
                <>
                  <div class="with-aside">
                    <FileSetTable fileSets={rows} view={view} />
                    {view.open && (
                      <div class="aside">
                        <Drawer view={view} fileSet={found.opened} fileSets={rows} />
                      </div>
                    )}
                  </div>
                  <Pager
                    position={position}
                    href={(offset) => fileSetsHref(atOffset(view, offset))}
                    label="Pages of file sets"
                  />
                </>
              )}
            </div>
          </div>
        )}
      </div>
    </>
  );
});

const TARGET = { action: "/filesets", method: "get" } as const;
