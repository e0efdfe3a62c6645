import { PageHeader } from "../../../../../components/page/page_header.tsx";
import { RecipientList } from "../../../../../components/runs/recipients/recipient_list.tsx";
import { ResultBadge, triggerLabel } from "../../../../../components/runs/run_words.tsx";
import { OutageBanner } from "../../../../../components/ui/notices.tsx";
import { runHref, runMoment } from "../../../../../components/runs/run_links.tsx";
import { RunVerdict } from "../../../../../components/runs/verdict/run_verdict.tsx";
import { Section } from "../../../../../components/ui/section.tsx";
import { trailOf } from "../../../../../components/runs/schedule_header.tsx";
import { Fact, useMoment } from "../../../../../components/ui/moment.tsx";
import { loadRun } from "../../../../../server/pages/run.ts";
import { loadPage } from "../../../../_errors.ts";
import { handler, page } from "./$[runId].ts";

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadRun(ctx, ctx.params.runId)),
});

type Shown = Awaited<ReturnType<typeof loadRun>>;

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
      {shown.outage && <OutageBanner {...shown.outage} />}
      <PageHeader
        title={run.startTime ? `Run of ${runMoment(run, now, zone)}` : `Run ${run.id}`}
        beside={<ResultBadge run={run} />}
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

/** Links to the runs before and after it, and to the latest one. */
function RunNeighbours({ scheduleId, before, after, newest }: Shown) {
  const { now, zone } = useMoment();
  if (!before && !after) return null;
  return (
    <nav class="line pager" aria-label="Previous and next run">
      {([["Previous run", before], ["Next run", after]] as const).map(([name, run]) =>
        run && (
          <a key={name} href={runHref(scheduleId, run.id)}>{name}, {runMoment(run, now, zone)}</a>
        )
      )}
      {after && <a href={runHref(scheduleId, newest.id)}>Latest run</a>}
    </nav>
  );
}

function RunFacts({ run }: Pick<Shown, "run">) {
  return (
    <Section id="about" title="Facts">
      <dl class="facts">
        <Fact name="Report">{withId(run.reportTitle, run.reportId)}</Fact>
        <Fact name="Subject">{run.reportSubject}</Fact>
        <Fact name="Resource">
          {withId([run.resourceType, run.resourceName].filter(Boolean).join(" "), run.resourceId)}
        </Fact>
        <Fact name="Trigger">{triggerLabel(run.automated)}</Fact>
        <Fact name="Owner id">{run.ownerId}</Fact>
        <Fact name="Cards">{run.cardCount}</Fact>
        <Fact name="Run id">
          <code>{run.id}</code>
        </Fact>
      </dl>
    </Section>
  );
}

function withId(name: string | null | undefined, id: number | null | undefined) {
  return [name, typeof id === "number" && `(${id})`].filter(Boolean).join(" ");
}
