import type { Backend } from "../../lib/client/backend.ts";
import { answerFormOnce } from "../../server/actions/form_once.ts";
import { removeShownNotice } from "../../server/http/cookies.ts";
import { readScheduleId } from "../../server/http/request_query.ts";
import { loadShell, type ShownShell } from "../../server/pages/page_request.ts";
import { yieldToEventLoop } from "../../server/workers/yield_to_event_loop.ts";
import type { RefusedForm } from "../../components/ui/form.tsx";
import { middleware, type ParentState } from "./$_middleware.ts";

export interface ConsoleState extends ParentState, ShownShell {
  backend: Backend;
  /** The same backend with the longer timeouts of downloads. */
  downloadBackend: Backend;
  /** The form that was sent, if it was not done. */
  refused?: RefusedForm;
}
export type State = ConsoleState;

export default middleware(async (ctx) => {
  const { services, requestId, log, origin } = ctx.state;
  await services.open();
  // The root middleware lets nobody else through.
  const signedIn = ctx.state.signedIn!;
  const scheduleId = readScheduleId(/^\/schedules\/(\d+)/.exec(ctx.url.pathname)?.[1] ?? "");
  const shell = await loadShell(services, scheduleId, log);
  await yieldToEventLoop();
  const next = () =>
    ctx.next({
      ...ctx.state,
      backend: services.backendFor(signedIn.token, { requestId, isPage: true }),
      downloadBackend: services.backendFor(signedIn.token, {
        requestId,
        timeouts: "download",
        isPage: true,
      }),
      ...shell,
    });
  const response = await answerFormOnce(services.records, ctx.req, next);
  removeShownNotice(ctx.req, response);
  // The service no longer accepts the token that the person signed in with.
  if (response.status === 401 && signedIn.session.token !== null) {
    services.sessions.clear(response.headers, origin);
  }
  return response;
});
