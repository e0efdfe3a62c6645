import { formatBytes, formatCount, formatDuration } from "../../../lib/format.ts";
import type { PeriodSummary } from "../../../lib/runs/period.ts";
import type { Recipient } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { formatDifference, formatPercent, formatPoints } from "../format.ts";
import { RecipientChanges } from "./people.tsx";
import type { NamedPeriod } from "./named_period.ts";

export interface ComparedPeriod extends NamedPeriod {
  readonly summary: PeriodSummary;
  readonly missed: number | null;
  readonly isPartial: boolean;
  readonly isRunning: boolean;
}

const MEASURES = [
  ["Duration, median", "p50", formatDuration],
  ["Duration, 95th percentile", "p95", formatDuration],
  ["Attachment size, median", "attachmentSize", formatBytes],
  ["Email size, median", "emailSize", formatBytes],
] as const;

export function PeriodComparison({ first, second }: {
  readonly first: ComparedPeriod;
  readonly second: ComparedPeriod;
}) {
  const [before, after] = [first.summary, second.summary];
  const names = [...new Set([...before.statuses.keys(), ...after.statuses.keys()])].sort();
  const rows: readonly Row[] = [
    { name: "Runs", before: before.runs, after: after.runs, format: formatCount },
    ...names.map((name) => ({
      name: `Status ${name || "missing"}`,
      before: before.statuses.get(name) ?? 0,
      after: after.statuses.get(name) ?? 0,
      format: formatCount,
    })),
    { name: "Failed", before: before.failed, after: after.failed, format: formatPercent },
    { name: "Missed", before: first.missed, after: second.missed, format: formatCount },
    ...MEASURES.map(([name, measure, format]) => ({
      name,
      before: before[measure],
      after: after[measure],
      format,
    })),
    {
      name: "Recipients",
      before: before.recipients?.size ?? null,
      after: after.recipients?.size ?? null,
      format: formatCount,
    },
  ];
  return (
    <>
      <DataTable
        name="Differences"
        caption="Differences between two periods"
        columns={columnsOf(first, second)}
        rows={rows}
      />
      <Notes periods={[first, second]} />
      <Recipients before={before.recipients} after={after.recipients} />
    </>
  );
}

interface Row {
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly format: (value: number) => string;
}

function columnsOf(first: NamedPeriod, second: NamedPeriod): readonly Column<Row>[] {
  const shown = (value: number | null, format: Row["format"]) =>
    value === null ? undefined : format(value);
  // Two equal periods would otherwise have the same heading.
  const [before, after] = [daysText(first), daysText(second)];
  return [
    { name: "Figure", cell: ({ name }) => name },
    { name: before, kind: "number", cell: ({ before, format }) => shown(before, format) },
    {
      name: after === before ? `${after} ` : after,
      kind: "number",
      cell: ({ after, format }) => shown(after, format),
    },
    {
      name: "Change",
      kind: "number",
      cell: ({ before, after, format }) => {
        if (before === null || after === null) return "unknown";
        // Shares are compared as they are: a percentage of percentages misleads.
        const difference = format === formatPercent ? formatPoints : formatDifference;
        return difference(before, after);
      },
    },
  ];
}

function daysText({ first, last }: NamedPeriod): string {
  return first === last ? first : `${first} to ${last}`;
}

function Notes({ periods }: { readonly periods: readonly ComparedPeriod[] }) {
  const notes = periods.flatMap((period) => [
    ...(period.isRunning ? [`${daysText(period)} has not ended yet.`] : []),
    ...(period.isPartial
      ? [
        `Some runs of ${
          daysText(period)
        } may not have been loaded, so the real counts may be higher.`,
      ]
      : []),
    ...(period.summary.runs === 0 ? [`No run started in ${daysText(period)}.`] : []),
  ]);
  if (periods.some(({ missed }) => missed === null)) {
    notes.push("Missed runs are unknown: this schedule has no plan.");
  }
  return <>{notes.map((note) => <p key={note} class="help">{note}</p>)}</>;
}

function Recipients({ before, after }: {
  readonly before: ReadonlyMap<string, Recipient> | null;
  readonly after: ReadonlyMap<string, Recipient> | null;
}) {
  if (!before || !after) {
    return <p>Recipients can't be compared: no run of one of the periods lists them.</p>;
  }
  const added = [...after].filter(([key]) => !before.has(key)).map(([, one]) => one);
  const removed = [...before].filter(([key]) => !after.has(key)).map(([, one]) => one);
  return (
    <RecipientChanges
      kept={after.size - added.length}
      {...{ added, removed }}
    />
  );
}
