import { useContext } from "preact/hooks";
import type { ReportRun } from "../../lib/types.ts";
import { timeOf } from "../ui/moment.tsx";
import { Zone } from "../ui/zone.ts";
import { runHref } from "./run_links.ts";

/** A link to a run by its start time, or by its id where it has none. */
export function RunLink({ run, scheduleId }: {
  readonly run: Pick<ReportRun, "id" | "startTime">;
  readonly scheduleId: number;
}) {
  return runLinkOf(run, scheduleId, useContext(Zone));
}

/** The same for the cells of long tables, where a component for each would be slow. */
function runLinkOf(
  { id, startTime }: Pick<ReportRun, "id" | "startTime">,
  scheduleId: number,
  zone: string,
) {
  return <a href={runHref(scheduleId, id)}>{startTime ? timeOf(startTime, zone) : `run ${id}`}</a>;
}
