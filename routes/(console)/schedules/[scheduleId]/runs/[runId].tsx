import { formatCount } from "../../../../../components/ui/format.ts";
import { PageTop } from "../../../../../components/page/page_top.tsx";
import { Comparison } from "../../../../../components/runs/comparison.tsx";
import { RecipientList } from "../../../../../components/runs/recipient_list.tsx";
import { RunFacts } from "../../../../../components/runs/run_facts.tsx";
import { SchedulePath } from "../../../../../components/runs/schedule_head.tsx";
import { compareHref, runHref } from "../../../../../components/runs/view.ts";
import { runWords } from "../../../../../components/runs/words.ts";
import { checkRuns } from "../../../../../lib/runs/check.ts";
import type { ReportRun } from "../../../../../lib/types.ts";
import { ProblemError } from "../../../../../server/http/problem.ts";
import type { LoadedRuns } from "../../../../../server/schedules/run_loader.ts";
import { wholeNumber } from "../../../../../server/config/whole_number.ts";
import { pageTrouble } from "../../../../_trouble.ts";
import { loadSchedule } from "../../_runs.ts";
import { handler, page } from "./$[runId].ts";

export const handlers = handler({
  async GET(ctx) {
    const addressesShown = ctx.url.searchParams.get("addresses") === "shown";
    const place = { ...ctx.params, addressesShown };
    try {
      const runId = wholeNumber(ctx.params.runId);
      if (runId === null) throw new ProblemError(404, "A run's id is a whole number");
      const { scheduleId, loaded } = await loadSchedule(ctx);
      const at = loaded.runs.findIndex(({ id }) => id === runId);
      if (at < 0) throw new ProblemError(404, missingWords(scheduleId, runId, loaded));
      const run = loaded.runs[at];
      const findings = checkRuns([...loaded.runs, ...loaded.repeated], {
        dictionary: ctx.state.preferences.statuses,
        now: Date.now(),
      }).filter((finding) => finding.run.id === runId);
      const shown = {
        scheduleId,
        run,
        before: loaded.runs[at + 1] ?? null,
        after: loaded.runs[at - 1] ?? null,
        mayHaveBefore: at + 1 === loaded.runs.length && loaded.older,
        messages: findings.map(({ message }) => message),
      };
      return { data: { ...place, shown, trouble: null } };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: { ...place, shown: null, trouble }, ...answer };
    }
  },
});

function missingWords(scheduleId: number, runId: number, { runs, stopped }: LoadedRuns): string {
  return stopped === "end"
    ? `Schedule ${scheduleId} has no run ${runId}`
    : `Run ${runId} is not among the ${formatCount(runs.length)} runs of schedule ${scheduleId} ` +
      "that were read; others were not looked at";
}

export default page(({ data: { scheduleId, runId, addressesShown, shown, trouble }, state }) => {
  const { zone, statuses: dictionary } = state.preferences;
  const title = shown?.run.startTime ? `Run of ${runWords(shown.run, zone)}` : `Run ${runId}`;
  return (
    <>
      <PageTop
        title={title}
        path={<SchedulePath scheduleId={scheduleId} />}
        trouble={trouble}
      />
      {shown && (
        <>
          <Neighbours
            scheduleId={shown.scheduleId}
            before={shown.before}
            after={shown.after}
            zone={zone}
          />
          {shown.messages.length > 0 && (
            <div class="notice odd">
              <h2>What does not add up</h2>
              <ul>{shown.messages.map((message) => <li key={message}>{message}.</li>)}</ul>
            </div>
          )}
          <div class="beside">
            <section>
              <h2>This run</h2>
              <RunFacts run={shown.run} dictionary={dictionary} />
            </section>
            <section>
              <h2>Since the run before</h2>
              {shown.before
                ? (
                  <>
                    <Comparison
                      before={shown.before}
                      after={shown.run}
                      scheduleId={shown.scheduleId}
                      addressesShown={addressesShown}
                    />
                    <p>
                      <a href={compareHref(shown.scheduleId, shown.before.id, shown.run.id)}>
                        Compare with another run
                      </a>
                    </p>
                  </>
                )
                : (
                  <p>
                    {shown.mayHaveBefore
                      ? "There may be a run before this one, but it was not read."
                      : "This is the first run of the history."}
                  </p>
                )}
            </section>
          </div>
          <RecipientList run={shown.run} addressesShown={addressesShown} />
        </>
      )}
    </>
  );
});

function Neighbours({ scheduleId, before, after, zone }: {
  readonly scheduleId: number;
  readonly before: ReportRun | null;
  readonly after: ReportRun | null;
  readonly zone: string;
}) {
  return (
    <nav class="pager" aria-label="Runs before and after">
      {before
        ? <a href={runHref(scheduleId, before.id)}>← Before: {runWords(before, zone)}</a>
        : <a role="link" aria-disabled="true">← Before: none</a>}
      {after
        ? <a href={runHref(scheduleId, after.id)}>After: {runWords(after, zone)} →</a>
        : <a role="link" aria-disabled="true">After: none →</a>}
    </nav>
  );
}
