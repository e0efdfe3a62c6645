import { Head } from "fresh/runtime";
import { fileSetsHref, parseFileSetsView } from "../../../components/file_sets_view.ts";
import { loadFileSets, type Shown } from "../../../components/load_file_sets.ts";
import { isFromForm, viewOfForm } from "../../../components/search_form.ts";
import { FileSetSearch } from "../../../islands/FileSetSearch.tsx";
import { ProblemError } from "../../../server/problem.ts";
import { pageTrouble } from "../../_trouble.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const params = ctx.url.searchParams;
    if (isFromForm(params)) {
      return ctx.redirect(fileSetsHref(viewOfForm(params, new Date()).view), 303);
    }
    const { view, faults } = parseFileSetsView(params);
    try {
      if (faults.length > 0) {
        throw new ProblemError(400, "This link can't be read", { errors: faults });
      }
      return { data: await loadFileSets(ctx.state.backend, view, ctx.req.signal) };
    } catch (error) {
      const { trouble, status } = pageTrouble(error, ctx.state);
      const data: Shown = { view, page: null, all: null, facts: null, opened: null, trouble };
      return { data, status };
    }
  },
});

export default page(({ data, state: { services, preferences, origin } }) => (
  <>
    <Head>
      <title>File sets · Docket</title>
    </Head>
    <h1>File sets</h1>
    <FileSetSearch
      initial={data}
      upstream={services.kind === "upstream"}
      zone={preferences.zone}
      origin={origin}
      tokenHeader={services.settings.serviceTokenHeader}
    />
  </>
));
