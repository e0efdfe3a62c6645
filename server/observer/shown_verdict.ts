/**
 * Chooses the verdict for the page of a watched schedule: the stored one, or the one computed from the
 * page's runs if these are others.
 */
import type { JudgedPlan, Verdict } from "../../lib/judgement/judge_schedule.ts";
import type { Reason } from "../../lib/judgement/reason.ts";
import { isPossible } from "../../lib/runs/occurrences.ts";
import { timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { StoredVerdict } from "../store/records/verdicts.ts";

type LastPoll = NonNullable<Awaited<ReturnType<typeof loadLastPoll>>>;

/** How many of the newest runs are compared: a run that is listed late may not be the newest. */
const COMPARED = 8;

/** What the last poll of a schedule stored; null if it was not judged yet. */
export async function loadLastPoll(
  { verdicts, runs }: Pick<ObserverRecords, "verdicts" | "runs">,
  scheduleId: number,
) {
  const verdict = await verdicts.get(scheduleId);
  if (!verdict) return null;
  const newest = (await runs.newest(scheduleId, COMPARED)).map(({ run }) => run);
  return { verdict, newest };
}

export function shownVerdict(
  computed: Verdict,
  { verdict, newest }: LastPoll,
  now: number,
): Verdict {
  const judged = newest.filter(({ startTime }) => isPossible(timeOf(startTime) ?? now, now));
  const count = COMPARED - newest.length + judged.length;
  const doesHold = now < verdict.holdsUntil && hasSame(computed.runs.slice(0, count), judged);
  return doesHold ? withStored(computed, verdict, now) : computed;
}

function hasSame(read: readonly ReportRun[], stored: readonly ReportRun[]): boolean {
  const toKey = ({ id, status, endTime }: ReportRun) => [id, status, timeOf(endTime)];
  return JSON.stringify(read.map(toKey)) === JSON.stringify(stored.map(toKey));
}

function withStored(computed: Verdict, stored: StoredVerdict, now: number): Verdict {
  const { state, details } = stored;
  // The stored list is cut.
  const newest = details.overdue[0]?.at ?? -Infinity;
  return {
    ...computed,
    // Runs that the observer still waits for are not overdue.
    planned: computed.planned.map((run) =>
      run.outcome === "overdue" && run.at > newest ? { ...run, outcome: "due" } : run
    ),
    state: state as Verdict["state"],
    headline: stored.headline,
    reasons: details.reasons.map((reason) => reasonAt(reason, now)),
    schedule: withStoredPlan(computed.schedule, stored, newest),
  };
}

function reasonAt(reason: Reason, now: number): Reason {
  if (reason.code === "stuck") return { ...reason, openMs: now - reason.since! };
  if (reason.code === "late" && reason.due !== null) return { ...reason, lateMs: now - reason.due };
  return reason;
}

function withStoredPlan(
  computed: JudgedPlan | null,
  { nextDue, overdue, planSource, details }: StoredVerdict,
  newest: number,
): JudgedPlan | null {
  if (!details.plan || planSource === null) return null;
  const late = computed?.late ?? [];
  // The same plan, as its next run shows, may be described in the reader's zone.
  const isSame = computed?.source === planSource && computed.next === nextDue;
  if (computed && isSame && nextDue !== null) {
    const listed = computed.overdue.filter(({ at }) => at <= newest);
    return { ...computed, overdue: listed, counts: { ...computed.counts, overdue } };
  }
  const { plan, missed, missedCount } = details;
  const sees = computed?.sees ?? { since: plan.since, enough: false };
  const counts = { missed: missedCount, overdue };
  const stored = { overdue: details.overdue, next: nextDue };
  return { plan, source: planSource, missed, late, sees, counts, ...stored };
}
