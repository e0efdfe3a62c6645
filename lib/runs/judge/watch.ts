/**
 * Watching a schedule: which incidents each look opens and resolves. A replay of a history is the
 * same watching, at the moments at which something happened.
 *
 * @module
 */
import type { ReportRun } from "../../types.ts";
import { defaultStatusDictionary, meaningOf, type StatusDictionary } from "../status.ts";
import { addTo, quantileOfSorted, takeFrom } from "../sorted.ts";
import { durationOf, timeOf } from "../times.ts";
import { inferPlan } from "../plans/infer.ts";
import { type Plan, planSlots } from "../plans/plan.ts";
import { levelNumbersOf } from "./content_reasons.ts";
import { reasonsOfLook } from "./judge_schedule.ts";
import { type Incident, incidentChanges, incidentKey, nextChange } from "./incidents.ts";
import { climbIn, shiftIn } from "./level.ts";
import type { Reason, ReasonCode } from "./reason.ts";
import { failurePattern, NO_FAILURES, RETRIED_RUNS, WELL_AGAIN } from "./retries.ts";

const MINUTE = 60_000;

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
  /** The reader's zone. */
  readonly zone?: string;
}

/** A watch of a schedule: look by look it says what happened. */
export interface Watch {
  /** Looks at the runs that are known at a moment, and tells what that changes. */
  look(runs: readonly ReportRun[], now: number): IncidentEvent[];
  /**
   * When to look again although nothing has run: a retry did not repair a failure, or what came and
   * went has stayed away. Null for not at all.
   */
  due(): number | null;
  /** All incidents so far, the oldest first. */
  incidents(): ReplayedIncident[];
}

/** So many of the newest runs are judged: what is usual is told by them. */
const MOST_RUNS = 120;
/** So many are looked at: how failures were repaired before shows over a longer time. */
const MOST_KNOWN = Math.max(RETRIED_RUNS, MOST_RUNS + 1);

/**
 * Begins to watch a schedule.
 *
 * @param options What statuses mean, and the plan.
 * @returns The watch, which nothing has been told yet.
 */
export function createWatch(
  { statuses = defaultStatusDictionary(), plan, zone }: WatchOptions,
): Watch {
  const incidents = new Map<string, KnownIncident>();
  let due: number | null = null;
  return {
    look(runs, now) {
      const shown = runs.slice(-MOST_RUNS);
      const since = timeOf(shown[0]?.startTime) ?? now;
      const reasons = reasonsOfLook({ runs: shown, olderUnread: shown.length < runs.length }, {
        now,
        statuses,
        ...(zone === undefined ? {} : { zone }),
        // The plan holds since what is shown: what came before was looked at before.
        ...(plan ? { plan: { ...plan, since: Math.max(plan.since, since) } } : {}),
      });
      const known = [...incidents.values()];
      const open = known.filter(({ resolved }) => resolved === null);
      const ended = known.filter(({ resolved }) => resolved !== null);
      const isAsked = reasons.some(({ code }) => code === "failing") ||
        open.some(({ code }) => code === "flaky");
      const failures = isAsked ? failurePattern(runs, { statuses, now }) : NO_FAILURES;
      const moment = { at: now, isMuted: false, failures };
      const changes = incidentChanges({ scheduleId: null, open, ended }, reasons, moment);
      due = nextChange(changes, reasons, moment);
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

/** What a replay gives. */
export interface Replay {
  /** What watching would have told, in order. */
  readonly events: readonly IncidentEvent[];
  /** The incidents that watching would have opened. */
  readonly incidents: readonly ReplayedIncident[];
  /** The plan that they rest on. */
  readonly plan: Plan | null;
}

/**
 * Replays a history: the incidents that watching it would have opened and resolved, and when.
 *
 * @param runs The runs, in any order.
 * @param options What statuses mean, the plan, and until when to replay, in milliseconds since 1970.
 * @returns The events, the incidents and the plan.
 *
 * @example
 * ```ts
 * import { replay } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const day = 86_400_000;
 * const runs = Array.from({ length: 30 }, (_, at) => ({
 *   id: at,
 *   status: "success",
 *   startTime: new Date(Date.UTC(2026, 0, 1, 6) + at * day).toISOString(),
 *   endTime: new Date(Date.UTC(2026, 0, 1, 6, 1) + at * day).toISOString(),
 * })).filter(({ id }) => id !== 20);
 * const { events } = replay(runs, { until: Date.UTC(2026, 0, 30, 12) });
 * assertEquals(events[0].kind, "opened");
 * assertEquals(events[0].code, "overdue");
 * assertEquals(new Date(events[0].at).toISOString().slice(0, 16), "2026-01-21T06:05");
 * ```
 */
export function replay(
  runs: readonly ReportRun[],
  options: WatchOptions & { readonly until: number },
): Replay {
  const { until, zone, statuses = defaultStatusDictionary() } = options;
  const plan = options.plan ?? inferPlan(runs, { now: until, statuses, ...(zone ? { zone } : {}) });
  const timed = runs.map(timedRun)
    .filter(({ start }) => start <= until)
    .sort((a, b) => a.start - b.start || a.run.id - b.run.id);
  const watch = createWatch({ ...options, ...(plan ? { plan: { ...plan, since: 0 } } : {}) });
  const events: IncidentEvent[] = [];
  const isUsual = usualRuns(timed.map(({ run }) => run), statuses);
  const hasOtherLevel = otherLevels(timed, statuses);
  const failedBefore = lastFailures(timed, statuses);
  const open = new Set<ReasonCode>();
  function look(count: number, at: number): void {
    for (const event of watch.look(shownAt(timed, count, at), at)) {
      events.push(event);
      if (event.kind === "resolved") open.delete(event.code);
      else open.add(event.code);
    }
  }
  /** Whether all that is open is that runs fail now and then, which only time without failures ends. */
  function isAwaited(change: number): boolean {
    return open.size === 1 && open.has("flaky") && isUsual(change) &&
      change - failedBefore[change] < WELL_AGAIN;
  }
  let known = 0;
  for (const { at, count, change, ended } of momentsOf(timed, plan, until)) {
    for (let due = watch.due(); due !== null && due < at; due = watch.due()) look(known, due);
    known = count;
    // A start changes only what is open or awaited, and so does an ordinary run, unless with
    // others it makes another level.
    const mayOpen = change === null || ended && (!isUsual(change) || hasOtherLevel(count, at));
    if (mayOpen || watch.due() !== null || open.size > 0 && !isAwaited(change!)) look(count, at);
  }
  return { events, incidents: watch.incidents(), plan };
}

interface Timed {
  readonly run: ReportRun;
  readonly start: number;
  readonly end: number | undefined;
}

function timedRun(run: ReportRun): Timed {
  return { run, start: timeOf(run.startTime) ?? NaN, end: timeOf(run.endTime) };
}

/** For each place that of the last run at or before it that failed. */
function lastFailures(timed: readonly Timed[], statuses: StatusDictionary): Float64Array {
  const places = new Float64Array(timed.length);
  let last = -Infinity;
  timed.forEach(({ run }, place) => {
    if (meaningOf(run.status, statuses) === "bad") last = place;
    places[place] = last;
  });
  return places;
}

/** The newest runs as they were known at a moment: one that had not ended was open. */
function shownAt(timed: readonly Timed[], count: number, at: number): ReportRun[] {
  return timed.slice(Math.max(0, count - MOST_KNOWN), count).map(({ run, end = -Infinity }) =>
    end > at ? { ...run, endTime: null, status: null } : run
  );
}

interface Moment {
  readonly at: number;
  /** How many runs had started. */
  readonly count: number;
  /** Place of the run that started or ended then, or null where time alone passed. */
  readonly change: number | null;
  /** Whether that run ended. */
  readonly ended: boolean;
}

/** When something may have changed: a run started or ended, or the grace of a slot without one was over. */
function momentsOf(timed: readonly Timed[], plan: Plan | null, until: number): Moment[] {
  const moments: Omit<Moment, "count">[] = timed.flatMap(({ start, end = start }, change) => {
    if (end <= start) return [{ at: start, change, ended: true }];
    const started = { at: start, change, ended: false };
    return end > until ? [started] : [started, { at: end, change, ended: true }];
  });
  if (plan && timed.length > 0) {
    let place = 0;
    let wasMet = true;
    for (const slot of planSlots(plan, timed[0].start, until - plan.graceMs)) {
      while (place < timed.length && timed[place].start < slot - MINUTE) place++;
      const isMet = place < timed.length && timed[place].start <= slot + plan.graceMs;
      // That a further one is overdue changes nothing.
      if (!isMet && wasMet) {
        moments.push({ at: slot + plan.graceMs + 1, change: null, ended: false });
      }
      wasMet = isMet;
    }
  }
  moments.push({ at: until, change: null, ended: false });
  moments.sort((a, b) => a.at - b.at);
  let count = 0;
  return moments.map((moment) => {
    while (count < timed.length && timed[count].start <= moment.at) count++;
    return { ...moment, count };
  });
}

/** What differs by less from what is usual begins no other level. */
const LEVEL_FACTOR = 1.22;

/** Tells whether a run that ended makes another level of sizes or durations. In order of time. */
function otherLevels(
  timed: readonly Timed[],
  statuses: StatusDictionary,
): (count: number, at: number) => boolean {
  const runs = timed.map(({ run, start }) => ({ run, time: start }));
  const [durations, ...sizes] = levelNumbersOf({ timed: runs, statuses })
    .map((measured) => ({ measured, sorted: [] as number[], from: 0, to: 0 }));
  type Span = typeof durations;
  function move(span: Span, since: number, at: number): void {
    const { measured, sorted } = span;
    while (measured[span.to]?.time <= at) addTo(sorted, measured[span.to++].value);
    while (measured[span.from]?.time < since) takeFrom(sorted, measured[span.from++].value);
  }
  /** The newest number as a part of what is usual. */
  const newestOf = ({ measured, sorted, to }: Span) =>
    sorted.length === 0 ? 1 : measured[to - 1].value / quantileOfSorted(sorted, 0.5);
  const isUnlike = (factor: number) => factor > LEVEL_FACTOR || factor < 1 / LEVEL_FACTOR;
  const shownOf = ({ measured, from, to }: Span) => measured.slice(from, to);
  return (count, at) => {
    const since = timed[Math.max(0, count - MOST_RUNS)]?.start ?? at;
    for (const span of [durations, ...sizes]) move(span, since, at);
    if (sizes.some((span) => isUnlike(newestOf(span)) && shiftIn(shownOf(span)))) return true;
    // How long a run that goes on will take is not known.
    const ended = shownOf(durations).filter(({ time, value }) => time + value <= at);
    return climbIn(ended) !== null || isUnlike(newestOf(durations)) && shiftIn(ended) !== null;
  };
}

/** Sizes and durations within this factor of those before are no jump. */
const ORDINARY_FACTOR = 1.4;
const BEFORE = 12;

/** Tells which runs are good and like those shortly before, so that no reason begins with them. */
function usualRuns(
  runs: readonly ReportRun[],
  statuses: StatusDictionary,
): (place: number) => boolean {
  const fields = [
    runs.map(({ attachmentSize }) => attachmentSize ?? 0),
    runs.map(({ emailSize }) => emailSize ?? 0),
    runs.map((run) => durationOf(run) ?? 0),
  ];
  const isNear = (one: number, other: number) =>
    one <= other * ORDINARY_FACTOR && other <= one * ORDINARY_FACTOR;
  return (place) => {
    const run = runs[place];
    if (!run || place < BEFORE || meaningOf(run.status, statuses) !== "good") return false;
    const before = runs[place - 1];
    const isAlike = run.cardCount === before.cardCount &&
      run.attachmentCount === before.attachmentCount &&
      run.recipientCount === before.recipientCount &&
      namesOf(run) === namesOf(before);
    if (!isAlike) return false;
    return fields.every((values) => {
      const near = values.slice(place - BEFORE, place).filter((other) =>
        isNear(values[place], other)
      ).length;
      return near >= BEFORE / 3;
    });
  };
}

function namesOf({ recipients }: ReportRun): string {
  return (recipients ?? []).map(({ emailAddress }) => emailAddress ?? "").join();
}
