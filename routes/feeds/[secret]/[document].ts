import { ProblemError } from "../../../server/http/problem.ts";
import { FEEDS, feedText, isFeedSecret } from "../../../server/observer/feeds.ts";
import { answerOrProblem } from "../../_errors.ts";
import { longTextResponse } from "../../_download.ts";
import { handler } from "./$[document].ts";

export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { services: { records }, origin } = ctx.state;
      const { secret, document } = ctx.params;
      const feed = FEEDS.find((each) => each === document);
      if (!records || !feed || !await isFeedSecret(records, feed, secret)) {
        throw new ProblemError(404, "There is no such feed");
      }
      const text = feedText(feed, { records, origin, now: Date.now() });
      return await longTextResponse(ctx, text);
    }),
});
