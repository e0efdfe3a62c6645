import { ProblemError } from "../../../server/http/problem.ts";
import { type Action, actOn } from "../../../server/observer/actions.ts";
import type { Services } from "../../../server/program/services.ts";
import { insertEvent } from "../../../server/store/observer/incidents.ts";
import type { ScheduleEventKind } from "../../../server/store/observer/types.ts";
import type { Records } from "../../../server/store/observer/records.ts";
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
  { services, origin, preferences: { zone } }: {
    readonly services: Services;
    readonly origin: string;
    readonly preferences: { readonly zone: string };
  },
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
  if (incident.scheduleId !== null && kind in SCHEDULE_ACTIONS) {
    if (person === "") return "name";
    const { since } = incident.reason;
    const about = { form, now, since: since ?? now, until };
    const { change, event } = SCHEDULE_ACTIONS[kind];
    if (!await change(records, incident.scheduleId, about)) return "watch";
    const line = { incidentId: id, at: now, kind: event, person, note: null };
    await records.commit([insertEvent(line)]);
    return null;
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

/** What is done with an incident's schedule; false if it is not watched. */
type ScheduleChange = (
  records: Records,
  scheduleId: number,
  about: {
    readonly form: URLSearchParams;
    readonly now: number;
    readonly since: number;
    readonly until: number | null;
  },
) => Promise<boolean>;

const SCHEDULE_ACTIONS: Readonly<
  Record<string, { readonly event: ScheduleEventKind; readonly change: ScheduleChange }>
> = {
  "mute-schedule": {
    event: "schedule muted",
    change: ({ watches }, id, { now, until }) => watches.change(id, { mutedUntil: until }, now),
  },
  "unmute-schedule": {
    event: "schedule unmuted",
    change: ({ watches }, id, { now }) => watches.change(id, { mutedUntil: null }, now),
  },
  "pause-plan": {
    event: "no runs expected",
    change: (records, id, { now, since }) =>
      changePauses(records, id, now, (pauses) => [
        ...pauses.filter(({ to }) => to !== null),
        { from: Math.min(since, now), to: null },
      ]),
  },
  "resume-plan": {
    event: "runs expected again",
    change: (records, id, { now }) =>
      changePauses(
        records,
        id,
        now,
        (pauses) => pauses.map((pause) => pause.to === null ? { ...pause, to: now } : pause),
      ),
  },
  "planned-gap": {
    event: "gap planned",
    change: (records, id, { now, since }) =>
      changePauses(records, id, now, (pauses) => [
        ...pauses.filter(({ from, to }) => from !== since || to === null),
        { from: since, to: now },
      ]),
  },
  "unplanned-gap": {
    event: "gap not planned",
    change: (records, id, { form, now }) =>
      changePauses(
        records,
        id,
        now,
        (pauses) =>
          pauses.filter(({ from, to }) => to === null || String(from) !== form.get("from")),
      ),
  },
};

type Pauses = { readonly from: number; readonly to: number | null }[];

async function changePauses(
  { watches }: Records,
  scheduleId: number,
  now: number,
  change: (pauses: Pauses) => Pauses,
): Promise<boolean> {
  const watch = await watches.get(scheduleId);
  if (!watch) return false;
  return await watches.change(scheduleId, { pauses: change([...watch.pauses]) }, now);
}

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
