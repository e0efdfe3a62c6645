import { packRuns } from "../../../../components/runs/run_row.ts";
import { readLoad } from "../../../../components/runs/run_links.ts";
import { jsonResponse } from "../../../../server/http/json_response.ts";
import { problemAnswer } from "../../../../server/log/problem_answer.ts";
import { loadSchedule } from "../_runs.ts";
import { handler } from "./$rows.ts";

/** All loaded runs for the page's own filter, without names and addresses. */
export const handlers = handler({
  async GET(ctx) {
    try {
      const { loaded } = await loadSchedule(ctx, readLoad(ctx.url.searchParams));
      return await jsonResponse(ctx.req, packRuns(loaded.runs));
    } catch (error) {
      return problemAnswer(error, ctx);
    }
  },
});
