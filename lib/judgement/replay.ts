/** Replays a history: judges it at each moment when something happened, as watching would have. */
import { MINUTE } from "../time_units.ts";
import type { Recipient, ReportRun } from "../types.ts";
import { lowerBound } from "../runs/quantiles.ts";
import { occurrencesOf, type TimedRun, timedRuns, timesOf } from "../runs/occurrences.ts";
import { defaultStatusDictionary } from "../runs/status.ts";
import type { EarlierRuns } from "../runs/outsiders.ts";
import { withoutRepeated } from "../runs/times.ts";
import { Content, inOrderOfEnds } from "./content/content.ts";
import { endedRuns, expectedAt, factsOf, openRuns } from "./facts.ts";
import { gapEnding, plannedRuns } from "./planned_runs.ts";
import type { Incident } from "./incidents/incident.ts";
import { AGAIN_MS, nextChange, transition } from "./incidents/transition.ts";
import { inferPlan } from "./plans/infer.ts";
import { graceEndOf, type Plan, planSlots } from "./plans/plan.ts";
import type { Reason } from "./reason.ts";
import { allReasons, nextStuck } from "./reasons.ts";
import { repairedBy } from "./retries.ts";
import type { JudgeOptions } from "./verdict.ts";

/** An incident of a replay. */
export interface ReplayedIncident {
  /** Identifies it by its code and subject, and by when it started if that is known. */
  readonly key: string;
  /** What is wrong. */
  readonly code: Reason["code"];
  /** The reason as it was when the incident opened. */
  readonly reason: Reason;
  /** When it opened, in milliseconds since 1970. */
  readonly opened: number;
  /** When a later planned run was met instead, if it is a gap; else null. */
  readonly passed: number | null;
  /** When it ended, or null if it is still open. */
  readonly resolved: number | null;
}

/** A message about an incident. */
export interface IncidentEvent {
  /** What it says: that the incident opened or grew, that a gap has passed, or that it is over. */
  readonly kind: "opened" | "grew" | "passed" | "resolved";
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** The incident's key. */
  readonly key: string;
  /** What is wrong. */
  readonly code: Reason["code"];
}

/** The result of a replay. */
export interface Replay {
  /** What watching would have sent, in order. */
  readonly events: readonly IncidentEvent[];
  /** The incidents that watching would have opened, oldest first. */
  readonly incidents: readonly ReplayedIncident[];
  /** The plans that they are based on, in order. */
  readonly plans: readonly Plan[];
  /** Whether the plans were inferred from the whole history, as nobody could have while it went on. */
  readonly inHindsight: boolean;
}

/** This many of the newest runs that ended are judged at each moment. */
const JUDGED_RUNS = 120;
/** This many show how soon failures were repaired. */
const SHOWN_RUNS = 520;

/**
 * Replays a history: finds the incidents that watching it would have opened, and what it would have
 * sent, and when.
 *
 * @param runs The runs, in any order. Those without a possible start are left out.
 * @param options Those of `judgeSchedule`; and `plans`, each of which holds until the next one's
 * `since` (none if empty; by default, the one that the whole history shows), and until when to replay,
 * in milliseconds since 1970.
 * @returns The messages, the incidents and the plans.
 * @throws {TypeError | RangeError} If a plan or the zone is not valid.
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
 * assertEquals(events.map(({ kind, code }) => `${kind} ${code}`), [
 *   "opened overdue",
 *   "passed missed",
 * ]);
 * assertEquals(new Date(events[0].at).toISOString().slice(0, 16), "2026-01-21T06:05");
 * ```
 */
export function replay(
  runs: readonly ReportRun[],
  options: Partial<Omit<JudgeOptions, "now" | "plans">> & {
    readonly plans?: readonly Plan[];
    readonly until: number;
  },
): Replay {
  const { until, zone, statuses = defaultStatusDictionary(), plans: confirmed, ...others } =
    options;
  const inferred = confirmed
    ? null
    : inferPlan(runs, { now: until, statuses, ...zone && { zone } });
  const plans = confirmed ?? (inferred ? [{ ...inferred, since: 0 }] : []);
  const timed = timedRuns(withoutRepeated(runs), until, statuses).timed
    .filter(({ time }) => time <= until);
  const expected = expectedAt(options.decisions ?? [], until).runs;
  const content = new Content(plans.at(-1)?.zone ?? zone ?? "UTC", expected);
  const before = rememberRuns(content, options.before);
  const firstStart = Math.min(options.before?.firstStart ?? Infinity, timed[0]?.time ?? Infinity);
  const firstReasons = new Map<string, Reason>();
  const passed = new Map<string, number>();
  const ended: Incident[] = [];
  const events: IncidentEvent[] = [];
  let [open, recent]: Incident[][] = [[], []];
  let due: number | null = null;

  function judgeAt(now: number, count: number, isFirst: boolean): void {
    const seen = timed.slice(Math.max(0, count - SHOWN_RUNS), count)
      .map((run) => asKnownAt(now, run));
    // Runs that are still going are judged in addition, so that a new run displaces no ended one.
    const shown = seen.slice(-JUDGED_RUNS - openRuns(seen).length);
    const oldest = shown[0]?.time ?? now;
    before.add(endedRuns(shown));
    const started = plans.filter(({ since }) => since <= now);
    // Those that ended before the oldest of these runs judge none.
    const held = started.slice(Math.max(0, started.findLastIndex(({ since }) => since <= oldest)));
    const plan = held.at(-1) ?? null;
    const facts = factsOf({
      timed: shown,
      impossible: [],
      runs: shown.map(({ run }) => run).reverse(),
      newerUnread: false,
    }, {
      ...others,
      ...(zone && { zone }),
      now,
      statuses,
      content,
      ...firstStart < oldest && { before: { firstStart, recipients: before.recipients } },
      plans: confirmed ? held : [],
      inferred: confirmed ? null : plan,
    });
    const moment = {
      now,
      scheduleId: 0,
      isFirst,
      oldest,
      repairedBy: repairedBy(seen) ?? undefined,
      endingOf: (gap: number) => {
        const planned = plannedRuns(facts.judged.slots, shown, facts);
        return gapEnding(gap, { plan, planned, starts: shown.map(({ time }) => time) });
      },
    };
    const changes = transition(open, recent, allReasons(facts), moment);
    for (const { incident, event, send } of changes) {
      const first = firstReasons.get(incident.id) ?? incident.reason;
      firstReasons.set(incident.id, first);
      const { code } = incident;
      const isPassed = event === "passed" || event === "opened" && code === "missed";
      if (isPassed) passed.set(incident.id, now);
      if (send !== null) events.push({ kind: send, at: now, key: reasonKey(first), code });
    }
    const changed = new Set(changes.map(({ before }) => before));
    const known = [
      ...[...open, ...recent].filter((incident) => !changed.has(incident)),
      ...changes.map(({ incident }) => incident),
    ];
    open = known.filter(({ resolved }) => resolved === null);
    ended.push(...known.filter(({ resolved }) => resolved !== null && now - resolved >= AGAIN_MS));
    recent = known.filter(({ resolved }) => resolved !== null && now - resolved < AGAIN_MS)
      .sort((a, b) => b.resolved! - a.resolved!);
    const moments = [nextChange(known, { now }), nextStuck(facts)].filter((at) => at !== null);
    due = moments.length > 0 ? Math.min(...moments) : null;
  }

  let count = 0;
  for (const [index, at] of momentsToJudge(timed, plans, until).entries()) {
    while (due !== null && due < at) judgeAt(due, count, false);
    while (count < timed.length && timed[count].time <= at) count++;
    judgeAt(at, count, index === 0);
  }
  const incidents = [...ended, ...recent, ...open].sort((a, b) => a.opened - b.opened)
    .map(({ id, opened, resolved }): ReplayedIncident => {
      const reason = firstReasons.get(id)!;
      const ended = { passed: passed.get(id) ?? null, resolved };
      return { key: reasonKey(reason), code: reason.code, reason, opened, ...ended };
    });
  return { events, incidents, plans, inHindsight: confirmed === undefined };
}

/** Distinguishes reasons by their code and subject, and by when they started if that is known. */
function reasonKey({ code, subject, since }: Reason): string {
  return [code, subject, since].filter((part) => part !== "" && part !== null).join("-");
}

/** Adds the content of runs once each, and remembers who received them. */
function rememberRuns(content: Content, before?: EarlierRuns) {
  const added = new Set<number>();
  const toAddress = ({ emailAddress, userId }: Recipient) => emailAddress ?? `${userId}`;
  const recipients = [...before?.recipients ?? []];
  const addresses = new Set(recipients.map(({ recipient }) => toAddress(recipient)));
  return {
    add(ended: readonly TimedRun<ReportRun>[]): void {
      for (const timed of inOrderOfEnds(ended.filter(({ run }) => !added.has(run.id)))) {
        const { run, time, meaning } = timed;
        content.add(timed);
        added.add(run.id);
        for (const recipient of meaning === "good" ? run.recipients ?? [] : []) {
          const address = toAddress(recipient);
          if (!addresses.has(address)) recipients.push({ recipient, first: time });
          addresses.add(address);
        }
      }
    },
    recipients,
  };
}

/** A run as it was known at a moment: without its end and status if it had not ended. */
function asKnownAt(at: number, known: TimedRun<ReportRun>): TimedRun<ReportRun> {
  const { run, time, ms = 0 } = known;
  if (time + ms <= at) return known;
  return { run: { ...run, endTime: null, status: null }, time, ms: undefined, meaning: "unknown" };
}

/** When something may have changed: a run, or the plan, or that the grace of an unmet slot ended. */
function momentsToJudge(
  timed: readonly TimedRun<ReportRun>[],
  plans: readonly Plan[],
  until: number,
): readonly number[] {
  const moments = timed.flatMap(({ time, ms = 0 }) => [time, time + ms]);
  const starts = timesOf(occurrencesOf(timed).started);
  const changes = plans.map(({ since }) => since).filter((since) => since > timed[0]?.time);
  const ends = timed.length === 0 ? [] : plans.flatMap((plan, index) => {
    const from = Math.max(plan.since, timed[0].time - MINUTE);
    const slots = planSlots(plan, from, Math.min(until, plans[index + 1]?.since ?? until));
    return slots.flatMap((slot) => {
      const [end, start] = [graceEndOf(plan, slot), starts[lowerBound(starts, slot - MINUTE)]];
      // An early run meets its slot when that is due; one that started in time has met it.
      return start < slot ? [slot, end + 1] : start <= end ? [] : [end + 1];
    });
  });
  const sorted = Float64Array.from([...moments, ...changes, ...ends, until]).sort();
  return [...new Set(sorted)].filter((at) => at <= until);
}
