import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { meaningOf, type StatusDictionary } from "../../lib/runs/status.ts";
import { durationOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatBytes, formatCount, formatDuration } from "../ui/format.ts";
import { MISSING, ZoneName } from "../ui/moment.tsx";
import { Zone } from "../ui/zone.ts";
import { runLinkOf } from "./run_link.tsx";
import { type RunRow, triggerLabel } from "./run_row.ts";
import { statusOf } from "./status_mark.tsx";

/** The columns after the start time. */
const COLUMNS: readonly {
  readonly name: string;
  readonly isNumber?: true;
  /** What a cell shows; nothing for a missing value. */
  readonly cell: (run: RunRow, dictionary: StatusDictionary) => ComponentChildren;
}[] = [
  {
    name: "Status",
    cell: ({ status }, dictionary) => statusOf(status, meaningOf(status, dictionary)),
  },
  { name: "Duration", isNumber: true, cell: formatRunDuration },
  { name: "Trigger", cell: ({ automated }) => triggerLabel(automated) },
  { name: "Report", cell: ({ reportTitle }) => reportTitle },
  { name: "Cards", isNumber: true, cell: ({ cardCount }) => count(cardCount) },
  { name: "Attachments", isNumber: true, cell: ({ attachmentCount }) => count(attachmentCount) },
  { name: "Attachment size", isNumber: true, cell: ({ attachmentSize }) => bytes(attachmentSize) },
  { name: "Email size", isNumber: true, cell: ({ emailSize }) => bytes(emailSize) },
  { name: "Recipients", isNumber: true, cell: ({ recipientCount }) => count(recipientCount) },
];

/** Runs as a table. */
export function RunTable({ runs, scheduleId, dictionary }: {
  readonly runs: readonly RunRow[];
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
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
            {COLUMNS.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber && "number"}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run, index) => (
            // A service may repeat an id, so it can't be the key alone.
            <tr key={`${run.id} ${index}`}>
              <th scope="row">{runLinkOf(run, scheduleId, zone)}</th>
              {COLUMNS.map(({ name, isNumber, cell }) => (
                <td key={name} class={isNumber && "number"}>{cell(run, dictionary) || MISSING}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How long a run took; nothing for a run without an end. */
export function formatRunDuration(
  run: Pick<ReportRun, "startTime" | "endTime">,
): string | undefined {
  const ms = durationOf(run);
  return ms === undefined ? undefined : formatDuration(ms);
}

function count(value: number | null | undefined): string | undefined {
  return typeof value === "number" ? formatCount(value) : undefined;
}

function bytes(value: number | null | undefined): string | undefined {
  return typeof value === "number" ? formatBytes(value) : undefined;
}
