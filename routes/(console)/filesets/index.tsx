import { Head } from "fresh/runtime";
import { Drawer } from "../../../components/file_sets/drawer/drawer.tsx";
import { FactsPanel } from "../../../components/file_sets/facts_panel.tsx";
import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { loadFileSets } from "../../../components/file_sets/load_file_sets.ts";
import { CodeTexts } from "../../../components/export/code_texts.tsx";
import { searchCode } from "../../../components/file_sets/search/search_code.ts";
import { viewOfForm } from "../../../components/file_sets/search/search_form.ts";
import { isFromForm, typedInto } from "../../../components/file_sets/search/search_inputs.ts";
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
    const excess = searchLimitIssues(view.body);
    if (excess.length > 0) {
      // Without the search itself: each of its chips would have a link as long as this one.
      return { data: failedSearch({ body: {} }, "", invalidSearch(excess)), status: 400 };
    }
    if (issues.length > 0) {
      // The embedded service knows further issues, so that all are shown at once.
      const known = ctx.state.services.store?.searchIssues(view.body, {}) ?? [];
      const error = invalidSearch([...issues, ...known]);
      return {
        data: { ...failedSearch(view, query, error), typed: typedInto(params) },
        status: 400,
      };
    }
    if (fromForm) return ctx.redirect(fileSetsHref(view), 303);
    try {
      return { data: await loadFileSets(ctx.state.backend, view, ctx.req.signal) };
    } catch (thrown) {
      const { error, ...answer } = pageError(thrown, ctx);
      return { data: failedSearch(view, query, error), ...answer };
    }
  },
});

export default page(({ data, state: { services, preferences, origin } }) => {
  const target = { origin, tokenHeader: services.settings.serviceTokenHeader };
  return (
    <>
      <Head>
        <title>File sets · Docket</title>
      </Head>
      <h1>File sets</h1>
      <SavedViews />
      <QueryHelp />
      <FileSetSearch
        initial={packState(data)}
        drawer={data.view.open && data.page && (
          <Drawer view={data.view} fileSet={data.opened} fileSets={data.page.fileSets} />
        )}
        factsPanel={data.facts && (
          <FactsPanel facts={data.facts} total={data.page?.pageContext.total ?? null} />
        )}
        codeTexts={data.page && <CodeTexts code={searchCode(data.view, target)} />}
        upstream={services.kind === "upstream"}
        zone={preferences.zone}
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
        <code>owner:~fin</code>, <code>files:&gt;100</code>, <code>updated:last-month</code>,{" "}
        <code>created:2026-01..2026-03</code>, <code>no:description</code>. A minus sign negates:
        {" "}
        <code>-permission:READ</code>. Sort with <code>sort:-updated,name</code>.
      </p>
    </details>
  );
}
