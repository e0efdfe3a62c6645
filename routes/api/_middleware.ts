import { MethodNotAllowedError } from "fresh/errors";
import type { Backend } from "../../lib/backend.ts";
import { isTokenText } from "../../lib/check.ts";
import type { Service } from "../../server/backend/service.ts";
import { isProblemError, ProblemError } from "../../server/http/problem.ts";
import { problemAnswer } from "../_errors.ts";
import { middleware, type ParentState } from "./$_middleware.ts";

export interface State extends ParentState {
  /** The backend as the bearer of the token, or of the session, sees it. */
  backend: Backend;
  /** The same backend with its answers in JSON, where the service has them so. */
  json: ReturnType<Service["jsonFor"]>;
}

/** The API: every response is JSON, and every error a problem document. */
export default middleware(async (ctx) => {
  const { services, requestId, log, client, session, origin } = ctx.state;
  const { serviceTokenHeader } = services.settings;
  const sent = ctx.req.headers.get(serviceTokenHeader);

  async function respond(): Promise<Response> {
    try {
      const token = sent ?? session?.token;
      if (token === undefined || sent !== null && !await mayBeAccepted(sent, ctx.state)) {
        const detail = `Send a valid developer token in the header ${serviceTokenHeader}`;
        throw new ProblemError(401, detail);
      }
      await services.countRequest(token);
      const backend = services.backendFor(token, { requestId, log });
      const json = services.jsonFor({ requestId, log });
      return await ctx.next({ ...ctx.state, backend, json });
    } catch (error) {
      // Wrong methods are answered by the error page, which says which ones are right.
      if (error instanceof MethodNotAllowedError) throw error;
      return problemAnswer(error, ctx);
    }
  }

  try {
    const response = sent === null
      ? await respond()
      : await services.tokenGuard.watch(client, sent, respond);
    if (response.status === 401) {
      response.headers.set("www-authenticate", `DeveloperToken header="${serviceTokenHeader}"`);
      if (sent === null && session) services.sessions.clear(response.headers, origin);
    }
    return response;
  } catch (error) {
    if (!isProblemError(error)) throw error;
    return problemAnswer(error, ctx);
  }
});

/** An upstream checks tokens itself, with every call; only impossible ones are rejected here. */
async function mayBeAccepted(
  token: string,
  { services, requestId, log }: ParentState,
): Promise<boolean> {
  return services.kind === "upstream"
    ? isTokenText(token)
    : await services.accepts(token, { requestId, log });
}
