import { ProblemError } from "../../../server/http/problem.ts";
import { type Action, actOn } from "../../../server/observer/actions.ts";
import type { State } from "../_middleware.ts";
import { insertEvent } from "../../../server/store/observer/incidents.ts";
import type {
  ScheduleEventKind,
  Watch,
  WatchSettings,
} from "../../../server/store/observer/types.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import { textIssue } from "../../../server/store/text.ts";
import { outletsFor, recordsOf } from "./_incidents.ts";

const HOUR = 3_600_000;
const SPANS: Readonly<Record<string, number>> = {
  "1h": HOUR,
  "4h": 4 * HOUR,
  "1d": 24 * HOUR,
  "7d": 7 * 24 * HOUR,
};
const MOST_CHARACTERS = { name: 100, note: 1000 };

/** An error of an action: a field of the form, or the state of the incident or its watch. */
export type ActIssue = "name" | "note" | "until" | "state" | "watch";

/** Does what a form on an incident's page asks for; returns what is wrong, if anything. */
export async function act(
  { services, origin, preferences: { zone } }: State,
  id: string,
  form: URLSearchParams,
): Promise<ActIssue | null> {
  const records = recordsOf(services);
  const incident = await records.incidents.get(id);
  if (!incident) throw new ProblemError(404, "There is no such incident");
  const now = Date.now();
  const kind = form.has("from") ? "unplanned-gap" : form.get("action") ?? "";
  const person = textOf(form, "name");
  const until = muteEndOf(form, { now, zone });
  if (until === null && kind.startsWith("mute")) return "until";
  if (incident.scheduleId !== null && Object.hasOwn(SCHEDULE_ACTIONS, kind)) {
    if (person === "") return "name";
    const watch = await records.watches.get(incident.scheduleId);
    if (!watch) return "watch";
    const { change, event } = SCHEDULE_ACTIONS[kind];
    const settings = change(watch, { form, now, since: incident.reason.since ?? now, until });
    const line = insertEvent({ incidentId: id, at: now, kind: event, person, note: null });
    const isDone = await records.watches.change(watch.scheduleId, settings, now, [line]);
    return isDone ? null : "watch";
  }
  const action = actionOf(kind, until);
  if (!action) throw new ProblemError(400, "There is no such action");
  if (person === "") return "name";
  const note = textOf(form, "note");
  if (kind === "note" && note === "") return "note";
  const result = await actOn(
    { records, outlets: outletsFor(services), origin, now },
    id,
    action,
    { person, note },
  );
  if (result === "done") return null;
  return result === "unwatched" ? "watch" : "state";
}

function actionOf(kind: string, until: number | null): Action | null {
  switch (kind) {
    case "acknowledge":
    case "unacknowledge":
    case "unmute":
    case "resolve":
    case "reopen":
    case "note":
      return { kind };
    case "mute":
      return until === null ? null : { kind, until };
    default:
      return null;
  }
}

/** What changes about the watch of an incident's schedule. */
type ScheduleChange = (
  watch: Watch,
  about: {
    readonly form: URLSearchParams;
    readonly now: number;
    readonly since: number;
    readonly until: number | null;
  },
) => Partial<WatchSettings>;

const SCHEDULE_ACTIONS: Readonly<
  Record<string, { readonly event: ScheduleEventKind; readonly change: ScheduleChange }>
> = {
  "mute-schedule": {
    event: "schedule muted",
    change: (_, { until }) => ({ mutedUntil: until }),
  },
  "unmute-schedule": {
    event: "schedule unmuted",
    change: () => ({ mutedUntil: null }),
  },
  "pause-plan": {
    event: "no runs expected",
    change: ({ pauses }, { now, since }) => ({
      pauses: [
        ...pauses.filter(({ to }) => to !== null),
        { from: Math.min(since, now), to: null },
      ],
    }),
  },
  "resume-plan": {
    event: "runs expected again",
    change: ({ pauses }, { now }) => ({
      pauses: pauses.map((pause) => pause.to === null ? { ...pause, to: now } : pause),
    }),
  },
  "planned-gap": {
    event: "gap planned",
    change: ({ pauses }, { now, since }) => ({
      pauses: [
        ...pauses.filter(({ from, to }) => from !== since || to === null),
        { from: since, to: now },
      ],
    }),
  },
  "unplanned-gap": {
    event: "gap not planned",
    change: ({ pauses }, { form }) => ({
      pauses: pauses.filter(({ from, to }) => to === null || String(from) !== form.get("from")),
    }),
  },
};

/** Until when to mute: the time that was typed, or the chosen span; null if it has passed. */
function muteEndOf(
  form: URLSearchParams,
  { now, zone }: { readonly now: number; readonly zone: string },
): number | null {
  const typed = form.get("until") ?? "";
  if (typed === "") return now + (SPANS[form.get("span") ?? ""] ?? SPANS["1d"]);
  const until = timeOf(typed, zone);
  return until !== undefined && until > now ? until : null;
}

function textOf(form: URLSearchParams, name: keyof typeof MOST_CHARACTERS): string {
  const text = form.get(name)?.trim() ?? "";
  const most = MOST_CHARACTERS[name];
  const issue = textIssue(text) ??
    (text.length > most ? `must have at most ${most} characters` : "");
  if (issue) throw new ProblemError(400, `The ${name} ${issue}`);
  return text;
}
