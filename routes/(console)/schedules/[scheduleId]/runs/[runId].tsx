import { PageHeader } from "../../../../../components/page/page_header.tsx";
import { AddressesField } from "../../../../../components/runs/recipients/address.tsx";
import { RecipientList } from "../../../../../components/runs/recipients/recipient_list.tsx";
import { ResultBadge } from "../../../../../components/runs/run_words.tsx";
import { OutageBanner } from "../../../../../components/runs/outage.tsx";
import { runMoment } from "../../../../../components/runs/run_links.tsx";
import {
  RunFacts,
  RunNeighbours,
  RunVerdict,
} from "../../../../../components/runs/run_verdict.tsx";
import { trailOf } from "../../../../../components/runs/schedule_header.tsx";
import { useMoment } from "../../../../../components/ui/moment.tsx";
import { Field } from "../../../../../components/ui/form.tsx";
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

export default page(({ data: { shown, error }, params }) => {
  const { now, zone } = useMoment();
  if (!shown) {
    return (
      <PageHeader title={`Run ${params.runId}`} trail={trailOf(params.scheduleId)} error={error} />
    );
  }
  const { scheduleId, run, typed, issue } = shown;
  return (
    <>
      {shown.outage && <OutageBanner outage={shown.outage} />}
      <PageHeader
        title={run.startTime ? `Run of ${runMoment(run, now, zone)}` : `Run ${run.id}`}
        beside={<ResultBadge status={run.status} />}
        trail={trailOf(scheduleId, shown.name)}
      />
      <RunNeighbours {...shown} />
      <RunVerdict {...shown} />
      <div class="beside">
        <RecipientList
          run={run}
          meaning={shown.meaning}
          params={typed && String(new URLSearchParams({ with: typed }))}
        />
        <div id="side">
          <RunFacts run={run} />
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
