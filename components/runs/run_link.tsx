import type { ReportRun } from "../../lib/types.ts";
import { Moment } from "../ui/moment.tsx";
import { runHref } from "./run_links.ts";

/** A link to a run by its start time, or by its id where it has none. */
export function RunLink({ run, scheduleId }: {
  readonly run: Pick<ReportRun, "id" | "startTime">;
  readonly scheduleId: number;
}) {
  return (
    <a href={runHref(scheduleId, run.id)}>
      {run.startTime ? <Moment at={run.startTime} /> : `run ${run.id}`}
    </a>
  );
}
