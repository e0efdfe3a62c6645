import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatBytes, formatCount, formatCountOf, formatDuration } from "../../lib/format.ts";
import { type ComparedField, compareRuns, type RunComparison } from "../../lib/runs/compare.ts";
import type { Recipient, ReportRun } from "../../lib/types.ts";
import { type Column, DataTable } from "../ui/data_table.tsx";
import { MISSING, ZoneName } from "../ui/moment.tsx";
import { formatDifference, triggerLabel } from "./format.ts";
import { RunLink } from "./run_link.tsx";
import { RUN_QUERY } from "../../lib/runs/run_search.ts";
import { Address, AddressesShown } from "./recipients/address.tsx";
import { MAX_LISTED, shownName } from "./recipients/recipient_choices.ts";
import { columnLabel } from "../search/search_words.ts";

export function Comparison({ before, after, scheduleId }: {
  readonly before: ReportRun;
  readonly after: ReportRun;
  readonly scheduleId: number;
}) {
  const { changes, durations, added, dropped, kept, changedAddresses } = compareRuns(before, after);
  const rows: readonly ComparedRow[] = [
    {
      name: "Started",
      before: <RunLink run={before} scheduleId={scheduleId} />,
      after: <RunLink run={after} scheduleId={scheduleId} />,
    },
    {
      name: "Duration",
      before: duration(durations[0]),
      after: duration(durations[1]),
      change: durations[0] !== null && durations[1] !== null
        ? formatDifference(durations[0], durations[1])
        : "unknown",
    },
    ...changes.map(({ field, before, after }) => ({
      name: columnLabel(RUN_QUERY, field),
      before: fieldValue(field, before),
      after: fieldValue(field, after),
      change: typeof before === "number" && typeof after === "number" && !isId(field) &&
        formatDifference(before, after),
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
      {added === null || dropped === null
        ? <p>Recipients can't be compared: one of the runs does not list them.</p>
        : (
          <RecipientChanges
            kept={kept ?? 0}
            removed={dropped}
            added={added}
            moved={changedAddresses ?? []}
          />
        )}
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

function isId(field: ComparedField): boolean {
  return field === "reportId" || field === "resourceId" || field === "ownerId";
}

function fieldValue(field: ComparedField, value: string | number | boolean | null) {
  if (value === null || value === "") return MISSING;
  if (typeof value === "boolean") return triggerLabel(value);
  if (field === "attachmentSize" || field === "emailSize") return formatBytes(Number(value));
  return typeof value === "number" && !isId(field) ? formatCount(value) : String(value);
}

function duration(ms: number | null) {
  return ms === null ? MISSING : formatDuration(ms);
}

/** How the recipients of two runs differ, with those who were added and removed. */
function RecipientChanges({ kept, added, removed, moved }: {
  readonly kept: number;
  readonly added: readonly Recipient[];
  readonly removed: readonly Recipient[];
  readonly moved: NonNullable<RunComparison["changedAddresses"]>;
}) {
  const isShown = useContext(AddressesShown);
  const nameOf = ({ userId, displayName }: Recipient) =>
    shownName(displayName, isShown) || `user ${userId ?? "?"}`;
  const lineOf = (person: Recipient) => (
    <>
      {nameOf(person)}, <Address address={person.emailAddress} />
    </>
  );
  return (
    <>
      <p>
        {formatCountOf(kept, "recipient", "recipients")} in both, {formatCount(added.length)} added,
        {" "}
        {formatCount(removed.length)} removed.
      </p>
      <Listed name="Added" items={added.map(lineOf)} />
      <Listed name="Removed" items={removed.map(lineOf)} />
      <Listed
        name="Address changed"
        items={moved.map(({ before, after }) => (
          <>
            {nameOf(after)}, from <Address address={before.emailAddress} /> to{" "}
            <Address address={after.emailAddress} />
          </>
        ))}
      />
    </>
  );
}

function Listed({ name, items }: {
  readonly name: string;
  readonly items: readonly ComponentChildren[];
}) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {items.slice(0, MAX_LISTED).map((item, at) => <li key={at}>{item}</li>)}
        {items.length > MAX_LISTED && <li>and {formatCount(items.length - MAX_LISTED)} more</li>}
      </ul>
    </>
  );
}
