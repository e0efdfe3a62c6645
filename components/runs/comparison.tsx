import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatCount, formatCountOf, formatDuration } from "../../lib/format.ts";
import { compareRuns, type RunComparison } from "../../lib/runs/compare.ts";
import type { Recipient, ReportRun } from "../../lib/types.ts";
import { type Column, DataTable } from "../ui/data_table.tsx";
import { MISSING, ZoneName } from "../ui/moment.tsx";
import { formatDifference, formatRunValue } from "./format.ts";
import { RunLink } from "./run_link.tsx";
import { RUN_QUERY } from "../../lib/runs/run_search.ts";
import { fieldOf } from "../../lib/search/query_table.ts";
import { Address, AddressesShown } from "./recipients/address.tsx";
import { MAX_LISTED, shownName } from "./recipients/recipient_choices.ts";
import { columnLabel } from "../search/search_words.ts";

export function Comparison({ before, after, scheduleId }: {
  readonly before: ReportRun;
  readonly after: ReportRun;
  readonly scheduleId: number;
}) {
  const comparison = compareRuns(before, after);
  const { changes, durations: [took, takes] } = comparison;
  const rows: readonly ComparedRow[] = [
    {
      name: "Started",
      before: <RunLink run={before} scheduleId={scheduleId} />,
      after: <RunLink run={after} scheduleId={scheduleId} />,
    },
    {
      name: "Duration",
      before: took === null ? MISSING : formatDuration(took),
      after: takes === null ? MISSING : formatDuration(takes),
      change: took === null || takes === null ? "unknown" : formatDifference(took, takes),
    },
    ...changes.map(({ field, before, after }) => ({
      name: columnLabel(RUN_QUERY, field),
      before: formatRunValue(field, before) || MISSING,
      after: formatRunValue(field, after) || MISSING,
      change: typeof before === "number" && typeof after === "number" &&
        fieldOf(RUN_QUERY, field)?.kind !== "integer" && formatDifference(before, after),
    })),
  ];
  return (
    <>
      <DataTable
        name="Differences"
        caption="Differences between two runs"
        columns={COLUMNS}
        rows={rows}
      />
      <p class="help">
        Times in <ZoneName />
      </p>
      {changes.length === 0 && <p>No other differences.</p>}
      <RecipientChanges comparison={comparison} />
    </>
  );
}

interface ComparedRow {
  readonly name: string;
  readonly before: ComponentChildren;
  readonly after: ComponentChildren;
  readonly change?: string | false;
}

const COLUMNS: readonly Column<ComparedRow>[] = [
  { name: "Field", cell: ({ name }) => name },
  { name: "Before", cell: ({ before }) => before },
  { name: "After", cell: ({ after }) => after },
  { name: "Change", kind: "number", cell: ({ change = false }) => change },
];

function RecipientChanges({ comparison }: { readonly comparison: RunComparison }) {
  const isShown = useContext(AddressesShown);
  const { added, dropped, kept, changedAddresses } = comparison;
  if (!added || !dropped) {
    return <p>Recipients can't be compared: one of the runs does not list them.</p>;
  }
  const nameOf = ({ userId, displayName }: Recipient) =>
    shownName(displayName, isShown) || `user ${userId ?? "?"}`;
  const listed = (name: string, items: readonly ComponentChildren[]) =>
    items.length > 0 && (
      <>
        <h3>{name}</h3>
        <ul>
          {items.slice(0, MAX_LISTED).map((item, at) => <li key={at}>{item}</li>)}
          {items.length > MAX_LISTED && <li>and {formatCount(items.length - MAX_LISTED)} more</li>}
        </ul>
      </>
    );
  const lineOf = (person: Recipient) => (
    <>
      {nameOf(person)}, <Address address={person.emailAddress} />
    </>
  );
  return (
    <>
      <p>
        {formatCountOf(kept ?? 0, "recipient", "recipients")} in both, {formatCount(added.length)}
        {" "}
        added, {formatCount(dropped.length)} removed.
      </p>
      {listed("Added", added.map(lineOf))}
      {listed("Removed", dropped.map(lineOf))}
      {listed(
        "Address changed",
        (changedAddresses ?? []).map(({ before, after }) => (
          <>
            {nameOf(after)}, from <Address address={before.emailAddress} /> to{" "}
            <Address address={after.emailAddress} />
          </>
        )),
      )}
    </>
  );
}
