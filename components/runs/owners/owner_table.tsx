import { type Column, DataTable } from "../../ui/data_table.tsx";
import { ownerHref } from "../run_links.tsx";
import { ChannelList, type ChannelRow } from "./channel_list.tsx";

interface OwnerRow {
  readonly name: string;
  readonly channels: readonly ChannelRow[];
  /** How many schedules name it. */
  readonly schedules: number;
  readonly open: number;
  readonly quiet: string;
}

export function OwnerTable({ rows, now }: {
  readonly rows: readonly OwnerRow[];
  readonly now: number;
}) {
  const columns: readonly Column<OwnerRow>[] = [
    { name: "Owner", cell: ({ name }) => <a href={ownerHref(name)}>{name}</a> },
    {
      name: "Channels",
      kind: "sentence",
      cell: ({ channels }) =>
        channels.length > 0
          ? <ChannelList channels={channels} now={now} />
          : <span class="missing">default channels</span>,
    },
    { name: "Schedules", kind: "number", cell: ({ schedules }) => schedules },
    { name: "Open incidents", kind: "number", cell: ({ open }) => open },
    { name: "Quiet hours", cell: ({ quiet }) => quiet || null },
  ];
  return (
    <DataTable
      name="Owners"
      columns={columns}
      rows={rows}
      keyOf={({ name }) => name}
      empty="There are no owners yet."
    />
  );
}
