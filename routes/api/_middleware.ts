import { MethodNotAllowedError } from "fresh/errors";
import type { Backend } from "../../lib/backend.ts";
import { isTokenText } from "../../lib/check.ts";
import { ProblemError } from "../../server/http/problem.ts";
import { problemAnswer } from "../_trouble.ts";
import { middleware, type ParentState } from "./$_middleware.ts";

export interface State extends ParentState {
  /** The backend as the bearer of the token, or of the session, sees it. */
  backend: Backend;
}

/** The API: every response is JSON, and every error a problem document. */
export default middleware(async (ctx) => {
  const { services, requestId, log, session, origin } = ctx.state;
  let token: string | undefined;
  try {
    token = await tokenOf(ctx.req, ctx.state);
    await services.countRequest(token);
    const backend = services.backendFor(token, { requestId, log });
    return await ctx.next({ ...ctx.state, backend });
  } catch (error) {
    // Wrong methods are answered by the error page, which says which ones are right.
    if (error instanceof MethodNotAllowedError) throw error;
    const response = problemAnswer(error, ctx.req, ctx.state);
    if (response.status === 401) {
      const { serviceTokenHeader } = services.settings;
      response.headers.set("www-authenticate", `DeveloperToken header="${serviceTokenHeader}"`);
    }
    if (response.status === 401 && token !== undefined && token === session?.token) {
      services.sessions.clear(response.headers, origin);
    }
    return response;
  }
});

/** The token in the header, or that of the session; other sites' pages were rejected before. */
async function tokenOf(request: Request, state: ParentState): Promise<string> {
  const { services, requestId, log, session } = state;
  const { serviceTokenHeader } = services.settings;
  const token = request.headers.get(serviceTokenHeader);
  if (token !== null) {
    // An upstream checks tokens itself, with every call; only impossible ones are rejected here.
    const accepted = services.kind === "upstream"
      ? isTokenText(token)
      : await services.accepts(token, { requestId, log });
    if (accepted) return token;
  } else if (session) {
    return session.token;
  }
  throw new ProblemError(401, `Send a valid developer token in the header ${serviceTokenHeader}`);
}
