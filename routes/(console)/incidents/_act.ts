import { ProblemError } from "../../../server/http/problem.ts";
import { type Action, actOn } from "../../../server/observer/actions.ts";
import type { Services } from "../../../server/program/services.ts";
import type { Records } from "../../../server/store/observer/records.ts";
import { textIssue } from "../../../server/store/text.ts";
import { outletsFor, recordsOf } from "./_incidents.ts";

const HOUR = 3_600_000;
/** For how long something can be muted. */
const SPANS: Readonly<Record<string, number>> = {
  "1h": HOUR,
  "4h": 4 * HOUR,
  "1d": 24 * HOUR,
  "7d": 7 * 24 * HOUR,
};
const MOST_CHARACTERS = { name: 100, note: 1000 };

/** Does what a form on an incident's page asks for; gives the name of what went wrong, if anything. */
export async function act(
  { services, origin }: { readonly services: Services; readonly origin: string },
  id: string,
  form: URLSearchParams,
): Promise<string | null> {
  const records = recordsOf(services);
  const incident = await records.incidents.get(id);
  if (!incident) throw new ProblemError(404, "There is no such incident");
  const now = Date.now();
  const kind = form.get("action") ?? "";
  if (incident.scheduleId !== null && kind in SCHEDULE_ACTIONS) {
    const { since } = incident.reason;
    await SCHEDULE_ACTIONS[kind](records, incident.scheduleId, { form, now, since: since ?? now });
    return null;
  }
  const action = actionOf(kind, form, now);
  if (!action) throw new ProblemError(400, "There is no such action");
  const person = textOf(form, "name");
  if (person === "") return "name";
  const result = await actOn(
    { records, outlets: outletsFor(services), origin, now },
    id,
    action,
    { person, note: textOf(form, "note") },
  );
  return result === "done" ? null : "state";
}

function actionOf(kind: string, form: URLSearchParams, now: number): Action | null {
  switch (kind) {
    case "acknowledge":
    case "unacknowledge":
    case "unmute":
    case "resolve":
      return { kind };
    case "mute":
      return { kind, until: now + spanOf(form) };
    default:
      return null;
  }
}

/** What is done with the schedule of an incident. */
type ScheduleAction = (
  records: Records,
  scheduleId: number,
  about: { readonly form: URLSearchParams; readonly now: number; readonly since: number },
) => Promise<void>;

const SCHEDULE_ACTIONS: Readonly<Record<string, ScheduleAction>> = {
  "mute-schedule": async ({ watches }, id, { form, now }) =>
    void await watches.change(id, { mutedUntil: now + spanOf(form) }, now),
  "unmute-schedule": async ({ watches }, id, { now }) =>
    void await watches.change(id, { mutedUntil: null }, now),
  "pause-plan": (records, id, { now, since }) =>
    changePauses(records, id, now, (pauses) => [
      ...pauses.filter(({ to }) => to !== null),
      { from: Math.min(since, now), to: null },
    ]),
  "resume-plan": (records, id, { now }) =>
    changePauses(
      records,
      id,
      now,
      (pauses) => pauses.map((pause) => pause.to === null ? { ...pause, to: now } : pause),
    ),
  "planned-gap": (records, id, { now, since }) =>
    changePauses(records, id, now, (pauses) => [...pauses, { from: since, to: now }]),
  "unplanned-gap": (records, id, { form, now }) =>
    changePauses(
      records,
      id,
      now,
      (pauses) =>
        pauses.filter(({ from, to }) =>
          to === null || new Date(from).toISOString() !== form.get("from")
        ),
    ),
};

type Pauses = { readonly from: number; readonly to: number | null }[];

async function changePauses(
  { watches }: Records,
  scheduleId: number,
  now: number,
  change: (pauses: Pauses) => Pauses,
): Promise<void> {
  const watch = await watches.get(scheduleId);
  if (watch) await watches.change(scheduleId, { pauses: change([...watch.pauses]) }, now);
}

function spanOf(form: URLSearchParams): number {
  return SPANS[form.get("span") ?? ""] ?? SPANS["1d"];
}

function textOf(form: URLSearchParams, name: keyof typeof MOST_CHARACTERS): string {
  const text = form.get(name)?.trim() ?? "";
  const most = MOST_CHARACTERS[name];
  const issue = textIssue(text) ??
    (text.length > most ? `must have at most ${most} characters` : "");
  if (issue) throw new ProblemError(400, `The ${name} ${issue}`);
  return text;
}
