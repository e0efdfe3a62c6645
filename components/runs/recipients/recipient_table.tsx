import { useContext } from "preact/hooks";
import { formatCount } from "../../../lib/format.ts";
import type { RecipientHistory } from "../../../lib/runs/recipients.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { MISSING } from "../../ui/moment.tsx";
import { Address, AddressesShown } from "./address.tsx";
import { shownName } from "./recipient_choices.ts";
import { filteredRunsHref } from "../run_links.ts";
import { RunLink } from "../run_link.tsx";

/** Why a recipient needs a look: new from outside, or at another domain than most. */
export type RecipientFlag = "external" | "elsewhere";

export function RecipientTable({ histories, flags, scheduleId }: {
  readonly histories: readonly RecipientHistory<ReportRun>[];
  readonly flags: ReadonlyMap<string, RecipientFlag>;
  readonly scheduleId: number;
}) {
  const columns: readonly Column<RecipientHistory<ReportRun>>[] = [
    {
      name: "Name",
      cell: (history) => (
        <>
          <Name history={history} scheduleId={scheduleId} />
          {flagOf(flags.get(history.key))}
        </>
      ),
    },
    {
      name: "Email address",
      cell: ({ addresses }) => <Addresses addresses={addresses} />,
    },
    {
      name: "Successful runs",
      kind: "number",
      cell: ({ count, goodCount }) =>
        goodCount === count
          ? formatCount(count)
          : `${formatCount(goodCount)} of ${formatCount(count)}`,
    },
    {
      name: "First",
      kind: "time",
      cell: ({ first }) => <RunLink run={first} scheduleId={scheduleId} />,
    },
    {
      name: "Last",
      kind: "time",
      // Who still receives it was in the newest run, whose time each row would repeat.
      cell: ({ last, isCurrent }) =>
        isCurrent ? "current" : <RunLink run={last} scheduleId={scheduleId} />,
    },
    { name: "User id", kind: "number", cell: ({ recipient }) => recipient.userId },
    // Most schedules have one report, which is in the heading.
    ...new Set(histories.map(({ titles }) => titles.join(", "))).size > 1
      ? [
        {
          name: "Report",
          kind: "sentence",
          cell: ({ titles }: RecipientHistory<ReportRun>) => titles.join(", "),
        } as const,
      ]
      : [],
  ];
  return (
    <DataTable
      name="Recipients"
      columns={columns}
      rows={histories}
      keyOf={({ key }) => key}
    />
  );
}

/** Below the name, so that it is visible at any width. */
function flagOf(flag: RecipientFlag | undefined) {
  if (flag === undefined) return null;
  return flag === "external"
    ? <strong class="flag tier bad">⚠ New external</strong>
    : <span class="flag tier drift">◆ At another domain</span>;
}

function Name({ history: { recipient }, scheduleId }: {
  readonly history: RecipientHistory<ReportRun>;
  readonly scheduleId: number;
}) {
  const { displayName, userId } = recipient;
  const name = shownName(displayName, useContext(AddressesShown));
  if (typeof userId !== "number") return <>{name || MISSING}</>;
  return (
    <a href={filteredRunsHref(scheduleId, `recipient:${userId}`)}>{name || `user ${userId}`}</a>
  );
}

function Addresses({ addresses }: { readonly addresses: readonly string[] }) {
  if (addresses.length === 0) return MISSING;
  return (
    <>
      {addresses.map((address, at) => (
        <span key={address}>
          {at > 0 && "formerly "}
          <Address address={address} />
          {" "}
        </span>
      ))}
    </>
  );
}
