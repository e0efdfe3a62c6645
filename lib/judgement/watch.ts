/** Watching a schedule: which incidents open and resolve each time it is judged. */
import type { Recipient, ReportRun } from "../types.ts";
import { withoutStrays } from "../runs/occurrences.ts";
import type { Plan } from "./plans/plan.ts";
import { defaultStatusDictionary } from "../runs/status.ts";
import { Content, inOrderOfEnds } from "./content/content.ts";
import { endedRuns, type KnownRuns, knownRuns, openRuns, type WatchJudgeOptions } from "./facts.ts";
import { judgeToWatch } from "./judge_schedule.ts";
import { type Incident, incidentId, incidentKey, notableReasons, ofSchedule } from "./incident.ts";
import { incidentChanges, nextChange } from "./incidents.ts";
import type { Reason } from "./reason.ts";
import { failurePattern, NO_FAILURES } from "./retries.ts";
import type { JudgeOptions } from "./verdict.ts";

/** An incident of a watch or a replay, from its report to its end. */
export interface ReplayedIncident {
  /** Identifies it by its code, and by the time or run with which it started. */
  readonly key: string;
  /** What is wrong. */
  readonly code: Reason["code"];
  /** The reason as it was when the incident opened. */
  readonly reason: Reason;
  /** When it was reported, in milliseconds since 1970. */
  readonly opened: number;
  /** When it ended, or null if it is still open. */
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
  readonly code: Reason["code"];
}

/** Watches a schedule. Each call of `look` returns what has happened since the last one. */
export interface Watch {
  /** Judges the runs that are known at a time, in any order, and returns what changed. */
  look(runs: readonly ReportRun[], now: number): IncidentEvent[];
  /**
   * When to call `look` again even if nothing runs: then a retry is overdue, an incident that came
   * back is over, or a run is stuck. Null if only runs and due times matter.
   */
  due(): number | null;
  /** All incidents so far, oldest first. */
  incidents(): ReplayedIncident[];
}

/** This many of the newest runs that ended are judged; they show what is usual. */
export const WATCHED_RUNS = 120;
/** New reasons are compared with this many of the incidents that ended last. */
const MAX_ENDED = 50;

/**
 * Starts to watch a schedule.
 *
 * @param options What statuses mean, and the plan.
 * @returns The watch, which knows no runs yet.
 * @throws {TypeError | RangeError} From `look`, if the plan or the zone is not valid.
 *
 * @example
 * ```ts
 * import { createWatch } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const watch = createWatch({ plan: null });
 * const run = { id: 1, startTime: "2026-01-01T06:00:00Z", endTime: "2026-01-01T06:01:00Z" };
 * assertEquals(watch.look([{ ...run, status: "success" }], Date.UTC(2026, 0, 1, 7)), []);
 * const failed = { ...run, id: 2, status: "failure" };
 * const events = watch.look([failed], Date.UTC(2026, 0, 1, 8));
 * assertEquals(events.map(({ kind, code }) => [kind, code]), [["opened", "failing"]]);
 * ```
 */
export function createWatch(
  options: Partial<Omit<JudgeOptions, "now" | "plan">> & {
    /** Null if the schedule has none. By default it is inferred each time. */
    readonly plan?: Plan | null;
  },
): Watch {
  const { statuses = defaultStatusDictionary() } = options;
  const watch = watchTimedRuns(options);
  return {
    ...watch,
    look: (runs, now) => watch.look(knownRuns({ runs }, { now, statuses }), now),
  };
}

/** A watch that gets runs sorted by time. */
interface TimedRunsWatch extends Pick<Watch, "due" | "incidents"> {
  look(known: Pick<KnownRuns, "timed" | "impossible" | "repeated">, now: number): IncidentEvent[];
}

/** Starts to watch a schedule whose runs are sorted by time. */
export function watchTimedRuns(
  { statuses = defaultStatusDictionary(), plan, ...others }: Partial<
    Omit<WatchJudgeOptions, "now">
  >,
): TimedRunsWatch {
  const incidents = new Map<string, ObservedIncident>();
  /** The open incidents, and the newest that ended. */
  let open: ObservedIncident[] = [];
  const ended: ObservedIncident[] = [];
  let due: number | null = null;
  const content = new Content({ zone: plan?.zone ?? others.zone ?? "UTC" });
  const added = new Set<number>();
  let firstStart = Infinity;
  const recipients: { readonly recipient: Recipient; readonly first: number }[] = [];
  const addresses = new Set<string>();

  /** The newest incidents that ended, and older ones that the reasons would reopen. */
  function endedBefore(reasons: readonly Reason[]): readonly ObservedIncident[] {
    const older = notableReasons(reasons).flatMap((reason) => {
      const incident = incidents.get(incidentId(null, reason));
      return incident && incident.resolved !== null && !ended.includes(incident) ? incident : [];
    });
    return [...ended, ...older];
  }

  return {
    look({ timed, impossible, repeated }, now) {
      // Runs that are still going are judged in addition, so that a new run displaces no ended one.
      const newest = timed.slice(-WATCHED_RUNS - openRuns(timed).length);
      const shown = withoutStrays({ timed: newest, impossible });
      const since = shown.timed[0]?.time ?? now;
      const runs = [...shown.impossible, ...shown.timed.map(({ run }) => run)].reverse();
      const known = { ...shown, runs, repeated, newerUnread: false };
      const over = endedRuns(shown.timed).filter(({ run }) => !added.has(run.id));
      for (const run of inOrderOfEnds(over)) {
        content.add(run);
        added.add(run.run.id);
        firstStart = Math.min(firstStart, run.time);
        for (const recipient of run.meaning === "good" ? run.run.recipients ?? [] : []) {
          const address = recipient.emailAddress ?? "";
          if (!addresses.has(address)) recipients.push({ recipient, first: run.time });
          addresses.add(address);
        }
      }
      const options = {
        ...others,
        now,
        content,
        statuses,
        before: { firstStart, recipients },
        // The plan holds since the oldest of these runs, because earlier ones were judged before.
        plan: plan && { ...plan, since: Math.max(plan.since, since) },
      };
      const judged = judgeToWatch(known, options);
      const reasons = ofSchedule(judged.reasons);
      const needsPattern = reasons.some(({ code }) => code === "failing") ||
        open.some(({ code }) => code === "flaky" || code === "failing");
      const failures = needsPattern ? failurePattern(timed) : NO_FAILURES;
      const moment = { at: now, isMuted: false, failures };
      const changes = incidentChanges(
        { scheduleId: null, open, ended: endedBefore(reasons) },
        reasons,
        moment,
      );
      const [change, stuck] = [nextChange(changes, reasons, moment), judged.nextStuck];
      due = change === null || stuck === null ? change ?? stuck : Math.min(change, stuck);
      const events: IncidentEvent[] = [];
      open = [];
      for (const { incident, event } of changes) {
        const { id, code, reason } = incident;
        const first = incidents.get(id)?.first ?? reason as Reason;
        const changed = { ...incident, first };
        const index = ended.indexOf(incidents.get(id)!);
        if (index >= 0) ended.splice(index, 1);
        incidents.set(id, changed);
        if (changed.resolved === null) open.push(changed);
        else if (ended.push(changed) > MAX_ENDED) ended.shift();
        if (event === null || event === "notified") continue;
        const kind = event === "reopened" ? "flapping" : event;
        events.push({ kind, at: now, key: incidentKey(first), code: code as Reason["code"] });
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

/** An incident, with the reason as it first was. */
interface ObservedIncident extends Incident {
  readonly first: Reason;
}
