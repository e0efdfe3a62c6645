import { useContext } from "preact/hooks";
import { formatCountOf } from "../../../lib/format.ts";
import type { Finding, FindingKind } from "../../../lib/runs/findings.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { compareHref, RunLink } from "../run_links.tsx";

const MAX_FINDINGS = 500;

const KINDS: Readonly<Record<FindingKind, readonly [title: string, check: string]>> = {
  "repeated-id": ["Duplicate run id", "Duplicate run ids"],
  "no-start": ["No start time", "A missing start time"],
  "no-end": ["No end time", "A missing end time, unless the run may still be in progress"],
  "end-before-start": ["Ended before it started", "An end time before the start time"],
  "overlap": ["Overlapping runs", "Overlapping runs"],
  "recipient-count": [
    "Recipient count and list differ",
    "A recipient count that differs from the recipient list",
  ],
  "repeated-recipient": ["Recipient listed twice", "A recipient listed twice"],
  "attachment-size": [
    "Attachment count and size disagree",
    "An attachment size that contradicts the attachment count",
  ],
};

/** Groups with more findings are closed if there are several groups. */
const MAX_OPEN = 5;

export function FindingGroups({ findings, scheduleId }: {
  readonly findings: readonly Finding<ReportRun>[];
  readonly scheduleId: number;
}) {
  const zone = useContext(Zone);
  const columns: readonly Column<Finding<ReportRun>>[] = [
    { name: "Run", kind: "time", cell: ({ run }) => <RunLink run={run} scheduleId={scheduleId} /> },
    { name: "Finding", kind: "sentence", cell: ({ message }) => message },
    {
      name: "Related run",
      cell: ({ run, other }) =>
        !!other && other.id !== run.id &&
        <a href={compareHref(scheduleId, other.id, run.id)}>Compare</a>,
    },
  ];
  const shown = findings.slice(0, MAX_FINDINGS);
  const groups = Object.entries(Object.groupBy(shown, ({ kind }) => kind)) as [
    FindingKind,
    Finding<ReportRun>[],
  ][];
  return (
    <>
      {groups.map(([kind, group]) => (
        <details
          key={kind}
          class="finding-group"
          open={groups.length === 1 || group.length <= MAX_OPEN}
        >
          <summary>
            <b>{KINDS[kind][0]}</b>: {formatCountOf(group.length, "finding", "findings")}
            {spanText(group, zone)}
          </summary>
          <DataTable name={KINDS[kind][0]} columns={columns} rows={group} />
        </details>
      ))}
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

function spanText(group: readonly Finding<ReportRun>[], zone: string): string {
  const days = group.flatMap(({ run: { startTime } }) =>
    timeOf(startTime) === undefined ? [] : formatMoment(startTime!, zone).slice(0, 10)
  ).sort();
  if (days.length === 0) return "";
  const [first, last] = [days[0], days[days.length - 1]];
  return first === last ? `, ${first}` : `, ${first} to ${last}`;
}

export function CheckList() {
  return (
    <details>
      <summary>What is checked</summary>
      <ul>{Object.entries(KINDS).map(([kind, [, check]]) => <li key={kind}>{check}</li>)}</ul>
    </details>
  );
}
