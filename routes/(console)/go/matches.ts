import { jsonResponse } from "../../../server/http/json_response.ts";
import { problemAnswer } from "../../../server/log/problem_answer.ts";
import { findSchedules, typedText } from "./_schedules.ts";
import { handler } from "./$matches.ts";

/** The watched schedules that match the text in the palette. */
export const handlers = handler({
  async GET(ctx) {
    try {
      return await jsonResponse(ctx.req, await findSchedules(ctx.state, typedText(ctx.url)));
    } catch (error) {
      return problemAnswer(error, ctx);
    }
  },
});
