import type { Backend } from "../../lib/client/backend.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import { answerFormOnce } from "../../server/actions/form_once.ts";
import { removeShownNotice } from "../../server/http/cookies.ts";
import { readScheduleId } from "../../server/http/request_query.ts";
import type { Log } from "../../server/log/log.ts";
import { failureReason } from "../../server/log/log_problem.ts";
import { countOpenIncidents } from "../../server/pages/page_request.ts";
import type { Services } from "../../server/program/services.ts";
import { dictionaryFrom } from "../../server/store/records/statuses.ts";
import { yieldToEventLoop } from "../../server/workers/yield_to_event_loop.ts";
import { middleware, type ParentState } from "./$_middleware.ts";

export interface ConsoleState extends ParentState {
  backend: Backend;
  /** The same backend with the longer timeouts of downloads. */
  downloadBackend: Backend;
  /** How many incidents are open; null if nothing is watched, or the database is away. */
  openIncidents: number | null;
  /** Whether the schedule in the path is watched; null without records, or if they can't be read. */
  isWatched: boolean | null;
  /** Whether all that the embedded service has is its sample. */
  isSample: boolean;
  /** What the service's statuses mean. */
  statuses: StatusDictionary;
}
export type State = ConsoleState;

export default middleware(async (ctx) => {
  const { services, requestId, log, origin } = ctx.state;
  await services.open();
  // The root middleware lets nobody else through.
  const signedIn = ctx.state.signedIn!;
  const scheduleId = readScheduleId(/^\/schedules\/(\d+)/.exec(ctx.url.pathname)?.[1] ?? "");
  const [openIncidents, isSample, statuses, watched] = await Promise.all([
    countOpenIncidents(services),
    services.store?.hasSample() ?? false,
    loadDictionary(services, log),
    isWatched(scheduleId, services, log),
  ]);
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
      openIncidents,
      isSample,
      statuses,
      isWatched: watched,
    });
  const response = await answerFormOnce(services.records, ctx.req, next);
  removeShownNotice(ctx.req, response);
  // The service no longer accepts the token that the person signed in with.
  if (response.status === 401 && signedIn.session.token !== null) {
    services.sessions.clear(response.headers, origin);
  }
  return response;
});

async function loadDictionary(
  { records, settings }: Services,
  log: Log,
): Promise<StatusDictionary> {
  try {
    if (records) return await records.statuses.dictionary();
  } catch (error) {
    log.warn("The meanings of statuses could not be read", { reason: failureReason(error) });
  }
  return dictionaryFrom({ setting: settings.statuses, said: {} });
}

/** For the page of a schedule, which works without it. */
async function isWatched(
  scheduleId: number | null,
  { records }: Services,
  log: Log,
): Promise<boolean | null> {
  if (!records || scheduleId === null) return null;
  try {
    return await records.watches.get(scheduleId) !== undefined;
  } catch (error) {
    log.warn("The watched schedules could not be read", { reason: failureReason(error) });
    return null;
  }
}
