import { Head } from "fresh/runtime";
import { isFromForm, viewOfForm } from "../../../components/search_form.ts";
import { fileSetsHref } from "../../../components/search_view.ts";
import { FileSetSearch, type Shown } from "../../../islands/FileSetSearch.tsx";
import { parseSearchUrl } from "../../../lib/search_url.ts";
import { ProblemError } from "../../../server/problem.ts";
import { pageTrouble } from "../../_trouble.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const params = ctx.url.searchParams;
    if (isFromForm(params)) return ctx.redirect(fileSetsHref(viewOfForm(params).view), 303);

    const { view, faults } = parseSearchUrl(params);
    const { backend, services } = ctx.state;
    const upstream = services.kind === "upstream";
    try {
      if (faults.length > 0) {
        throw new ProblemError(400, "This link can't be read", { errors: faults });
      }
      const { limit, offset } = view;
      const result = await backend.fileSets.search(view.body, {
        limit,
        offset,
        signal: ctx.req.signal,
      });
      const shown: Shown = { view, page: result, trouble: null };
      return { data: { shown, upstream } };
    } catch (error) {
      const { trouble, status } = pageTrouble(error, ctx.state);
      const shown: Shown = { view, page: null, trouble };
      return { data: { shown, upstream }, status };
    }
  },
});

export default page(({ data, state }) => (
  <>
    <Head>
      <title>File sets · Docket</title>
    </Head>
    <h1>File sets</h1>
    <FileSetSearch
      initial={data.shown}
      upstream={data.upstream}
      zone={state.preferences.zone}
    />
  </>
));
