import { formatCountOf } from "../../../../components/ui/format.ts";
import { CheckedFor, FindingTable } from "../../../../components/runs/findings.tsx";
import { ScheduleTop } from "../../../../components/runs/schedule_head.tsx";
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
  return (
    <>
      <ScheduleTop
        subject="Consistency"
        scheduleId={scheduleId}
        present="check"
        shown={shown}
        trouble={trouble}
        watch={state.preferences.watch}
      />
      {shown && (
        <>
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
