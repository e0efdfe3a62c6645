import { primedRows } from "../../../server/backend/primed_rows.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { streamedResponse } from "../../../server/http/text_response.ts";
import { FEEDS, feedText, isFeedSecret } from "../../../server/observer/feeds.ts";
import { logInterruptedDownload } from "../../../server/log/log_problem.ts";
import { problemAnswer } from "../../../server/log/problem_answer.ts";
import { handler } from "./$[document].ts";

/** A feed, for anybody who has its link. */
export const handlers = handler({
  async GET(ctx) {
    const { services: { records }, origin } = ctx.state;
    const { secret, document } = ctx.params;
    try {
      const feed = FEEDS.find((each) => each === document);
      if (!records || !feed || !await isFeedSecret(records, feed, secret)) {
        throw new ProblemError(404, "There is no such feed");
      }
      const { contentType, pieces } = feedText(feed, { records, origin, now: Date.now() });
      const primed = await primedRows(
        pieces,
        (error) => logInterruptedDownload(ctx.state.log, error, ctx.req.signal),
      );
      return streamedResponse(ctx.req, { contentType, pieces: primed });
    } catch (error) {
      return problemAnswer(error, ctx);
    }
  },
});
