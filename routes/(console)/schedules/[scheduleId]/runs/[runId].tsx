import { PageHeader } from "../../../../../components/page/page_header.tsx";
import { AddressesField } from "../../../../../components/runs/recipients/address.tsx";
import { RecipientList } from "../../../../../components/runs/recipients/recipient_list.tsx";
import { ResultBadge } from "../../../../../components/runs/format_result.tsx";
import { OutageBanner } from "../../../../../components/runs/outage.tsx";
import { runHref } from "../../../../../components/runs/run_links.tsx";
import {
  DueLine,
  OtherChanges,
  RunFacts,
  runSentence,
} from "../../../../../components/runs/run_verdict.tsx";
import { pathOf } from "../../../../../components/runs/schedule_header.tsx";
import { ComparedRuns } from "../../../../../components/runs/verdict/compared_runs.tsx";
import { VerdictPart } from "../../../../../components/runs/verdict/verdict_part.tsx";
import { Field } from "../../../../../components/ui/form.tsx";
import { formatWhen } from "../../../../../components/ui/moment.tsx";
import { timeOf } from "../../../../../lib/runs/times.ts";
import { loadRun } from "../../../../../server/pages/run.ts";
import { loadPage } from "../../../../_errors.ts";
import { handler, page } from "./$[runId].ts";

export const handlers = handler({
  async GET(ctx) {
    const typed = ctx.url.searchParams.get("with")?.trim() ?? "";
    const result = await loadPage(ctx, () => loadRun(ctx, ctx.params.runId, typed));
    const { shown } = result.data;
    return shown?.issue ? { ...result, status: /^\d+$/.test(typed) ? 404 : 400 } : result;
  },
});

export default page(({ data: { shown, error }, params, state }) => {
  const { statuses, preferences: { zone } } = state;
  if (!shown) {
    return (
      <PageHeader title={`Run ${params.runId}`} path={pathOf(params.scheduleId)} error={error} />
    );
  }
  const { scheduleId, run, meaning, before, after, newest, due, compared, typed, issue, now } =
    shown;
  const words = ({ id, startTime }: typeof run) => {
    const at = timeOf(startTime);
    return at === undefined ? `run ${id}` : formatWhen(at, now, zone);
  };
  return (
    <>
      <PageHeader
        title={run.startTime ? `Run of ${words(run)}` : `Run ${run.id}`}
        beside={<ResultBadge status={run.status} statuses={statuses} />}
        path={pathOf(scheduleId, shown.name)}
      />
      {shown.outage && <OutageBanner outage={shown.outage} />}
      <nav class="pager" aria-label="Previous and next run">
        {before
          ? <a href={runHref(scheduleId, before.id)}>← {words(before)}</a>
          : <span class="help">{shown.mayHaveBefore ? "Oldest loaded run" : "First run"}</span>}
        {after
          ? <a href={runHref(scheduleId, after.id)}>{words(after)} →</a>
          : <span class="help">Latest run</span>}
        {run !== newest && <a href={runHref(scheduleId, newest.id)}>Latest</a>}
      </nav>
      <VerdictPart
        tone={meaning === "bad" ? "bad" : "neutral"}
        label="What became of it"
        sentence={runSentence(run, meaning)}
        evidence={compared && <ComparedRuns {...compared} {...{ scheduleId, statuses, now }} />}
      >
        {due && <DueLine {...due} now={now} />}
        {compared && <OtherChanges runs={compared.runs} />}
      </VerdictPart>
      <div class="beside">
        <RecipientList
          run={run}
          params={typed && String(new URLSearchParams({ with: typed }))}
        />
        <div id="side">
          <section aria-labelledby="about">
            <h2 id="about">Facts</h2>
            <RunFacts run={run} />
          </section>
          <form>
            <Field
              name="with"
              label="Compare with run id"
              inputMode="numeric"
              required
              value={typed}
              issue={issue ?? undefined}
            />
            <AddressesField />
            <button type="submit">Compare</button>
          </form>
        </div>
      </div>
    </>
  );
});
