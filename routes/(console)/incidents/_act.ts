import { SPANS } from "../../../components/runs/incidents/incident_actions.tsx";
import { HOUR } from "../../../lib/time_units.ts";
import {
  acknowledgeIncidents,
  actOnIncident,
  type IncidentAction,
} from "../../../server/actions/act_on_incident.ts";
import { actionServices } from "../../../server/actions/action_services.ts";
import { invalidRequest, ProblemError } from "../../../server/http/problem.ts";
import {
  type ScheduleEventKind,
  type WatchAction,
  watchEvent,
} from "../../../server/store/records/events.ts";
import type { StoredWatch, WatchSettings } from "../../../server/store/records/watches.ts";
import { isInPause } from "../../../lib/judgement/slots.ts";
import { momentText } from "../../../server/observer/words.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import type { HandlerContext } from "fresh/types";
import { wholeNumber } from "../../../lib/format.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { NAME_MISSING, rememberName } from "../_actions.ts";
import type { ConsoleState } from "../_middleware.ts";
import { clickActor, formActor, formProblem, problemText, typedText } from "../_actions.ts";
import { isOpenEnded, isOpenGap, loadIncident } from "../../../server/pages/incident.ts";
import { incidentHref } from "../../../components/runs/run_links.tsx";

/** @throws {ProblemError} With status 400 and the fields' names as pointers, or 404 or 409 */
export async function act(
  state: Pick<ConsoleState, "services" | "origin" | "person" | "preferences">,
  incidentId: string,
  form: URLSearchParams,
  headers: Headers,
): Promise<void> {
  const services = actionServices(state);
  const { records } = services;
  const incident = await records.incidents.get(incidentId);
  if (!incident) throw new ProblemError(404, "There is no such incident");
  const now = Date.now();
  const kind = form.has("from") ? "unplanned-gap" : form.get("action") ?? "";
  // Ending a pause or a mute takes one click, without a name field.
  const isOneClick = kind === "unmute" || kind === "unmute-schedule" || kind === "resume-plan";
  const actor = formActor(state, form) ?? (isOneClick ? clickActor(state, headers) : null);
  if (!actor) throw invalidRequest([{ pointer: "/name", detail: NAME_MISSING }]);
  const until = kind.startsWith("mute") ? muteEnd(form, now, state.preferences.zone) : undefined;
  if (incident.scheduleId !== null && Object.hasOwn(SCHEDULE_ACTIONS, kind)) {
    const { scheduleId, reason } = incident;
    const watch = await records.watches.get(scheduleId);
    if (!watch) throw new ProblemError(409, UNWATCHED);
    const isPlanned = watch.pauses.some(({ from }) => String(from) === form.get("from"));
    if (kind === "unplanned-gap" && !isPlanned) {
      throw new ProblemError(409, "No planned gap begins then: it may have been undone meanwhile");
    }
    const since = reason.since ?? now;
    const about = { form, until: until ?? null, since, isGap: isOpenGap(incident), incidentId };
    if (!await changeSchedule(records, kind, { scheduleId, actor, now }, about)) {
      throw new ProblemError(409, UNWATCHED);
    }
    return;
  }
  if (!Object.hasOwn(KINDS, kind)) throw new ProblemError(400, "There is no such action");
  const action = { kind: KINDS[kind], note: form.get("note") ?? "", ...until && { until } };
  await actOnIncident(services, { incidentId, ...action }, { actor, now });
}

/** Does what the form of an incident's page asks for, and returns to the page that it names. */
export async function answerIncidentForm(
  ctx: HandlerContext<{ incidentId: string }, ConsoleState>,
) {
  const form = await readFormBody(ctx.req);
  const { incidentId } = ctx.params;
  const problem = await formProblem(() => act(ctx.state, incidentId, form, ctx.req.headers));
  // Also the page to show once an error is corrected.
  const next = form.get("next") || incidentHref(incidentId);
  if (problem === null) {
    const response = ctx.redirect(safeRedirectPath(next), 303);
    return rememberName(response, form, ctx.state.origin);
  }
  const text = (name: string) => form.get(name) ?? undefined;
  const typed = {
    next,
    name: text("name"),
    note: text("note"),
    span: text("span"),
    until: text("until"),
    action: text("action"),
  };
  const error = problemText(problem, { "/note": "Note" });
  const { status } = problem;
  return { data: { ...await loadIncident(ctx.state, incidentId), typed, error }, status };
}

/** Acknowledges the open incidents of a cause that had opened when the page was made. */
export async function acknowledgeGroup(
  ctx: HandlerContext<Record<never, string>, ConsoleState>,
): Promise<Response> {
  const form = await readFormBody(ctx.req);
  const services = actionServices(ctx.state);
  const now = Date.now();
  const actor = formActor(ctx.state, form);
  if (!actor) throw new ProblemError(400, NAME_MISSING);
  const until = wholeNumber(form.get("until") ?? "") ?? now;
  await acknowledgeIncidents(services, { code: form.get("code") ?? "", until }, { actor, now });
  const response = ctx.redirect(safeRedirectPath(form.get("next") ?? "/"), 303);
  return rememberName(response, form, ctx.state.origin);
}

const UNWATCHED = "Docket no longer watches this schedule: watch it again";

/** The buttons of an incident's form. */
const KINDS: Readonly<Record<string, IncidentAction["kind"]>> = {
  acknowledge: "acknowledged",
  unacknowledge: "unacknowledged",
  mute: "muted",
  unmute: "unmuted",
  resolve: "resolved",
  reopen: "reopened",
  note: "noted",
};

/** Mutes or pauses a schedule, or undoes that; false if it is not watched. */
export async function changeSchedule(
  { watches }: Pick<ObserverRecords, "watches">,
  kind: string,
  by: WatchAction,
  from?: Omit<ChangedSchedule, "now"> & { readonly incidentId: string },
): Promise<boolean> {
  const { scheduleId, now } = by;
  const { incidentId, ...given } = from ??
    { incidentId: null, form: new URLSearchParams(), until: null, since: now, isGap: false };
  const about = { ...given, now };
  const { change, event, noteOf } = SCHEDULE_ACTIONS[kind];
  const note = [noteOf?.(about), typedText(about.form, "note")].filter(Boolean).join("; ") || null;
  const done = watchEvent(event, by, { incidentId, note });
  return await watches.change(scheduleId, (watch) => change(watch, about), now, [done]);
}

interface ChangedSchedule {
  readonly form: URLSearchParams;
  readonly now: number;
  readonly since: number;
  readonly until: number | null;
  readonly isGap: boolean;
}

interface ScheduleAction {
  readonly event: ScheduleEventKind;
  readonly change: (watch: StoredWatch, about: ChangedSchedule) => Partial<WatchSettings>;
  readonly noteOf?: (about: ChangedSchedule) => string;
}

const SCHEDULE_ACTIONS: Readonly<Record<string, ScheduleAction>> = {
  "mute-schedule": {
    event: "schedule muted",
    change: (_, { until }) => ({ mutedUntil: until }),
    noteOf: ({ until }) => `until ${momentText(until)}`,
  },
  "unmute-schedule": {
    event: "schedule unmuted",
    change: () => ({ mutedUntil: null }),
  },
  "pause-plan": {
    event: "no runs expected",
    change: ({ pauses }, about) => {
      const [open, ended] = [pauses.filter(isOpenEnded), pauses.filter((one) => !isOpenEnded(one))];
      const from = Math.min(pauseStart(about), ...open.map((pause) => pause.from));
      return { pauses: [...ended, { from, to: null }] };
    },
    noteOf: (about) => `from ${momentText(pauseStart(about))} on`,
  },
  "resume-plan": {
    event: "runs expected again",
    change: ({ pauses }, { now }) => ({
      pauses: pauses.flatMap((pause) => {
        if (!isOpenEnded(pause) && !isInPause(now, [pause])) return [pause];
        return pause.from < now ? [{ ...pause, to: now }] : [];
      }),
    }),
  },
  "planned-gap": {
    event: "gap planned",
    change: ({ pauses }, { now, since }) => ({
      pauses: [
        ...pauses.filter((pause) => pause.from !== since || isOpenEnded(pause)),
        { from: since, to: now },
      ],
    }),
    noteOf: ({ now, since }) => `from ${momentText(since)} to ${momentText(now)}`,
  },
  "unplanned-gap": {
    event: "gap not planned",
    change: ({ pauses }, { form }) => ({
      pauses: pauses.filter((pause) =>
        isOpenEnded(pause) || String(pause.from) !== form.get("from")
      ),
    }),
    noteOf: ({ form }) => `from ${momentText(Number(form.get("from")))}`,
  },
};

/** A pause begins with the gap, if the incident is about one. */
function pauseStart({ now, since, isGap }: ChangedSchedule): number {
  return isGap ? Math.min(since, now) : now;
}

/** Until when to mute: the time that was typed, or the chosen span. */
function muteEnd(form: URLSearchParams, now: number, zone: string): number {
  const typed = form.get("until") ?? "";
  const [, hours] = SPANS.find(([name]) => name === form.get("span")) ?? ["1d", 24];
  const until = typed === "" ? now + hours * HOUR : timeOf(typed, zone);
  if (until !== undefined && until > now) return until;
  throw invalidRequest([{
    pointer: "/until",
    detail:
      "Enter a future time, such as 2030-01-31T06:00, or leave it empty and choose a duration",
  }]);
}
