import { CheckList, FindingGroups } from "../../../../components/runs/verdict/findings.tsx";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { formatCountOf } from "../../../../components/ui/format.ts";
import { checkRuns } from "../../../../lib/runs/findings.ts";
import { loadPage } from "../../../_errors.ts";
import { loadSchedule } from "../_runs.ts";
import { handler, page } from "./$check.ts";

export const handlers = handler({
  GET: (ctx) =>
    loadPage(ctx, async () => {
      const schedule = await loadSchedule(ctx);
      const { runs, repeated } = schedule.loaded;
      const findings = checkRuns([...runs, ...repeated], {
        dictionary: ctx.state.preferences.statuses,
        now: Date.now(),
      });
      return { ...schedule, findings };
    }),
});

export default page(({ data: { shown, error }, params, state }) => (
  <>
    <ScheduleHeader
      subject="Consistency"
      scheduleId={params.scheduleId}
      current="check"
      shown={shown}
      error={error}
      watch={state.preferences.watch}
    />
    {shown && (
      <>
        {shown.findings.length > 0
          ? (
            <>
              <p>{formatCountOf(shown.findings.length, "finding", "findings")}, newest run first</p>
              <FindingGroups findings={shown.findings} scheduleId={shown.scheduleId} />
            </>
          )
          : (
            <div class="empty">
              <p>No inconsistencies.</p>
            </div>
          )}
        <CheckList />
      </>
    )}
  </>
));
