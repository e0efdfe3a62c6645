import { useContext } from "preact/hooks";
import type { ReportRun } from "../../lib/types.ts";
import { timeElement } from "../ui/moment.tsx";
import { Zone } from "../ui/zone.ts";
import { runHref } from "./run_links.ts";

export function RunLink({ run: { id, startTime }, scheduleId }: {
  readonly run: Pick<ReportRun, "id" | "startTime">;
  readonly scheduleId: number;
}) {
  const zone = useContext(Zone);
  return (
    <a href={runHref(scheduleId, id)}>{startTime ? timeElement(startTime, zone) : `run ${id}`}</a>
  );
}
