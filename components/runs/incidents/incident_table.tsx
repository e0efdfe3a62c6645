import { type Column, DataTable } from "../../ui/data_table.tsx";
import { When } from "../../ui/moment.tsx";
import { type Silence, SilenceNote } from "./silence.tsx";

/** An incident as pages show it; times are milliseconds since 1970. */
export interface IncidentRow {
  readonly id: string;
  readonly code: string;
  readonly summary: string;
  readonly severity: string;
  /** When it began, perhaps long before it was noticed; null if unknown. */
  readonly since: number | null;
  readonly opened: number;
  readonly resolved: number | null;
  readonly acknowledgedBy: string | null;
}

export interface ListedIncident extends IncidentRow {
  readonly silences: readonly Silence[];
}

export function IncidentTable({ incidents, isFiltered, now }: {
  readonly incidents: readonly ListedIncident[];
  readonly isFiltered: boolean;
  readonly now: number;
}) {
  const when = (at: number) => <When at={at} now={now} hasDistance />;
  const columns: readonly Column<ListedIncident>[] = [
    {
      name: "Incident",
      kind: "sentence",
      cell: ({ id, summary }) => <a href={incidentHref(id)}>{summary}</a>,
    },
    { name: "Severity", cell: ({ severity }) => <SeverityMark severity={severity} /> },
    {
      name: "State",
      kind: "sentence",
      cell: ({ silences, ...row }) => [
        stateWords(row),
        ...silences.flatMap((silence) => [
          "; ",
          <SilenceNote key={silence.href} silence={silence} of={row.summary} now={now} />,
        ]),
      ],
    },
    { name: "Began", kind: "time", cell: ({ since }) => since && <When at={since} now={now} /> },
    { name: "Noticed", kind: "time", cell: ({ opened }) => when(opened) },
    { name: "Resolved", kind: "time", cell: ({ resolved }) => resolved && when(resolved) },
  ];
  return (
    <DataTable
      name="Incidents"
      columns={columns}
      rows={incidents}
      keyOf={({ id }) => id}
      empty={isFiltered ? "No incidents match." : "There are no incidents yet."}
    />
  );
}

export function SeverityMark({ severity }: { readonly severity: string }) {
  const isCritical = severity === "critical";
  return (
    <span class={`status ${isCritical ? "bad" : "drift"}`}>
      {isCritical ? "⚠ " : "◆ "}
      {severity}
    </span>
  );
}

export function stateWords(
  { code, resolved, acknowledgedBy }: Pick<IncidentRow, "code" | "resolved" | "acknowledgedBy">,
): string {
  if (resolved) return "resolved";
  if (acknowledgedBy) return `acknowledged by ${acknowledgedBy}`;
  return code === "missed" ? "passed" : "open";
}

export function incidentHref(id: string): string {
  return `/incidents/${encodeURIComponent(id)}`;
}
