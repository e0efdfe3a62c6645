import type { ReportRun } from "../types.ts";
import { missingAttachments, overlaps, repeatedIds, sizeJumps } from "./compared_findings.ts";
import type { Finding } from "./finding.ts";
import { findingsOfEach } from "./run_findings.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { newestFirst, timeOf } from "./times.ts";

/** Looks for inconsistencies in runs, which are in any order; newest run first. */
export function checkRuns<Run extends ReportRun>(
  runs: readonly Run[],
  { dictionary, now }: { readonly dictionary: StatusDictionary; readonly now: number },
): Finding<Run>[] {
  const checked = newestFirst(runs).map((run) => ({
    run,
    start: timeOf(run.startTime),
    end: timeOf(run.endTime),
    isBad: meaningOf(run.status, dictionary) === "bad",
  }));
  const found = [
    ...repeatedIds(checked),
    ...findingsOfEach(checked, now),
    ...overlaps(checked),
    ...missingAttachments(checked),
    ...sizeJumps(checked),
  ];
  const places = new Map(checked.map(({ run }, place) => [run, place]));
  return found.sort((a, b) => places.get(a.run)! - places.get(b.run)!);
}
