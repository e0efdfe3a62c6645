import { jsonResponse } from "../../../server/http/json_response.ts";
import { answerOrProblem } from "../../_errors.ts";
import { findSchedules, typedText } from "./_schedules.ts";
import { handler } from "./$matches.ts";

/** The watched schedules that match the text in the palette. */
export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      return await jsonResponse(ctx.req, await findSchedules(ctx.state, typedText(ctx.url)));
    }),
});
