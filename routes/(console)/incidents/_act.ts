import { SPANS } from "../../../components/runs/incidents/incident_actions.tsx";
import { HOUR } from "../../../lib/time_units.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { type Action, actOn } from "../../../server/observer/actions.ts";
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
import { takeTurn } from "../../../server/workers/take_turn.ts";
import { NAME_MISSING, rememberName } from "../_actions.ts";
import type { ConsoleState } from "../_middleware.ts";
import { clickActor, formActor, typedText } from "../_actions.ts";
import { isOpenEnded, isOpenGap, loadIncident } from "../../../server/pages/incident.ts";
import { incidentHref } from "../../../components/runs/run_links.tsx";
import { recordsOf } from "./_incidents.ts";

export type ActIssue = "name" | "note" | "until" | "state" | "watch";

export async function act(
  { services, origin, person, preferences: { zone } }: Pick<
    ConsoleState,
    "services" | "origin" | "person" | "preferences"
  >,
  id: string,
  form: URLSearchParams,
  headers: Headers,
): Promise<ActIssue | null> {
  const records = recordsOf(services);
  const incident = await records.incidents.get(id);
  if (!incident) throw new ProblemError(404, "There is no such incident");
  const now = Date.now();
  const kind = form.has("from") ? "unplanned-gap" : form.get("action") ?? "";
  // Ending a pause or a mute takes one click, without a name field.
  const isOneClick = kind === "unmute" || kind === "unmute-schedule" || kind === "resume-plan";
  const actor = formActor({ person }, form) ??
    (isOneClick ? clickActor({ person }, headers) : null);
  const until = muteEndOf(form, { now, zone });
  if (until === null && kind.startsWith("mute")) return "until";
  if (incident.scheduleId !== null && Object.hasOwn(SCHEDULE_ACTIONS, kind)) {
    if (!actor) return "name";
    const { scheduleId, reason } = incident;
    const watch = await records.watches.get(scheduleId);
    if (!watch) return "watch";
    const isPlanned = watch.pauses.some(({ from }) => String(from) === form.get("from"));
    if (kind === "unplanned-gap" && !isPlanned) {
      throw new ProblemError(409, "No planned gap begins then: it may have been undone meanwhile");
    }
    const about = { form, until, since: reason.since ?? now, isGap: isOpenGap(incident) };
    const by = { scheduleId, actor, now };
    return await changeSchedule(records, kind, by, { ...about, incidentId: id }) ? null : "watch";
  }
  const action = actionOf(kind, until);
  if (!action) throw new ProblemError(400, "There is no such action");
  if (!actor) return "name";
  const note = typedText(form, "note");
  if (kind === "note" && note === "") return "note";
  const result = await actOn(
    { records, origin, now },
    id,
    action,
    { actor, note },
  );
  if (result === "done") return null;
  return result === "unwatched" ? "watch" : "state";
}

/** Does what the form of an incident's page asks for, and returns to the page that it names. */
export async function actOnIncident(ctx: HandlerContext<{ incidentId: string }, ConsoleState>) {
  const form = await readFormBody(ctx.req);
  const { incidentId } = ctx.params;
  const error = await act(ctx.state, incidentId, form, ctx.req.headers);
  // Also the page to show once an error is corrected.
  const next = form.get("next") || incidentHref(incidentId);
  if (error === null) {
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
  const status = error === "state" || error === "watch" ? 409 : 400;
  return { data: { ...await loadIncident(ctx.state, incidentId), typed, error }, status };
}

/** Acknowledges the open incidents of a cause that had opened when the page was made. */
export async function acknowledgeGroup(
  ctx: HandlerContext<Record<never, string>, ConsoleState>,
): Promise<Response> {
  const form = await readFormBody(ctx.req);
  const records = recordsOf(ctx.state.services);
  const now = Date.now();
  const actor = formActor(ctx.state, form);
  if (!actor) throw new ProblemError(400, NAME_MISSING);
  const until = wholeNumber(form.get("until") ?? "") ?? now;
  const needed = await records.incidents.attention("needed", now, Number.MAX_SAFE_INTEGER);
  for (const { id, code, opened } of needed.items) {
    if (code !== form.get("code") || opened > until) continue;
    await actOn({ records, origin: ctx.state.origin, now }, id, { kind: "acknowledge" }, {
      actor,
      note: "",
    });
    await takeTurn();
  }
  const response = ctx.redirect(safeRedirectPath(form.get("next") ?? "/"), 303);
  return rememberName(response, form, ctx.state.origin);
}

const PLAIN = ["acknowledge", "unacknowledge", "unmute", "resolve", "reopen", "note"] as const;

function actionOf(kind: string, until: number | null): Action | null {
  if (kind === "mute") return until === null ? null : { kind, until };
  const known = PLAIN.find((each) => each === kind);
  return known ? { kind: known } : null;
}

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

/** Until when to mute: the time that was typed, or the chosen span; null if it has passed. */
function muteEndOf(
  form: URLSearchParams,
  { now, zone }: { readonly now: number; readonly zone: string },
): number | null {
  const typed = form.get("until") ?? "";
  if (typed === "") {
    const [, hours] = SPANS.find(([name]) => name === form.get("span")) ?? ["1d", 24];
    return now + hours * HOUR;
  }
  const until = timeOf(typed, zone);
  return until !== undefined && until > now ? until : null;
}
