import { type Actor, actorText } from "../../../lib/judgement/actor.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Moment } from "../../ui/moment.tsx";

export interface TimelineEvent {
  readonly at: number;
  readonly kind: string;
  /** Null for Docket itself. */
  readonly actor: Actor | null;
  readonly note: string | null;
}

const COLUMNS: readonly Column<TimelineEvent>[] = [
  { name: "When", kind: "time", cell: ({ at }) => <Moment at={at} /> },
  { name: "What", cell: ({ kind }) => kind },
  { name: "Who", cell: ({ actor }) => actor ? actorText(actor) : "Docket" },
  { name: "Note", kind: "sentence", cell: ({ note }) => note },
];

export function Timeline({ name, events }: {
  readonly name: string;
  readonly events: readonly TimelineEvent[];
}) {
  return <DataTable name={name} columns={COLUMNS} rows={events} />;
}
