import { PageHeader } from "../../../components/page/page_header.tsx";
import { Drawer } from "../../../components/file_sets/drawer/drawer.tsx";
import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { loadFileSets } from "../../../components/file_sets/load_file_sets.ts";
import { CodeTexts } from "../../../components/export/code_texts.tsx";
import { searchCode } from "../../../components/file_sets/search/search_code.ts";
import { faultsOf } from "../../../components/file_sets/search/faults.ts";
import { draftOfForm } from "../../../components/file_sets/filters/draft.ts";
import { FileSetTable } from "../../../components/file_sets/file_set_table.tsx";
import { FacetsPanel } from "../../../components/file_sets/filters/facets_panel.tsx";
import { PresentOptions } from "../../../components/file_sets/filters/present_view.tsx";
import { SearchConditions } from "../../../components/file_sets/filters/search_conditions.tsx";
import { isFromForm, viewOfForm } from "../../../components/file_sets/filters/search_form.ts";
import { TableOptions } from "../../../components/file_sets/filters/table_options.tsx";
import {
  failedSearch,
  invalidSearch,
  packState,
} from "../../../components/file_sets/search/search_state.ts";
import {
  DEFAULT_VIEW_COOKIE,
  readDefaultView,
} from "../../../components/page/views/default_view.ts";
import { FileSetSearch } from "../../../islands/FileSetSearch.tsx";
import { SavedViews } from "../../../islands/SavedViews.tsx";
import { readCookies } from "../../../server/http/cookies.ts";
import { joinSearches } from "../../../lib/search/search_url.ts";
import { facetsOfFileSets } from "../../../lib/search/facets.ts";
import { countFacets } from "../../../server/backend/count_facets.ts";
import { LIMITS } from "../../../server/store/search/validate.ts";
import { searchLimitIssues } from "../../../server/api/search_limits.ts";
import { pageError } from "../../_errors.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const params = ctx.url.searchParams;
    const cookie = readCookies(ctx.req.headers)[DEFAULT_VIEW_COOKIE];
    const preferred = params.size === 0 ? readDefaultView(cookie) : null;
    if (preferred) return ctx.redirect(preferred, 303);
    const fromForm = isFromForm(params);
    const dates = { zone: ctx.state.preferences.zone, now: Date.now() };
    const parse = fromForm ? viewOfForm : parseFileSetsView;
    const { view, query, issues } = parse(params, dates);
    const excess = searchLimitIssues(joinSearches(view.body, view.off ?? {}));
    if (excess.length > 0) {
      // Without the search itself: each of its chips would have a link as long as this one.
      return { data: failedSearch({ body: {} }, "", invalidSearch(excess)), status: 400 };
    }
    // The embedded service finds further issues, so all are shown at once.
    const { limit, offset } = view;
    const known = ctx.state.services.store?.searchIssues(view.body, { limit, offset }) ?? [];
    if (issues.length > 0 || (known.length > 0 && !fromForm)) {
      const { named, usable } = faultsOf(view, known, LIMITS.pageSize);
      const error = invalidSearch([...issues, ...named]);
      return {
        data: {
          ...failedSearch(view, query, error),
          usable,
          ...(fromForm ? { typed: draftOfForm(params) } : {}),
        },
        status: 400,
      };
    }
    if (fromForm) return ctx.redirect(fileSetsHref(view), 303);
    try {
      const { backend, services: { store } } = ctx.state;
      const [shown, counted] = await Promise.all([
        loadFileSets(backend, { view, query }, ctx.req.signal),
        store && countFacets(store, view.body, { ...dates, signal: ctx.req.signal }),
      ]);
      const facets = counted ?? facetsOfFileSets(shown.page?.fileSets ?? [], dates);
      return { data: { ...shown, facets } };
    } catch (thrown) {
      const { error, ...answer } = pageError(thrown, ctx);
      // The limit may be what a service refuses; only the embedded one says how many it allows.
      const usable = answer.status === 400 && limit !== undefined && {
        href: fileSetsHref({ ...view, limit: undefined }),
        text: "Search with the usual page size",
      };
      return { data: { ...failedSearch(view, query, error), ...usable && { usable } }, ...answer };
    }
  },
});

export default page(({ data, state: { services, preferences, origin } }) => {
  const target = { origin, tokenHeader: services.settings.serviceTokenHeader };
  const { view, page, facets, typed } = data;
  const { zone } = preferences;
  const upstream = services.kind === "upstream";
  const rows = page?.fileSets ?? [];
  return (
    <>
      <PageHeader title="File sets" />
      <SavedViews />
      <QueryHelp />
      <FileSetSearch
        initial={packState(data)}
        conditions={
          <>
            <PresentOptions view={view} />
            <SearchConditions {...{ view, facets, rows, typed, upstream, zone }} />
          </>
        }
        table={rows.length > 0 && <FileSetTable fileSets={rows} view={view} />}
        drawer={page && view.open && <Drawer view={view} fileSet={data.opened} fileSets={rows} />}
        facetsPanel={page && <FacetsPanel {...{ facets, view, zone }} />}
        tableOptions={page && <TableOptions view={view} upstream={upstream} />}
        codeTexts={page && <CodeTexts code={searchCode(view, target)} />}
        upstream={upstream}
        zone={zone}
        target={target}
      />
    </>
  );
});

/** Outside the island, so that browsers load no code for it. */
function QueryHelp() {
  return (
    <details class="query-help">
      <summary>How to write a query</summary>
      <p class="help">
        Words find names: <code>payroll</code>. Conditions: <code>owner:Finance,Legal</code>,{" "}
        <code>owner:~fin</code>, <code>{"files:>100"}</code>, <code>updated:last-month</code>,{" "}
        <code>created:2026-01..2026-03</code>, <code>no:description</code>. A minus sign negates:
        {" "}
        <code>-permission:READ</code>. Sort with <code>sort:-updated,name</code>.
      </p>
    </details>
  );
}
