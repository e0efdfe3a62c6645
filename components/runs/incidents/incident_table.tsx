import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Moment } from "../../ui/moment.tsx";

/** An incident as pages show it; times are milliseconds since 1970. */
export interface IncidentRow {
  readonly id: string;
  /** What is wrong, as a sentence. */
  readonly summary: string;
  readonly severity: string;
  /** Since when it is wrong, which may be long before it was seen; null if that is not known. */
  readonly since: number | null;
  readonly opened: number;
  readonly resolved: number | null;
  readonly acknowledgedBy: string | null;
  readonly mutedUntil: number | null;
  readonly isMuted: boolean;
}

const COLUMNS: readonly Column<IncidentRow>[] = [
  {
    name: "Incident",
    kind: "sentence",
    cell: ({ id, summary }) => <a href={incidentHref(id)}>{summary}</a>,
  },
  { name: "Severity", cell: ({ severity }) => <SeverityMark severity={severity} /> },
  { name: "State", cell: stateWords },
  { name: "Since", kind: "time", cell: ({ since }) => <Moment at={since} /> },
  { name: "Opened", kind: "time", cell: ({ opened }) => <Moment at={opened} /> },
  { name: "Resolved", kind: "time", cell: ({ resolved }) => <Moment at={resolved} /> },
];

export function IncidentTable({ incidents, isFiltered }: {
  readonly incidents: readonly IncidentRow[];
  readonly isFiltered: boolean;
}) {
  return (
    <DataTable
      name="Incidents"
      columns={COLUMNS}
      rows={incidents}
      keyOf={({ id }) => id}
      empty={isFiltered ? "No incidents match." : "There are no incidents yet."}
    />
  );
}

/** A severity, shown by a sign as well as a colour. */
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
  { resolved, acknowledgedBy, isMuted }: Pick<
    IncidentRow,
    "resolved" | "acknowledgedBy" | "isMuted"
  >,
): string {
  if (resolved) return "resolved";
  const words = [acknowledgedBy ? `acknowledged by ${acknowledgedBy}` : "open"];
  if (isMuted) words.push("muted");
  return words.join(", ");
}

export function incidentHref(id: string): string {
  return `/incidents/${encodeURIComponent(id)}`;
}
