/**
 * The verdict on the page of a watched schedule: the stored one, or one that is computed now if the
 * page has read other runs, so that nobody sees more than their own token may read.
 */
import type { JudgedPlan, Verdict } from "../../lib/judgement/judge_schedule.ts";
import type { Reason } from "../../lib/judgement/reason.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../../lib/runs/status.ts";
import { timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { haveSameMeanings } from "../schedules/status_dictionary.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import type { StoredVerdict, StoredWatch } from "../store/observer/types.ts";
import { onlyExpected } from "./polling/expected_runs.ts";

export type LastPoll = NonNullable<Awaited<ReturnType<typeof loadLastPoll>>>;

/** How many of the newest runs are compared: a run that is listed late soon has others before it. */
const COMPARED = 8;

/** What the last poll of a schedule stored; null if it was not judged yet. */
export async function loadLastPoll(
  { verdicts, runs }: Pick<ObserverRecords, "verdicts" | "runs">,
  { scheduleId, statuses }: Pick<StoredWatch, "scheduleId" | "statuses">,
) {
  const verdict = await verdicts.get(scheduleId);
  if (!verdict) return null;
  const newest = (await runs.newest(scheduleId, COMPARED)).map(({ run }) => run);
  return { verdict, statuses: statuses ?? defaultStatusDictionary(), newest };
}

export function shownVerdict(
  own: Verdict,
  { verdict, statuses, newest }: LastPoll,
  options: {
    readonly now: number;
    readonly statuses: StatusDictionary;
    /** Whether all tokens read the same, so that a page may show a verdict on more runs than it read. */
    readonly allReadTheSame?: boolean;
  },
): { readonly verdict: Verdict; readonly basis: "stored" | "computed" } {
  const { now, allReadTheSame = false } = options;
  const isStored = now < verdict.holdsUntil &&
    hasSameNewest(own.runs, newest) &&
    (allReadTheSame || hasReadAll(own.runs, verdict)) &&
    haveSameMeanings(new Set(own.runs.map(({ status }) => status)), options.statuses, statuses);
  if (isStored) return { verdict: storedIn(own, verdict, now), basis: "stored" };
  // A run that the service may not list yet is never shown as overdue.
  const lagMs = verdict.details.waitsMs;
  return { verdict: onlyExpected(own, { now, lagMs }), basis: "computed" };
}

function hasSameNewest(read: readonly ReportRun[], stored: readonly ReportRun[]): boolean {
  const keyOf = (run: ReportRun | undefined) => run && [run.id, run.status, timeOf(run.endTime)];
  return JSON.stringify(read.slice(0, COMPARED).map(keyOf)) ===
    JSON.stringify(stored.slice(0, COMPARED).map(keyOf));
}

/** Whether a page has read as many runs as the stored verdict rests on, and all that it names. */
function hasReadAll(read: readonly ReportRun[], { details }: StoredVerdict): boolean {
  const ids = new Set(read.map(({ id }) => id));
  return ids.size >= details.runs &&
    details.reasons.every(({ runs }) => runs.every((id) => ids.has(id)));
}

/** The page's verdict with the contents of the stored one, whose reasons `judgeSchedule` made. */
function storedIn(own: Verdict, stored: StoredVerdict, now: number): Verdict {
  const { state, details } = stored;
  const overdue = new Set(details.overdue.map(({ at }) => at));
  return {
    ...own,
    // What the observer still waits for is not overdue.
    planned: own.planned.map((one) =>
      one.outcome === "overdue" && !overdue.has(one.at) ? { ...one, outcome: "due" } : one
    ),
    state: state as Verdict["state"],
    reasons: (details.reasons as readonly Reason[]).map((reason) => reasonAt(reason, now)),
    schedule: scheduleIn(own.schedule, stored),
  };
}

function reasonAt(reason: Reason, now: number): Reason {
  const { code, since, evidence } = reason;
  const name = code === "stuck" ? "openMs" : code === "late" && evidence.due ? "lateMs" : null;
  if (name === null || since === null) return reason;
  return { ...reason, evidence: { ...evidence, [name]: now - since } };
}

function scheduleIn(
  own: JudgedPlan | null,
  { nextDue, overdue, planSource, details }: StoredVerdict,
): JudgedPlan | null {
  if (!details.plan || planSource === null) return null;
  const late = own?.late ?? [];
  const stored = { overdue: details.overdue, next: nextDue };
  // The same plan may be described in the reader's zone.
  if (own && own.source === planSource && own.next === nextDue) {
    return { ...own, ...stored, counts: { ...own.counts, overdue } };
  }
  const { plan, missed } = details;
  const sees = own?.sees ?? { since: plan.since, enough: false };
  const counted = details.reasons.find(({ code }) => code === "missed")?.evidence.count;
  const counts = { missed: typeof counted === "number" ? counted : missed.length, overdue };
  return { plan, source: planSource, missed, late, sees, counts, ...stored };
}
