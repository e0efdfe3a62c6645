/** Mutes a schedule or pauses its plan, and undoes each. */
import { isInPause, type Pause } from "../../lib/judgement/slots.ts";
import { ProblemError, throwIfInvalid } from "../http/problem.ts";
import { textIssue } from "../http/shape.ts";
import { momentText } from "../observer/words.ts";
import { type Acting, watchEvent } from "../store/records/events.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { KnownSchedule, WatchSettings } from "../store/records/watches.ts";
import { MAX_CHARACTERS } from "../store/text.ts";
import type { ActionServices } from "./action_services.ts";

/** What is recorded of each. */
const EVENTS = {
  "mute-schedule": "schedule muted",
  "unmute-schedule": "schedule unmuted",
  "pause-plan": "no runs expected",
  "resume-plan": "runs expected again",
} as const;

type ScheduleAction = keyof typeof EVENTS;

interface ScheduleSilence {
  readonly scheduleId: number;
  readonly kind: ScheduleAction;
  readonly note?: string;
  /** The incident on whose page it is done: a pause begins with its gap. */
  readonly incident?: StoredIncident;
  /** When a muting ends, in milliseconds since 1970. */
  readonly until?: number | null;
}

/** @throws {ProblemError} With the pointer `/note`, or status 409 if it is not possible (any more) */
export async function silenceSchedule(
  { records }: Pick<ActionServices, "records">,
  { scheduleId, kind, note = "", incident, until = null }: ScheduleSilence,
  acting: Acting,
): Promise<void> {
  const { now } = acting;
  const issue = textIssue(note, MAX_CHARACTERS.note);
  throwIfInvalid(issue ? [{ pointer: "/note", detail: issue }] : []);
  const isGap = incident !== undefined && isOpenGap(incident);
  const from = isGap ? Math.min(incident.reason.since ?? now, now) : now;
  const change = ({ pauses, watched }: KnownSchedule): Partial<WatchSettings> | null => {
    if (watched === 0) return null;
    if (kind === "pause-plan") return { pauses: withOpenEnd(pauses, from) };
    if (kind === "resume-plan") return { pauses: withoutOpenEnd(pauses, now) };
    return { mutedUntil: kind === "mute-schedule" ? until : null };
  };
  const span = kind === "mute-schedule"
    ? `until ${momentText(until)}`
    : kind === "pause-plan" && `from ${momentText(from)} on`;
  const event = watchEvent(EVENTS[kind], { ...acting, scheduleId }, {
    incidentId: incident?.id ?? null,
    note: [span, note.trim()].filter(Boolean).join("; ") || null,
  });
  if (await records.watches.change(scheduleId, change, now, [event])) return;
  throw new ProblemError(409, "Docket no longer watches this schedule: watch it again");
}

/** Adds a pause without an end. It replaces one that has none either, from the earlier start on. */
function withOpenEnd(pauses: readonly Pause[], from: number): readonly Pause[] {
  const open = pauses.filter(isOpenEnded).map((pause) => pause.from);
  const ended = pauses.filter((pause) => !isOpenEnded(pause));
  return [...ended, { from: Math.min(from, ...open), to: null }];
}

/** Ends each pause that goes on or has no end. One that has not begun is removed. */
function withoutOpenEnd(pauses: readonly Pause[], now: number): readonly Pause[] {
  return pauses.flatMap((pause) => {
    if (!isOpenEnded(pause) && !isInPause(now, [pause])) return [pause];
    return pause.from < now ? [{ ...pause, to: now }] : [];
  });
}

export function isOpenEnded({ to }: Pause): boolean {
  return to === null;
}

export function isOpenGap(
  { code, resolved }: Pick<StoredIncident, "code" | "resolved">,
): boolean {
  return resolved === null && (code === "overdue" || code === "missed");
}

export function isScheduleAction(kind: string): kind is ScheduleAction {
  return Object.hasOwn(EVENTS, kind);
}
