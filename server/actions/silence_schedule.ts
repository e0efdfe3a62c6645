/** Mutes a schedule or pauses its plan, and undoes each. */
import { isInPause, type Pause } from "../../lib/judgement/slots.ts";
import { ProblemError, throwIfInvalid } from "../http/problem.ts";
import { textIssue } from "../http/shape.ts";
import { momentText } from "../observer/words.ts";
import { type Acting, type ScheduleEventKind, watchEvent } from "../store/records/events.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { TransactionStep } from "../store/records/transaction_step.ts";
import type { KnownSchedule, WatchSettings } from "../store/records/watches.ts";
import { MAX_CHARACTERS } from "../store/text.ts";
import type { ActionServices } from "./action_services.ts";

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
  const watch = await records.watches.get(scheduleId);
  if (!watch) throw new ProblemError(409, UNWATCHED);
  const since = incident?.reason.since ?? now;
  const isGap = incident !== undefined && isOpenGap(incident);
  const facts = { now, since, until, isGap };
  const { change, event, noteOf }: Change = SCHEDULE_ACTIONS[kind];
  // Put in words once it is done: what was sent for a time may be none.
  const done: TransactionStep = (transaction) => {
    const about = {
      incidentId: incident?.id ?? null,
      note: [noteOf?.(facts), note.trim()].filter(Boolean).join("; ") || null,
    };
    return watchEvent(event, { ...acting, scheduleId }, about)(transaction);
  };
  const isDone = await records.watches.change(scheduleId, (watch) => change(watch, facts), now, [
    done,
  ]);
  if (!isDone) throw new ProblemError(409, UNWATCHED);
}

const UNWATCHED = "Docket no longer watches this schedule: watch it again";

export function isOpenEnded({ to }: Pause): boolean {
  return to === null;
}

export function isOpenGap(
  { code, resolved }: Pick<StoredIncident, "code" | "resolved">,
): boolean {
  return resolved === null && (code === "overdue" || code === "missed");
}

interface SilenceFacts {
  readonly now: number;
  readonly since: number;
  readonly until: number | null;
  readonly isGap: boolean;
}

interface Change {
  readonly event: ScheduleEventKind;
  readonly change: (watch: KnownSchedule, about: SilenceFacts) => Partial<WatchSettings>;
  readonly noteOf?: (about: SilenceFacts) => string;
}

const SCHEDULE_ACTIONS = {
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
} as const satisfies Readonly<Record<string, Change>>;

/** A pause begins with the gap, if the incident is about one. */
function pauseStart({ now, since, isGap }: SilenceFacts): number {
  return isGap ? Math.min(since, now) : now;
}

type ScheduleAction = keyof typeof SCHEDULE_ACTIONS;

export function isScheduleAction(kind: string): kind is ScheduleAction {
  return Object.hasOwn(SCHEDULE_ACTIONS, kind);
}
