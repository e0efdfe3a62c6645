import { ProblemError } from "../../../server/http/problem.ts";
import { textResponse } from "../../../server/http/text_response.ts";
import { FEEDS, incidentFeed, isFeedSecret, runFeed } from "../../../server/observer/feeds.ts";
import { problemAnswer } from "../../../server/log/problem_answer.ts";
import { handler } from "./$[document].ts";

/** A feed, for whoever has its link. */
export const handlers = handler({
  async GET(ctx) {
    const { services: { records }, origin } = ctx.state;
    const { secret, document } = ctx.params;
    try {
      const feed = FEEDS.find((each) => each === document);
      if (!records || !feed || !await isFeedSecret(records, feed, secret)) {
        throw new ProblemError(404, "There is no such feed");
      }
      const { contentType, text } = feed === "runs.ics"
        ? await runFeed(records, origin, Date.now())
        : await incidentFeed(records, origin);
      return await textResponse(ctx.req, text, { headers: { "content-type": contentType } });
    } catch (error) {
      return problemAnswer(error, ctx);
    }
  },
});
