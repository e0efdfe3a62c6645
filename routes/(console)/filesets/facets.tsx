import { FacetsPanel } from "../../../components/file_sets/facets_panel.tsx";
import { loadFacets } from "../../../server/pages/file_set_search.ts";
import { loadPage } from "../../_errors.ts";
import { datesOf, readLink } from "./_read_search.ts";
import { handler, page } from "./$facets.ts";

/** The facets of all matches, for pages that did not wait for them. */
export const handlers = handler({
  GET: (ctx) =>
    loadPage(ctx, async () => {
      const view = readLink(ctx);
      const options = { ...datesOf(ctx), signal: ctx.req.signal };
      return { view, facets: await loadFacets(ctx.state, view, options) };
    }),
});

export default page(({ data: { shown }, state }) => (
  <div id="facets">
    {shown && <FacetsPanel {...shown} zone={state.preferences.zone} />}
  </div>
));
