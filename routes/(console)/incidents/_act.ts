import type { HandlerContext } from "fresh/types";
import { incidentHref } from "../../../components/runs/run_links.tsx";
import { timeOf } from "../../../lib/runs/times.ts";
import { HOUR } from "../../../lib/time_units.ts";
import {
  acknowledgeIncidents,
  actOnIncident,
  type IncidentAction,
} from "../../../server/actions/act_on_incident.ts";
import { actionServices } from "../../../server/actions/action_services.ts";
import { isScheduleAction, silenceSchedule } from "../../../server/actions/silence_schedule.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { invalidRequest, ProblemError } from "../../../server/http/problem.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { loadIncident } from "../../../server/pages/incident.ts";
import {
  clickActor,
  formActor,
  formProblem,
  NAME_MISSING,
  problemText,
  rememberName,
} from "../_actions.ts";
import type { ConsoleState } from "../_middleware.ts";
import { SPANS } from "./_incident_actions.tsx";

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
  const note = form.get("note") ?? "";
  if (incident.scheduleId !== null && isScheduleAction(kind)) {
    const about = { incident, note, until: until ?? null, gapFrom: Number(form.get("from")) };
    const { scheduleId } = incident;
    return await silenceSchedule(services, { scheduleId, kind, ...about }, { actor, now });
  }
  if (!Object.hasOwn(KINDS, kind)) throw new ProblemError(400, "There is no such action");
  const action = { kind: KINDS[kind], note, ...until && { until } };
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
  const until = Number(form.get("until")) || now;
  await acknowledgeIncidents(services, { code: form.get("code") ?? "", until }, { actor, now });
  const response = ctx.redirect(safeRedirectPath(form.get("next") ?? "/"), 303);
  return rememberName(response, form, ctx.state.origin);
}

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
