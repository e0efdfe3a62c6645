import type { Backend } from "../../lib/client/backend.ts";
import { removeShownNotice } from "../../server/http/cookies.ts";
import { MAX_QUERY_LENGTH, readScheduleId } from "../../server/http/request_query.ts";
import { readTypedForm, saveTypedForm, type TypedForm } from "../../server/auth/typed_form.ts";
import type { SignedIn } from "../../server/backend/current_session.ts";
import {
  recordsOfSchedules,
  requireVisible,
  type VisibleSchedules,
} from "../../server/backend/visible_schedules.ts";
import { actionOf, requireRole } from "../../server/auth/roles.ts";
import { whyNotObserved } from "../../server/observer/service_observer.ts";
import type { Log } from "../../server/log/log.ts";
import { reasonOf } from "../../server/log/log_problem.ts";
import type { Services } from "../../server/program/services.ts";
import { takeTurn } from "../../server/workers/take_turn.ts";
import { middleware, type ParentState } from "./$_middleware.ts";

export interface ConsoleState extends ParentState {
  backend: Backend;
  /** The same backend with the longer timeouts of downloads. */
  downloadBackend: Backend;
  /** How many incidents are open; null if nothing is watched, or the database is away. */
  openIncidents: number | null;
  /** Whether the schedule in the path is watched; null without records, or if they can't be read. */
  isWatched: boolean | null;
  /** The schedules whose records the person may see; null for all. */
  visible: VisibleSchedules | null;
  /** A form that was sent from this page after the session had ended, to show again. */
  typed: TypedForm | null;
}
export type State = ConsoleState;

export default middleware(async (ctx) => {
  // No page handles OPTIONS, so the error page answers it, for everybody.
  if (ctx.req.method === "OPTIONS") return await ctx.next(ctx.state as ConsoleState);
  const { signedIn, services: all, requestId, log, origin } = ctx.state;
  await all.open();
  const { pathname, search } = ctx.url;
  const place = { cookies: all.cookies, origin, now: Date.now() };
  if (!signedIn) {
    const signIn = (next: string) => `?${new URLSearchParams({ next })}`;
    const kept = new Headers();
    const isForm = ctx.req.method === "POST" && isFromPage(ctx.req);
    const next = isForm ? await saveTypedForm(ctx.req, kept, place) : pathname + search;
    const whole = signIn(next);
    const query = whole.length > MAX_QUERY_LENGTH ? signIn(next.split("?")[0]) : whole;
    const response = ctx.redirect(`/sign-in${query}`, 303);
    for (const cookie of kept.getSetCookie()) response.headers.append("set-cookie", cookie);
    return response;
  }
  requireRole(signedIn.role, actionOf(ctx.req, pathname));
  const visible = await loadVisible(ctx.state, signedIn, ctx.req.method !== "GET", ctx.url);
  const services = visible && all.records
    ? { ...all, records: recordsOfSchedules(all.records, visible) }
    : all;
  const scheduleId = readScheduleId(/^\/schedules\/(\d+)/.exec(pathname)?.[1] ?? "");
  if (ctx.req.method !== "GET" && scheduleId !== null) requireVisible(visible, [scheduleId]);
  const [openIncidents, watched] = await Promise.all([
    countOpenIncidents(services),
    isWatched(scheduleId, services, log),
  ]);
  const typed = ctx.req.method === "GET" ? await readTypedForm(ctx.req, ctx.url, place) : null;
  await takeTurn();
  const response = await ctx.next({
    ...ctx.state,
    services,
    visible,
    backend: services.backendFor(signedIn.token, { requestId }),
    downloadBackend: services.backendFor(signedIn.token, { requestId, timeouts: "download" }),
    openIncidents,
    isWatched: watched,
    typed,
  });
  if (typed) services.cookies.remove(response.headers, "typed", origin);
  removeShownNotice(ctx.req, response);
  // The service no longer accepts the token that the person signed in with.
  if (response.status === 401 && signedIn.session.token !== null) {
    services.sessions.clear(response.headers, origin);
  }
  return response;
});

/** Whether a browser sends a form, rather than a script of a page. */
function isFromPage({ headers }: Request): boolean {
  return (headers.get("sec-fetch-mode") ?? "navigate") === "navigate";
}

/** How long a file waits until the service says which schedules it may have. */
const FILE_WAIT_MS = 60_000;
/** Pages that need no schedules, only the number of open incidents. */
const WITHOUT_SCHEDULES = /^\/(filesets|preferences)(\/|$)/;

/** If the records can't be read, no schedule is visible, and changes are refused. */
async function loadVisible(
  { services, requestId, log }: ParentState,
  signedIn: SignedIn,
  isChanging: boolean,
  { pathname, searchParams }: URL,
): Promise<VisibleSchedules | null> {
  const isFile = pathname.startsWith("/people/") && searchParams.has("format");
  try {
    const visible = await services.visibleTo(
      signedIn,
      { requestId },
      ({ incidents, overview }) =>
        WITHOUT_SCHEDULES.test(pathname) ? incidents.openScheduleIds() : overview.ids(),
      isFile ? FILE_WAIT_MS : undefined,
    );
    // A file would lack them without a word.
    if (isFile && visible) requireVisible(visible, [...visible.unchecked]);
    return visible;
  } catch (error) {
    if (isChanging || isFile) throw error;
    log.warn("The known schedules could not be read", { reason: reasonOf(error) });
    return { ids: new Set(), hidden: new Set(), unchecked: new Set() };
  }
}

/** For the navigation. The page works without it. */
async function countOpenIncidents(services: Services): Promise<number | null> {
  if (whyNotObserved(services) !== null) return null;
  try {
    const { critical, warning } = await services.records!.incidents.countOpen();
    return critical + warning;
  } catch {
    return null;
  }
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
    log.warn("The watched schedules could not be read", { reason: reasonOf(error) });
    return null;
  }
}
