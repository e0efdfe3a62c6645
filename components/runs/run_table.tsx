import { useContext } from "preact/hooks";
import { meaningOf, type StatusDictionary } from "../../lib/runs/status.ts";
import { durationOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { type Column, DataTable } from "../ui/data_table.tsx";
import { formatBytes, formatCount, formatDuration } from "../ui/format.ts";
import { Zone } from "../ui/zone.ts";
import { runLinkOf } from "./run_link.tsx";
import { type RunRow, triggerLabel } from "./run_row.ts";
import { statusOf } from "./status_mark.tsx";

/** The columns after the start time. */
const columnsOf = (dictionary: StatusDictionary): readonly Column<RunRow>[] => [
  {
    name: "Status",
    cell: ({ status }) => statusOf(status, meaningOf(status, dictionary)),
  },
  { name: "Duration", kind: "number", cell: formatRunDuration },
  { name: "Trigger", cell: ({ automated }) => triggerLabel(automated) },
  { name: "Report", cell: ({ reportTitle }) => reportTitle },
  { name: "Cards", kind: "number", cell: ({ cardCount }) => count(cardCount) },
  { name: "Attachments", kind: "number", cell: ({ attachmentCount }) => count(attachmentCount) },
  { name: "Attachment size", kind: "number", cell: ({ attachmentSize }) => bytes(attachmentSize) },
  { name: "Email size", kind: "number", cell: ({ emailSize }) => bytes(emailSize) },
  { name: "Recipients", kind: "number", cell: ({ recipientCount }) => count(recipientCount) },
];

/** Runs as a table. */
export function RunTable({ runs, scheduleId, dictionary }: {
  readonly runs: readonly RunRow[];
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
  const started: Column<RunRow> = {
    name: "Started",
    kind: "time",
    cell: (run) => runLinkOf(run, scheduleId, zone),
  };
  return (
    <DataTable
      name="Runs"
      columns={[started, ...columnsOf(dictionary)]}
      rows={runs}
      // A service may repeat an id, so it can't be the key alone.
      keyOf={({ id }, index) => `${id} ${index}`}
    />
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
