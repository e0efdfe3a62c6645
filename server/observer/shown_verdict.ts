/**
 * The verdict on the pages of a watched schedule: the stored one, as on the overview, in incidents
 * and in metrics, if it is based on the same runs that the page has read. What a page has read is
 * what the reader's own token may see.
 */
import type { JudgedPlan, Verdict } from "../../lib/judgement/judge_schedule.ts";
import type { Reason } from "../../lib/judgement/reason.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../../lib/runs/status.ts";
import { timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { meanTheSame } from "../schedules/status_dictionary.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import type { StoredVerdict, StoredWatch } from "../store/observer/types.ts";
import { onlyExpected } from "./polling/expected_runs.ts";

/** What the last look at a schedule left. */
export interface LastLook {
  readonly kept: StoredVerdict;
  readonly watch: Pick<StoredWatch, "statuses">;
  /** The newest copied runs, newest first. */
  readonly newest: readonly ReportRun[];
}

/** The verdict to show, and if it is not the stored one, why. */
export interface ShownVerdict {
  readonly verdict: Verdict;
  readonly basis: VerdictBasis;
}

/** Whether a verdict is the stored one, or why it differs. */
export type VerdictBasis =
  | "stored"
  | "newer-runs"
  | "unseen-runs"
  | "fewer-runs"
  | "own-statuses"
  | "outdated";

/** How many runs are compared: a run that is listed late soon has others before it. */
const COMPARED = 8;

/** What the last looks at watched schedules left, of those that were judged. */
export async function loadLastLooks(
  { verdicts, runs }: Pick<ObserverRecords, "verdicts" | "runs">,
  watches: readonly StoredWatch[],
): Promise<ReadonlyMap<number, LastLook>> {
  const ids = watches.map(({ scheduleId }) => scheduleId);
  const [judged, copies] = await Promise.all([
    verdicts.list(ids),
    runs.newestOfEach(ids, COMPARED),
  ]);
  const byId = new Map(watches.map((watch) => [watch.scheduleId, watch]));
  return new Map(judged.map((kept) => {
    const { scheduleId } = kept;
    const newest = copies.get(scheduleId)!.map(({ run }) => run);
    return [scheduleId, { kept, watch: byId.get(scheduleId)!, newest }];
  }));
}

/** The same of one; null if it was not judged yet. */
export async function loadLastLook(
  records: Pick<ObserverRecords, "verdicts" | "runs">,
  watch: StoredWatch,
): Promise<LastLook | null> {
  return (await loadLastLooks(records, [watch])).get(watch.scheduleId) ?? null;
}

/** The verdict to show, given the one on the runs that the page has read. */
export function shownVerdict(
  own: Verdict,
  { kept, watch, newest }: LastLook,
  { now, statuses, allReadTheSame = false }: {
    readonly now: number;
    readonly statuses: StatusDictionary;
    /** Whether no token reads more than another, so that a page may read fewer runs than the look. */
    readonly allReadTheSame?: boolean;
  },
): ShownVerdict {
  const isAgreed = meanTheSame(
    new Set(own.runs.map(({ status }) => status)),
    statuses,
    watch.statuses ?? defaultStatusDictionary(),
  );
  const basis = !isAgreed
    ? "own-statuses"
    : differenceOf(own.runs, newest) ?? (allReadTheSame ? null : readFewer(own.runs, kept)) ??
      (now < kept.holdsUntil ? "stored" : "outdated");
  // A run that the service may not list yet is never shown as overdue.
  const lagMs = kept.details.waitsMs;
  return {
    verdict: basis === "stored" ? storedIn(own, kept, now) : onlyExpected(own, { now, lagMs }),
    basis,
  };
}

/** How the newest runs differ; null if they don't. */
function differenceOf(
  read: readonly ReportRun[],
  copied: readonly ReportRun[],
): "newer-runs" | "unseen-runs" | null {
  const ids = new Set(copied.map(({ id }) => id));
  for (let at = 0; at < COMPARED; at++) {
    const [own, copy] = [read[at], copied[at]];
    if (!own && !copy) return null;
    if (own?.id !== copy?.id) return own && !ids.has(own.id) ? "newer-runs" : "unseen-runs";
    // The copy is from the last look, which was earlier.
    const isSame = own.status === copy.status && timeOf(own.endTime) === timeOf(copy.endTime);
    if (!isSame) return "newer-runs";
  }
  return null;
}

/** Whether the stored verdict rests on runs that the page has not read; null if it doesn't. */
function readFewer(read: readonly ReportRun[], { details }: StoredVerdict): "fewer-runs" | null {
  return new Set(read.map(({ id }) => id)).size < details.runs ? "fewer-runs" : null;
}

/** The page's verdict with the stored one's contents. Stored reasons come from `judgeSchedule`. */
function storedIn(own: Verdict, { state, details, ...kept }: StoredVerdict, now: number): Verdict {
  return {
    ...own,
    state: state as Verdict["state"],
    reasons: (details.reasons as readonly Reason[]).map((reason) => reasonAt(reason, now)),
    schedule: scheduleIn(own.schedule, { ...kept, state, details }),
  };
}

/** The reason with the times up to now that it names. */
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
