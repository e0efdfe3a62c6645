import { PageHeader } from "../../../../../components/page/page_header.tsx";
import { Comparison } from "../../../../../components/runs/compare/comparison.tsx";
import { runLabel } from "../../../../../components/runs/format.ts";
import { RecipientList } from "../../../../../components/runs/recipients/recipient_list.tsx";
import { DueLine, type RunDue } from "../../../../../components/runs/plan/due_line.tsx";
import { RunFacts } from "../../../../../components/runs/run_facts.tsx";
import { compareHref, MOST_RUNS, runHref } from "../../../../../components/runs/run_links.ts";
import { pathOf } from "../../../../../components/runs/schedule_header.tsx";
import { formatCount, wholeNumber } from "../../../../../lib/format.ts";
import { checkRuns } from "../../../../../lib/runs/findings.ts";
import { latestSlots } from "../../../../../lib/judgement/latest_slots.ts";
import { describePlan } from "../../../../../lib/judgement/plans/describe.ts";
import type { ReportRun } from "../../../../../lib/types.ts";
import { ProblemError } from "../../../../../server/http/problem.ts";
import { judgeLoaded, type JudgingOptions } from "../../../../../server/schedules/judge_loaded.ts";
import type { LoadedRuns } from "../../../../../lib/runs/load_runs.ts";
import { loadPage } from "../../../../_errors.ts";
import { judgingOf, loadSchedule } from "../../_runs.ts";
import { handler, page } from "./$[runId].ts";

export const handlers = handler({
  GET: (ctx) =>
    loadPage(ctx, async () => {
      const runId = wholeNumber(ctx.params.runId);
      if (runId === null) {
        throw new ProblemError(
          404,
          `A run id is a whole number of at most ${Number.MAX_SAFE_INTEGER}`,
        );
      }
      const isWanted = ({ id }: ReportRun) => id === runId;
      let { scheduleId, name, loaded, settings } = await loadSchedule(ctx);
      if (loaded.stopped === "enough" && !loaded.runs.some(isWanted)) {
        ({ scheduleId, name, loaded, settings } = await loadSchedule(ctx, MOST_RUNS));
      }
      const { runs, repeated, older } = loaded;
      const index = runs.findIndex(isWanted);
      if (index < 0) throw new ProblemError(404, missingMessage(scheduleId, runId, loaded));
      const findings = checkRuns([...runs, ...repeated], {
        dictionary: ctx.state.preferences.statuses,
        now: Date.now(),
      }).filter(({ run }) => run.id === runId);
      return {
        scheduleId,
        name,
        run: runs[index],
        before: runs[index + 1] ?? null,
        after: runs[index - 1] ?? null,
        mayHaveBefore: index + 1 === runs.length && older,
        messages: findings.map(({ message }) => message),
        due: await dueOf(runId, loaded, { ...judgingOf(ctx), plan: settings.plan }),
      };
    }),
});

/** Older planned runs are not compared with the run. */
const SLOTS = 1000;

async function dueOf(
  runId: number,
  loaded: LoadedRuns,
  options: Omit<JudgingOptions, "now">,
): Promise<RunDue | null> {
  const now = Date.now();
  const { schedule } = await judgeLoaded(loaded, { ...options, now });
  if (!schedule) return null;
  const { since, graceMs } = schedule.plan;
  const slot = latestSlots(loaded.runs, schedule.plan, {
    now,
    statuses: options.statuses,
    count: SLOTS,
  })
    .find(({ at, occurrence }) =>
      at >= since - graceMs && occurrence?.runs.some(({ id }) => id === runId)
    );
  if (!slot) return null;
  return {
    at: slot.at,
    lateMs: slot.occurrence!.time - slot.at,
    outcome: slot.outcome,
    words: describePlan(schedule.plan),
    source: schedule.source,
  };
}

function missingMessage(scheduleId: number, runId: number, { runs, stopped }: LoadedRuns): string {
  return stopped === "end"
    ? `Schedule ${scheduleId} has no run ${runId}`
    : `Run ${runId} is not one of the latest ${formatCount(runs.length)} runs of schedule ` +
      `${scheduleId}; older runs were not loaded`;
}

export default page(({ data: { shown, error }, params, state }) => {
  const { zone, statuses: dictionary } = state.preferences;
  return (
    <>
      <PageHeader
        title={shown?.run.startTime ? `Run of ${runLabel(shown.run, zone)}` : `Run ${params.runId}`}
        path={pathOf(params.scheduleId, shown?.name)}
        error={error}
      />
      {shown && (
        <>
          <Neighbours {...shown} zone={zone} />
          {shown.due && <DueLine due={shown.due} />}
          {shown.messages.length > 0 && (
            <div class="notice warning">
              <h2>Inconsistencies</h2>
              <ul>{shown.messages.map((message) => <li key={message}>{message}.</li>)}</ul>
            </div>
          )}
          <div class="columns">
            <section>
              <h2>This run</h2>
              <RunFacts run={shown.run} dictionary={dictionary} />
            </section>
            <section>
              <h2>Changes since the previous run</h2>
              <Changes {...shown} />
            </section>
          </div>
          <RecipientList run={shown.run} />
        </>
      )}
    </>
  );
});

function Changes({ scheduleId, run, before, mayHaveBefore }: {
  readonly scheduleId: number;
  readonly run: ReportRun;
  readonly before: ReportRun | null;
  readonly mayHaveBefore: boolean;
}) {
  if (!before) {
    return (
      <p>
        {mayHaveBefore
          ? "There may be a previous run, but it was not loaded."
          : "This is the first run of the schedule."}
      </p>
    );
  }
  return (
    <>
      <Comparison
        before={before}
        after={run}
        scheduleId={scheduleId}
      />
      <p>
        <a href={compareHref(scheduleId, before.id, run.id)}>Compare with another run</a>
      </p>
    </>
  );
}

function Neighbours({ scheduleId, before, after, zone }: {
  readonly scheduleId: number;
  readonly before: ReportRun | null;
  readonly after: ReportRun | null;
  readonly zone: string;
}) {
  return (
    <nav class="pager" aria-label="Previous and next run">
      {before
        ? <a href={runHref(scheduleId, before.id)}>← Previous: {runLabel(before, zone)}</a>
        : <a role="link" aria-disabled="true">Oldest loaded run</a>}
      {after
        ? <a href={runHref(scheduleId, after.id)}>Next: {runLabel(after, zone)} →</a>
        : <a role="link" aria-disabled="true">Latest run</a>}
    </nav>
  );
}
