import type { Finding, FindingKind } from "../../../lib/runs/findings.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { formatCountOf } from "../../ui/format.ts";
import { RunLink } from "../run_link.tsx";
import { compareHref } from "../run_links.ts";

/** The maximum number of findings on a page. */
const MAX_FINDINGS = 500;

const KINDS: Readonly<Record<FindingKind, string>> = {
  "repeated-id": "Duplicate run ids",
  "no-start": "A missing start time",
  "no-end": "A missing end time, unless the run may still be in progress",
  "end-before-start": "An end time before the start time",
  "overlap": "Overlapping runs",
  "recipient-count": "A recipient count that differs from the recipient list",
  "repeated-recipient": "A recipient listed twice",
  "no-recipients": "An empty recipient list",
  "no-attachments": "No attachments, where almost every other run has some",
  "attachment-size": "An attachment size that contradicts the attachment count",
  "size-jump": "A size three times larger or smaller than in earlier runs",
};

/** Inconsistencies in the data of runs. */
export function FindingTable({ findings, scheduleId }: {
  readonly findings: readonly Finding<ReportRun>[];
  readonly scheduleId: number;
}) {
  return (
    <>
      <DataTable
        name="Findings"
        columns={columnsOf(scheduleId)}
        rows={findings.slice(0, MAX_FINDINGS)}
      />
      {findings.length > MAX_FINDINGS && (
        <p>
          {formatCountOf(findings.length - MAX_FINDINGS, "more finding is", "more findings are")}
          {" "}
          not shown.
        </p>
      )}
    </>
  );
}

function columnsOf(scheduleId: number): readonly Column<Finding<ReportRun>>[] {
  return [
    { name: "Run", kind: "time", cell: ({ run }) => <RunLink run={run} scheduleId={scheduleId} /> },
    { name: "Finding", kind: "sentence", cell: ({ message }) => message },
    {
      name: "Related run",
      cell: ({ run, other }) =>
        !!other && other.id !== run.id &&
        <a href={compareHref(scheduleId, other.id, run.id)}>Compare</a>,
    },
  ];
}

/** The list of checks. */
export function CheckList() {
  return (
    <details>
      <summary>What is checked</summary>
      <ul>{Object.entries(KINDS).map(([kind, check]) => <li key={kind}>{check}</li>)}</ul>
    </details>
  );
}
