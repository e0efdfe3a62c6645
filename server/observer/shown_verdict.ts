/** The verdict for the page of a watched schedule: the observer's, with more from the page's own. */
import type { JudgedPlan, Verdict } from "../../lib/judgement/judge_schedule.ts";
import type { StoredVerdict } from "../store/records/verdicts.ts";

export function shownVerdict(computed: Verdict, stored: StoredVerdict): Verdict {
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
    reasons: details.reasons,
    schedule: withStoredPlan(computed.schedule, stored, newest),
  };
}

function withStoredPlan(
  computed: JudgedPlan | null,
  { nextDue, overdue, planSource, details }: StoredVerdict,
  newest: number,
): JudgedPlan | null {
  if (!details.plan || planSource === null) return null;
  const late = computed?.late ?? [];
  const { plan, missed, missedCount } = details;
  // The same plan, as its next run shows: the page's lists are not cut.
  const isSame = computed?.source === planSource && computed.next === nextDue;
  if (computed && isSame && nextDue !== null) {
    const listed = computed.overdue.filter(({ at }) => at <= newest);
    return { ...computed, plan, overdue: listed, counts: { ...computed.counts, overdue } };
  }
  const sees = computed?.sees ?? { since: plan.since, enough: false };
  const counts = { missed: missedCount, overdue };
  const stored = { overdue: details.overdue, next: nextDue };
  return { plan, source: planSource, missed, late, sees, counts, ...stored };
}
