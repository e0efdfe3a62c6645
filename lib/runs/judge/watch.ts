/** Watching a schedule: which incidents each look opens and resolves. */
import type { ReportRun } from "../../types.ts";
import { type TimedRun, withoutStrays } from "../occurrences.ts";
import type { Plan } from "../plans/plan.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../status.ts";
import { openRuns } from "./facts.ts";
import { type KnownRuns, knownRuns } from "./find_facts.ts";
import { reasonsOfLook } from "./judge_schedule.ts";
import { type Incident, incidentChanges, incidentKey, nextChange } from "./incidents.ts";
import type { Reason, ReasonCode } from "./reason.ts";
import { NO_FAILURES, patternOf } from "./retries.ts";
import type { Pause } from "./slots.ts";

/** Something that is wrong with a schedule, from when it was told until it was well again. */
export interface ReplayedIncident {
  /** What tells it from others: its code, and when or with which run it began. */
  readonly key: string;
  /** What is wrong. */
  readonly code: ReasonCode;
  /** The reason as it was when the incident opened. */
  readonly reason: Reason;
  /** When it was told, in milliseconds since 1970. */
  readonly opened: number;
  /** When it was well again, or null where it still holds. */
  readonly resolved: number | null;
  /** How often it came back soon after it was resolved. */
  readonly flaps: number;
}

/** What happened to an incident. */
export interface IncidentEvent {
  /** What happened. */
  readonly kind: "opened" | "resolved" | "flapping";
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** The incident's key. */
  readonly key: string;
  /** What is wrong. */
  readonly code: ReasonCode;
}

/** By what a schedule is watched. */
export interface WatchOptions {
  /** What each status means. Default: Docket's own. */
  readonly statuses?: StatusDictionary;
  /** The plan. By default it is inferred once, from the whole history. */
  readonly plan?: Plan;
  /** When no run is expected. */
  readonly pauses?: readonly Pause[];
  /** The reader's zone. */
  readonly zone?: string;
}

/** A watch of a schedule: look by look it says what happened. */
export interface Watch {
  /** Looks at the runs that are known at a moment, in any order, and tells what that changes. */
  look(runs: readonly ReportRun[], now: number): IncidentEvent[];
  /**
   * When to look again although nothing has run: a retry did not repair a failure, or what came and
   * went has stayed away. Null for not at all.
   */
  due(): number | null;
  /** All incidents so far, the oldest first. */
  incidents(): ReplayedIncident[];
}

/** So many of the newest runs that ended are judged: what is usual is told by them. */
export const MOST_RUNS = 120;

/**
 * Begins to watch a schedule.
 *
 * @param options What statuses mean, and the plan.
 * @returns The watch, which nothing has been told yet.
 */
export function createWatch(options: WatchOptions): Watch {
  const watch = watchInTime(options);
  return { ...watch, look: (runs, now) => watch.look(knownRuns({ runs }, now), now) };
}

/** A watch that is told runs in time. */
export interface WatchInTime extends Pick<Watch, "due" | "incidents"> {
  /** @param isLevel Whether it is known that sizes and durations give no reason. */
  look(
    known: Pick<KnownRuns, "timed" | "impossible" | "repeated">,
    now: number,
    isLevel?: boolean,
  ): IncidentEvent[];
  /** To be called instead of `look` where that would surely find the same reasons as before. */
  skipLook(now: number): void;
  /** The same where a run has just ended well: no failure waits for its retry any more. */
  skipLookAfterSuccess(now: number): void;
}

/** Begins to watch a schedule whose runs are in time. */
export function watchInTime(
  { statuses = defaultStatusDictionary(), plan, pauses = [], zone }: WatchOptions,
): WatchInTime {
  const incidents = new Map<string, KnownIncident>();
  let due: number | null = null;
  /** When it was looked at last, and until when what was found is known to have held. */
  let looked = -Infinity;
  let held = -Infinity;
  return {
    look({ timed, impossible, repeated }, now, isLevel) {
      const shown = withoutStrays({ timed: newestOf(timed, statuses), impossible });
      const since = shown.timed[0]?.time ?? now;
      const runs = [...shown.impossible, ...shown.timed.map(({ run }) => run)].reverse();
      const reasons = reasonsOfLook({ ...shown, runs, repeated, newerUnread: false }, {
        now,
        statuses,
        pauses,
        ...(zone === undefined ? {} : { zone }),
        // The plan holds since what is shown: what came before was looked at before.
        ...(plan ? { plan: { ...plan, since: Math.max(plan.since, since) } } : {}),
      }, isLevel);
      const all = [...incidents.values()];
      const open = all.filter(({ resolved }) => resolved === null)
        .map((each) => each.seen === looked ? { ...each, seen: held } : each);
      const ended = all.filter(({ resolved }) => resolved !== null);
      const isAsked = reasons.some(({ code }) => code === "failing") ||
        open.some(({ code }) => code === "flaky");
      const failures = isAsked ? patternOf(timed, statuses) : NO_FAILURES;
      const moment = { at: now, isMuted: false, failures };
      const changes = incidentChanges({ scheduleId: null, open, ended }, reasons, moment);
      due = nextChange(changes, reasons, moment);
      looked = held = now;
      const events: IncidentEvent[] = [];
      for (const { incident, event } of changes) {
        const { id, code, reason } = incident;
        const first = incidents.get(id)?.first ?? reason as Reason;
        incidents.set(id, { ...incident, first });
        if (event === null || event === "notified") continue;
        const kind = event === "reopened" ? "flapping" : event;
        events.push({ kind, at: now, key: incidentKey(first), code: code as ReasonCode });
      }
      return events;
    },
    skipLook(now) {
      held = now;
    },
    skipLookAfterSuccess(now) {
      held = now;
      due = null;
    },
    due: () => due,
    incidents: () =>
      [...incidents.values()].map(({ first, opened, resolved, flaps }) => ({
        key: incidentKey(first),
        code: first.code,
        reason: first,
        opened,
        resolved,
        flaps,
      })),
  };
}

/** An incident, and the reason for which it was opened. */
interface KnownIncident extends Incident {
  readonly first: Reason;
}

/** The newest runs that ended, and those that go on: one that begins takes no other's place. */
function newestOf(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
): readonly TimedRun<ReportRun>[] {
  return timed.slice(-MOST_RUNS - openRuns(timed, statuses).length);
}
