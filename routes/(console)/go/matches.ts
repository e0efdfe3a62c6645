import { filterText } from "../../../components/ui/query.ts";
import { jsonResponse } from "../../../server/http/text_response.ts";
import { answerOrProblem } from "../../_errors.ts";
import { findSchedules } from "./_schedules.ts";
import { handler } from "./$matches.ts";

export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const text = filterText(ctx.url.searchParams, "q");
      return await jsonResponse(ctx.req, await findSchedules(ctx.state, text));
    }),
});
