import { useContext } from "preact/hooks";
import { AddressesShown, PersonName } from "../../../components/runs/recipients/address.tsx";
import {
  type Column,
  DataTable,
  FilteredRows,
  FilterField,
  Segments,
} from "../../../components/ui/list.tsx";
import { When } from "../../../components/ui/moment.tsx";
import { Outcome } from "../../../components/ui/notices.tsx";
import { withValues } from "../../../components/ui/query.ts";
import { formatCount } from "../../../lib/format.ts";
import { PAGE } from "../../../server/pages/filter.ts";
import {
  type loadPeople,
  type PeopleLink,
  peopleValues,
} from "../../../server/pages/people_page.ts";
import { PEOPLE_GROUPS, type PeopleGroup } from "../../../server/store/people/people_list.ts";
import { LeftOut, PeopleTools, PersonFlags, RecipientsEvidence } from "./_parts.tsx";

type Loaded = Awaited<ReturnType<typeof loadPeople>>;
type Row = Loaded["rows"][number];

/** People by group, with a filter: all, or those of one schedule. */
export function PeopleList({ data, path }: {
  readonly data: Loaded;
  readonly path: string;
}) {
  const { rows, total, counts, link, schedule, offset, nobody } = data;
  const isShown = useContext(AddressesShown);
  const addresses = isShown ? "shown" : undefined;
  const listHref = (chosen: PeopleLink, offset = 0) =>
    withValues(path, { ...peopleValues(chosen), offset, addresses });
  return (
    <>
      {nobody && <Outcome>No known recipient has that address.</Outcome>}
      <div class="line filter-line">
        <Segments
          label="People by group"
          segments={PEOPLE_GROUPS.map((group) => ({
            name: WORDS[group],
            count: counts[group],
            href: listHref({ ...link, group }),
            tone: counts[group] > 0 ? TONES[group] : undefined,
            isCurrent: group === link.group,
          }))}
        />
        <FilterField
          action={path}
          method="post"
          label="Filter by name, address, domain or user id"
          value={link.text ?? ""}
          others={{ addresses, ...peopleValues({ group: link.group }) }}
          clear={link.text ? listHref({ group: link.group }) : undefined}
        />
      </div>
      <FilteredRows
        position={{ start: offset, count: rows.length, limit: PAGE, total }}
        href={(start) => listHref(link, start)}
        label="Pages of people"
        empty={!data.isRead
          ? "Docket does not read this schedule, so it does not know who receives it."
          : counts.all === 0
          ? "Nobody yet: people appear here once a successful run with a start lists them."
          : "Nobody matches the filter."}
      >
        <DataTable
          name="People"
          class="people"
          columns={[...WHO, ...schedule ? OF_SCHEDULE : OF_ALL, ...WHEN]}
          rows={rows}
        />
      </FilteredRows>
      <LeftOut unknown={data.unknown} />
      <RecipientsEvidence scheduleIds={data.scheduleIds} today={data.today} />
      <PeopleTools
        id="people"
        params={withValues("", { ...peopleValues(link), offset })}
        file={rows.length > 0
          ? withValues("/people/export", {
            ...peopleValues(link),
            schedule: link.scheduleId,
            format: "csv",
          })
          : null}
        known={data.known}
      />
    </>
  );
}

const WORDS: Readonly<Record<PeopleGroup, string>> = {
  all: "All",
  new: "New outside",
  outside: "Outside",
  left: "Left",
  stopped: "Not in the last run",
};

const TONES: Readonly<Partial<Record<PeopleGroup, string>>> = { new: "bad", left: "late" };

const WHO: readonly Column<Row>[] = [
  {
    name: "Person",
    cell: ({ person }) => (
      <>
        <PersonName recipient={person.recipient} href={`/people/${person.id}`} />
        <PersonFlags {...person} />
      </>
    ),
  },
];

const WHEN: readonly Column<Row>[] = [
  { name: "First", cell: ({ first }) => <When at={first} /> },
  { name: "Last", cell: ({ last }) => <When at={last} /> },
];

/** The schedules that each received. */
const OF_ALL: readonly Column<Row>[] = [
  { name: "Schedules", kind: "number", cell: ({ schedules }) => formatCount(schedules) },
  {
    name: "Including",
    kind: "sentence",
    cell: ({ receipts, schedules }) =>
      receipts.map(({ name }) => name).join(", ") +
      (schedules > receipts.length ? ` and ${schedules - receipts.length} more` : ""),
  },
];

/** The runs of one schedule that each received. */
const OF_SCHEDULE: readonly Column<Row>[] = [
  {
    name: "Runs",
    kind: "number",
    cell: ({ receipts: [receipt] }) => formatCount(receipt.runs),
  },
  {
    name: "State",
    cell: ({ receipts: [receipt] }) =>
      receipt.receiving ? "Still receiving" : "Not in the last run sent",
  },
];
