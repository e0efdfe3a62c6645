import type { Backend } from "../../lib/backend.ts";
import { middleware, type ParentState } from "./$_middleware.ts";

export interface State extends ParentState {
  /** The backend as the signed-in person sees it. */
  backend: Backend;
  /** The same with the timeouts of a download, which nobody looks at. */
  downloadBackend: Backend;
}

/** Pages are for signed-in people. */
export default middleware(async (ctx) => {
  const { session, services, requestId, log, origin } = ctx.state;
  await services.open();
  if (!session) {
    const next = ctx.url.pathname + ctx.url.search;
    return ctx.redirect(`/sign-in?${new URLSearchParams({ next })}`, 303);
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
