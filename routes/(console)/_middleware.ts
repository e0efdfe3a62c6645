import type { Backend } from "../../lib/backend.ts";
import { MAX_QUERY_LENGTH } from "../../server/http/request_query.ts";
import { middleware, type ParentState } from "./$_middleware.ts";

export interface State extends ParentState {
  /** The backend, with the token of the session. */
  backend: Backend;
  /** The same with the timeouts of a download. */
  downloadBackend: Backend;
}

/** Pages are for signed-in people. */
export default middleware(async (ctx) => {
  const { session, services, requestId, log, origin } = ctx.state;
  await services.open();
  if (!session) {
    const { pathname, search } = ctx.url;
    const signIn = (next: string) => `?${new URLSearchParams({ next })}`;
    const whole = signIn(pathname + search);
    const query = whole.length > MAX_QUERY_LENGTH ? signIn(pathname) : whole;
    return ctx.redirect(`/sign-in${query}`, 303);
  }
  const response = await ctx.next({
    ...ctx.state,
    backend: services.backendFor(session.token, { requestId, log }),
    downloadBackend: services.backendFor(session.token, { requestId, log, timeouts: "download" }),
  });
  // The service does not accept the session's token any more.
  if (response.status === 401) services.sessions.clear(response.headers, origin);
  return response;
});
