import { ProblemError } from "../server/http/problem.ts";
import { sameSecret } from "../server/auth/sealing.ts";
import { METRICS_TYPE, writeMetrics } from "../server/observer/metrics.ts";
import { answerOrProblem } from "./_errors.ts";
import { textResponse } from "../server/http/text_response.ts";
import { handler } from "./$metrics.ts";

/** Metrics for Prometheus, for clients with METRICS_TOKEN; a 404 without that setting. */
export const handlers = handler({
  async GET(ctx) {
    const { settings, records } = ctx.state.services;
    const { metricsToken } = settings.observer;
    const response = await answerOrProblem(ctx, async () => {
      if (metricsToken === null || !records) throw new ProblemError(404, "There is no such page");
      const [, token = ""] = /^Bearer (\S+)$/i.exec(ctx.req.headers.get("authorization") ?? "") ??
        [];
      if (!sameSecret(token, metricsToken)) {
        throw new ProblemError(401, "Send the value of METRICS_TOKEN as a bearer token");
      }
      const headers = new Headers({ "content-type": METRICS_TYPE });
      return textResponse(ctx.req, await writeMetrics(records), { headers });
    });
    if (response.status === 401) response.headers.set("www-authenticate", "Bearer");
    return response;
  },
});
