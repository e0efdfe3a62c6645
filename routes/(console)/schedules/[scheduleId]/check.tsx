import { Empty } from "../../../../components/ui/data_table.tsx";
import { CheckList, FindingGroups } from "../../../../components/runs/verdict/findings.tsx";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { formatCountOf } from "../../../../lib/format.ts";
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
        dictionary: ctx.state.statuses,
        now: Date.now(),
      });
      return { ...schedule, findings };
    }),
});

export default page(({ data, params, state }) => {
  const { shown } = data;
  return (
    <>
      <ScheduleHeader current="check" data={data} params={params} state={state} />
      {shown && (
        <>
          {shown.findings.length > 0
            ? (
              <>
                <p>
                  {formatCountOf(shown.findings.length, "finding", "findings")}, newest run first
                </p>
                <FindingGroups findings={shown.findings} scheduleId={shown.scheduleId} />
              </>
            )
            : <Empty>No inconsistencies.</Empty>}
          <CheckList />
        </>
      )}
    </>
  );
});
