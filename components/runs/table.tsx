import { meaningOf, type StatusDictionary } from "../../lib/runs/status.ts";
import { durationOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatBytes, formatCount, formatDuration } from "../ui/format.ts";
import { Missing, Moment, ZoneName } from "../ui/moment.tsx";
import { type RunRow, triggerWords } from "./row.ts";
import { runHref } from "./view.ts";
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
              started <ZoneName />
            </th>
            <th scope="col">status</th>
            <th scope="col" class="number">duration</th>
            <th scope="col">trigger</th>
            <th scope="col">report</th>
            <th scope="col" class="number">cards</th>
            <th scope="col" class="number">attachments</th>
            <th scope="col" class="number">attachment size</th>
            <th scope="col" class="number">e-mail size</th>
            <th scope="col" class="number">recipients</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, at) => (
            // Ids that repeat are a fault of the service to be seen, so they can't be the key alone.
            <tr key={`${run.id} ${at}`}>
              <th scope="row" class="moment">
                <a href={runHref(scheduleId, run.id)}>
                  {run.startTime ? <Moment at={run.startTime} /> : `run ${run.id}`}
                </a>
              </th>
              <td>
                <StatusMark status={run.status} meaning={meaningOf(run.status, dictionary)} />
              </td>
              <td class="number">
                <Duration run={run} />
              </td>
              <td>{triggerWords(run.automated) ?? <Missing />}</td>
              <td class="text wide">{run.reportTitle || <Missing />}</td>
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

/** How long a run took; a run without an end took nobody knows how long. */
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
