import { PageHeader } from "../../../../../components/page/page_header.tsx";
import { RecipientList } from "../../../../../components/runs/recipients/recipient_list.tsx";
import { ResultBadge } from "../../../../../components/runs/run_words.tsx";
import { OutageBanner } from "../../../../../components/ui/notices.tsx";
import { runMoment } from "../../../../../components/runs/run_links.tsx";
import { RunFacts, RunNeighbours, RunVerdict } from "./_run.tsx";
import { trailOf } from "../../../../../components/runs/schedule_header.tsx";
import { useMoment } from "../../../../../components/ui/moment.tsx";
import { loadRun } from "../../../../../server/pages/run.ts";
import { loadPage } from "../../../../_errors.ts";
import { handler, page } from "./$[runId].ts";

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadRun(ctx, ctx.params.runId)),
});

export default page(({ data: { shown, error }, params }) => {
  const { now, zone } = useMoment();
  if (!shown) {
    return (
      <PageHeader title={`Run ${params.runId}`} trail={trailOf(params.scheduleId)} error={error} />
    );
  }
  const { scheduleId, run } = shown;
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
        <RecipientList run={run} meaning={shown.meaning} />
        <div id="side">
          <RunFacts run={run} />
        </div>
      </div>
    </>
  );
});
