import { formatCountOf } from "../../../../components/format.ts";
import { PageTop } from "../../../../components/page_top.tsx";
import { CheckedFor, FindingTable } from "../../../../components/runs/findings.tsx";
import { SchedulePath, ScheduleViews } from "../../../../components/runs/schedule_head.tsx";
import { judgedWords } from "../../../../components/runs/words.ts";
import { checkRuns } from "../../../../lib/runs/check.ts";
import { pageTrouble } from "../../../_trouble.ts";
import { loadSchedule, titleOf } from "../_runs.ts";
import { handler, page } from "./$check.ts";

export const handlers = handler({
  async GET(ctx) {
    try {
      const schedule = await loadSchedule(ctx);
      const { runs, repeated } = schedule.loaded;
      const findings = checkRuns([...runs, ...repeated], {
        dictionary: ctx.state.preferences.statuses,
        now: Date.now(),
      });
      const shown = { ...schedule, findings, title: titleOf(schedule) };
      return { data: { ...ctx.params, shown, trouble: null } };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: { ...ctx.params, shown: null, trouble }, ...answer };
    }
  },
});

export default page(({ data: { scheduleId, shown, trouble }, state }) => {
  const title = `Consistency of ${shown?.title ?? `schedule ${scheduleId}`}`;
  return (
    <>
      <PageTop
        title={title}
        path={<SchedulePath scheduleId={scheduleId} />}
        trouble={trouble}
      />
      {shown && (
        <>
          <ScheduleViews
            scheduleId={shown.scheduleId}
            present="check"
            isWatched={state.preferences.watch.includes(shown.scheduleId)}
          />
          <p class="help">{judgedWords(shown.loaded)}</p>
          {shown.findings.length > 0
            ? (
              <>
                <p>
                  {formatCountOf(shown.findings.length, "finding", "findings")}, by the newest run
                  first:
                </p>
                <FindingTable findings={shown.findings} scheduleId={shown.scheduleId} />
              </>
            )
            : (
              <div class="empty">
                <p>Nothing was found that does not add up.</p>
              </div>
            )}
          <CheckedFor />
        </>
      )}
    </>
  );
});
