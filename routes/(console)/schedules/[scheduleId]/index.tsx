import { PlannedChart } from "../../../../components/runs/charts/strip.tsx";
import { LoadedNote, ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { ScheduleSide } from "../../../../components/runs/schedule_side.tsx";
import { Facts } from "../../../../components/runs/verdict/facts.tsx";
import { VerdictLine } from "../../../../components/runs/verdict/verdict_line.tsx";
import { Observation } from "./_observation.tsx";
import { Runs } from "./_runs.tsx";
import { showRuns } from "./_show_runs.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  GET: showRuns,
  /** The form is sent by POST, so that no typed address gets into a URL. */
  POST: showRuns,
});

export default page(({ data, params, state }) => {
  const { shown } = data;
  if (!shown) return <ScheduleHeader current="runs" {...{ data, params, state }} />;
  const { scheduleId, loaded, readAt, view, observed, verdict, coming, owner } = shown;
  const incidents = observed?.incidents ?? [];
  // One alone is no more than a link.
  const listed = incidents.length > 1 ? incidents.map(({ code }) => code) : [];
  return (
    <>
      <ScheduleHeader current="runs" {...{ data, params, state }} />
      <div id="verdict" data-refreshed={observed ? true : undefined}>
        <VerdictLine {...{ verdict, scheduleId, listed }}>
          {observed
            ? <Observation {...{ observed, loaded, scheduleId }} />
            : <LoadedNote {...{ loaded, readAt }} />}
        </VerdictLine>
        {loaded.runs.length > 0 && (
          <Facts {...{ verdict, scheduleId }} olderUnread={loaded.olderUnread} />
        )}
      </div>
      {loaded.runs.length > 0 && (
        <>
          <div id="run-chart">
            <PlannedChart {...{ verdict, view, scheduleId }} />
          </div>
          <div class="beside">
            <div>
              <Runs shown={shown} state={state} />
            </div>
            <ScheduleSide
              {...{ verdict, coming, scheduleId, owner }}
              watchedSince={observed?.created ?? null}
            />
          </div>
        </>
      )}
    </>
  );
});
