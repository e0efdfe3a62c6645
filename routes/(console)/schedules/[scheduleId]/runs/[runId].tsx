import { PageHeader } from "../../../../../components/page/page_header.tsx";
import { runLabel } from "../../../../../components/runs/format.ts";
import { AddressesField } from "../../../../../components/runs/recipients/address.tsx";
import { RecipientList } from "../../../../../components/runs/recipients/recipient_list.tsx";
import { Comparison, DueLine, RunFacts } from "../../../../../components/runs/run_facts.tsx";
import { compareHref, MAX_RUNS, runHref } from "../../../../../components/runs/run_links.tsx";
import { pathOf } from "../../../../../components/runs/schedule_header.tsx";
import { Field } from "../../../../../components/ui/form.tsx";
import { formatCount, wholeNumber } from "../../../../../lib/format.ts";
import { latestSlots } from "../../../../../lib/judgement/followed_plans.ts";
import type { LoadedRuns } from "../../../../../lib/runs/load_runs.ts";
import { meaningOf } from "../../../../../lib/runs/status.ts";
import { newestFirst } from "../../../../../lib/runs/times.ts";
import { ProblemError } from "../../../../../server/http/problem.ts";
import { judgeLoaded, type JudgingOptions } from "../../../../../server/schedules/judge_loaded.ts";
import { loadPage } from "../../../../_errors.ts";
import { judgingOf, loadSchedule } from "../../../../../server/pages/schedule_runs.ts";
import type { ScheduleRequest } from "../../../../../server/pages/page_request.ts";
import { handler, page } from "./$[runId].ts";

const ID_RULE = `a whole number of at most ${Number.MAX_SAFE_INTEGER}`;

export const handlers = handler({
  async GET(ctx) {
    const runId = wholeNumber(ctx.params.runId);
    const typed = ctx.url.searchParams.get("with")?.trim() ?? "";
    const result = await loadPage(ctx, async () => {
      if (runId === null) throw new ProblemError(404, `A run id is ${ID_RULE}`);
      return await loadRun(ctx, runId, typed);
    });
    const { shown } = result.data;
    return shown?.issue ? { ...result, status: wholeNumber(typed) === null ? 400 : 404 } : result;
  },
});

/** A run, and the one to compare it with: by the typed id, or else the previous one. */
async function loadRun(ctx: ScheduleRequest, runId: number, typed: string) {
  const { statuses } = ctx.state;
  const otherId = wholeNumber(typed);
  const wanted = [runId, ...otherId === null ? [] : [otherId]];
  let schedule = await loadSchedule(ctx);
  const isLoaded = (id: number) => schedule.loaded.runs.some((run) => run.id === id);
  if (schedule.loaded.stopped === "enough" && !wanted.every(isLoaded)) {
    schedule = await loadSchedule(ctx, MAX_RUNS);
  }
  const { scheduleId, name, loaded, settings } = schedule;
  const { runs, olderUnread } = loaded;
  const index = runs.findIndex(({ id }) => id === runId);
  if (index < 0) throw new ProblemError(404, missingMessage(scheduleId, runId, loaded));
  const earlier = runs.slice(index + 1);
  const before = earlier.at(0) ?? null;
  const other = typed === "" ? before : runs.find(({ id }) => id === otherId) ?? null;
  return {
    scheduleId,
    name,
    run: runs[index],
    before,
    after: runs[index - 1] ?? null,
    lastGood: earlier.find(({ status }) => meaningOf(status, statuses) === "good") ?? null,
    mayHaveBefore: index + 1 === runs.length && olderUnread,
    due: await dueOf(runId, loaded, { ...judgingOf(ctx), plan: settings.plan }),
    typed,
    other,
    issue: typed === "" || other
      ? null
      : otherId === null
      ? `must be the id of a run, ${ID_RULE}`
      : `was not found: ${missingMessage(scheduleId, otherId, loaded)}`,
  };
}

/** How many planned runs to search for the one that the run belongs to. */
const SLOTS = 1000;

async function dueOf(runId: number, loaded: LoadedRuns, options: Omit<JudgingOptions, "now">) {
  const now = Date.now();
  const { statuses } = options;
  const { schedule } = await judgeLoaded(loaded, { ...options, now });
  if (!schedule) return null;
  const { plan } = schedule;
  const slot = latestSlots(loaded.runs, plan, { now, statuses, count: SLOTS }).find((
    { at, runs },
  ) => at >= plan.since - plan.graceMs && runs.some(({ run }) => run.id === runId));
  return slot ? { slot, schedule } : null;
}

function missingMessage(scheduleId: number, runId: number, { runs, stopped }: LoadedRuns): string {
  return stopped === "end"
    ? `Schedule ${scheduleId} has no run ${runId}`
    : `Run ${runId} is not one of the latest ${formatCount(runs.length)} runs of schedule ` +
      `${scheduleId}; older runs were not loaded`;
}

export default page(({ data: { shown, error }, params, state }) => {
  const { statuses: dictionary, preferences: { zone } } = state;
  return (
    <>
      <PageHeader
        title={shown?.run.startTime ? `Run of ${runLabel(shown.run, zone)}` : `Run ${params.runId}`}
        path={pathOf(params.scheduleId, shown?.name)}
        error={error}
      />
      {shown && (
        <>
          <Neighbours shown={shown} zone={zone} />
          {shown.due && <DueLine {...shown.due} />}
          <div class="columns">
            <section>
              <h2>This run</h2>
              <RunFacts run={shown.run} dictionary={dictionary} />
            </section>
            <Changes shown={shown} />
          </div>
          <RecipientList
            run={shown.run}
            params={shown.typed && String(new URLSearchParams({ with: shown.typed }))}
          />
        </>
      )}
    </>
  );
});

type ShownRun = Awaited<ReturnType<typeof loadRun>>;

function Changes({ shown }: { readonly shown: ShownRun }) {
  const { scheduleId, run, before, lastGood, mayHaveBefore, other, typed, issue } = shown;
  const [newer, older] = newestFirst(other ? [run, other] : [run]);
  return (
    <section>
      <h2>{other === before ? "Changes since the previous run" : "Compared with another run"}</h2>
      {older && <Comparison before={older} after={newer} scheduleId={scheduleId} />}
      {!other && !issue && (
        <p>
          {mayHaveBefore
            ? "There may be a previous run, but it was not loaded."
            : "This is the first run of the schedule."}
        </p>
      )}
      <form class="panel">
        <Field
          name="with"
          label="Compare with run id"
          inputMode="numeric"
          required
          value={typed}
          issue={issue ?? undefined}
        />
        <AddressesField />
        <div class="row">
          <button type="submit" class="quiet">Compare</button>
          {lastGood && lastGood !== other && (
            <a href={compareHref(scheduleId, lastGood.id, run.id)}>Compare with the last success</a>
          )}
        </div>
      </form>
    </section>
  );
}

function Neighbours({ shown, zone }: { readonly shown: ShownRun; readonly zone: string }) {
  const { scheduleId, before, after } = shown;
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
