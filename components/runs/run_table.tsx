import { meaningOf, type StatusDictionary } from "../../lib/runs/status.ts";
import { durationOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatBytes, formatCount, formatDuration } from "../ui/format.ts";
import { Missing, ZoneName } from "../ui/moment.tsx";
import { RunLink } from "./run_link.tsx";
import { type RunRow, triggerLabel } from "./run_row.ts";
import { StatusMark } from "./status_mark.tsx";

/** Runs as a table. */
export function RunTable({ runs, scheduleId, dictionary }: {
  readonly runs: readonly RunRow[];
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  return (
    <div class="scroll" role="region" aria-label="Runs" tabIndex={0}>
      <table>
        <caption class="unseen">
          Runs, times in <ZoneName />
        </caption>
        <thead>
          <tr>
            <th scope="col">
              Started <ZoneName />
            </th>
            <th scope="col">Status</th>
            <th scope="col" class="number">Duration</th>
            <th scope="col">Trigger</th>
            <th scope="col">Report</th>
            <th scope="col" class="number">Cards</th>
            <th scope="col" class="number">Attachments</th>
            <th scope="col" class="number">Attachment size</th>
            <th scope="col" class="number">Email size</th>
            <th scope="col" class="number">Recipients</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, at) => (
            // A service may repeat an id, so it can't be the key alone.
            <tr key={`${run.id} ${at}`}>
              <th scope="row">
                <RunLink run={run} scheduleId={scheduleId} />
              </th>
              <td>
                <StatusMark status={run.status} meaning={meaningOf(run.status, dictionary)} />
              </td>
              <td class="number">
                <Duration run={run} />
              </td>
              <td>{triggerLabel(run.automated) ?? <Missing />}</td>
              <td>{run.reportTitle || <Missing />}</td>
              <Count value={run.cardCount} />
              <Count value={run.attachmentCount} />
              <Count value={run.attachmentSize} format={formatBytes} />
              <Count value={run.emailSize} format={formatBytes} />
              <Count value={run.recipientCount} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How long a run took; unknown for a run without an end. */
export function Duration({ run }: { readonly run: Pick<ReportRun, "startTime" | "endTime"> }) {
  const ms = durationOf(run);
  return ms === undefined ? <Missing /> : <>{formatDuration(ms)}</>;
}

function Count({ value, format = formatCount }: {
  readonly value: number | null | undefined;
  readonly format?: (value: number) => string;
}) {
  return <td class="number">{typeof value === "number" ? format(value) : <Missing />}</td>;
}
