import { FacetsPanel } from "../../../components/file_sets/facets_panel.tsx";
import { countRowFacets } from "../../../components/file_sets/row_facets.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { loadPage } from "../../_errors.ts";
import { handler, page } from "./$facets.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";
import { FILE_SETS } from "../../../components/file_sets/file_sets_view.ts";

/** The facets of all matches, for pages that did not wait for them. */
export const handlers = handler({
  GET: (ctx) =>
    loadPage(ctx, async () => {
      const { backend, services: { store }, preferences: { zone } } = ctx.state;
      const { signal } = ctx.req;
      const dates = { zone, now: Date.now() };
      const { view, issues } = parsePageView(ctx.url.searchParams, FILE_SETS, dates);
      if (issues.length > 0) {
        throw new ProblemError(400, "This link is not valid", { errors: issues });
      }
      const { body, limit, offset } = view;
      const counted = store && await store.facets(body, { ...dates, signal });
      if (counted) return { view, facets: counted };
      const { fileSets } = await backend.fileSets.search(body, { limit, offset, signal });
      return { view, facets: countRowFacets(fileSets, dates) };
    }),
});

export default page(({ data: { shown }, state }) => (
  <div id="facets">
    {shown && <FacetsPanel {...shown} zone={state.preferences.zone} />}
  </div>
));
