import { Head } from "fresh/runtime";
import { FactsPanel } from "../../../components/file_sets/facts_panel.tsx";
import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { loadFileSets } from "../../../components/file_sets/load_file_sets.ts";
import { nothingShown, unreadable } from "../../../components/file_sets/shown_file_sets.ts";
import { searchCode } from "../../../components/file_sets/search_code.ts";
import { viewOfForm } from "../../../components/file_sets/search_form.ts";
import { isFromForm, typedInto } from "../../../components/file_sets/search_inputs.ts";
import { SavedViews } from "../../../islands/SavedViews.tsx";
import { FileSetSearch } from "../../../islands/FileSetSearch.tsx";
import { searchLimitIssues } from "../../../server/api/search_limits.ts";
import { pageTrouble } from "../../_trouble.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const params = ctx.url.searchParams;
    const fromForm = isFromForm(params);
    const { view, faults } = fromForm ? viewOfForm(params, new Date()) : parseFileSetsView(params);
    const excess = searchLimitIssues(view.body);
    if (excess.length > 0) {
      // Without the search itself: the page would have as many chips, each with a link as long.
      return { data: nothingShown({ body: {} }, unreadable(excess)), status: 400 };
    }
    if (faults.length > 0) {
      const typed = typedInto(params);
      return { data: { ...nothingShown(view, unreadable(faults)), typed }, status: 400 };
    }
    if (fromForm) return ctx.redirect(fileSetsHref(view), 303);
    try {
      return { data: await loadFileSets(ctx.state.backend, view, ctx.req.signal) };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: nothingShown(view, trouble), ...answer };
    }
  },
});

export default page(({ data, state: { services, preferences, origin } }) => (
  <>
    <Head>
      <title>File sets · Docket</title>
    </Head>
    <h1>File sets</h1>
    <SavedViews />
    <FileSetSearch
      initial={data}
      code={searchCode(data.view, {
        origin,
        tokenHeader: services.settings.serviceTokenHeader,
      })}
      factsPanel={data.facts && (
        <FactsPanel facts={data.facts} total={data.page?.pageContext.total ?? null} />
      )}
      upstream={services.kind === "upstream"}
      zone={preferences.zone}
      origin={origin}
      tokenHeader={services.settings.serviceTokenHeader}
    />
  </>
));
