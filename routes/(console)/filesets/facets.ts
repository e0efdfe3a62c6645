import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { facetsOfFileSets } from "../../../lib/search/facets.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { answerOrProblem } from "../../_errors.ts";
import { handler } from "./$facets.ts";

/**
 * The facets of a view as JSON, for the console's own page: counts of everything that matches, or
 * of the rows on the page if everything can't be counted.
 */
export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { backend, services: { store }, preferences: { zone } } = ctx.state;
      const { signal } = ctx.req;
      const dates = { zone, now: Date.now() };
      const { view, issues } = parseFileSetsView(ctx.url.searchParams, dates);
      if (issues.length > 0) {
        throw new ProblemError(400, "This link is not valid", { errors: issues });
      }
      const { body, limit, offset } = view;
      const counted = store && await store.facets(body, { ...dates, signal });
      if (counted) return Response.json(counted);
      const { fileSets } = await backend.fileSets.search(body, { limit, offset, signal });
      return Response.json(facetsOfFileSets(fileSets, dates));
    }),
});
