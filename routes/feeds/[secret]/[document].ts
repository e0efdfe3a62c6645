import { ProblemError } from "../../../server/http/problem.ts";
import { FEEDS, feedText, isFeedSecret } from "../../../server/observer/feeds.ts";
import { problemAnswer } from "../../../server/log/problem_answer.ts";
import { longTextResponse } from "../../_download.ts";
import { handler } from "./$[document].ts";

export const handlers = handler({
  async GET(ctx) {
    const { services: { records }, origin } = ctx.state;
    const { secret, document } = ctx.params;
    try {
      const feed = FEEDS.find((each) => each === document);
      if (!records || !feed || !await isFeedSecret(records, feed, secret)) {
        throw new ProblemError(404, "There is no such feed");
      }
      const text = feedText(feed, { records, origin, now: Date.now() });
      return await longTextResponse(ctx, text);
    } catch (error) {
      return problemAnswer(error, ctx);
    }
  },
});
