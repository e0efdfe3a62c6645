import { useContext } from "preact/hooks";
import { LeftOut } from "../../../components/runs/people/left_out.tsx";
import {
  AddressesField,
  AddressesShown,
  AddressSwitch,
} from "../../../components/runs/recipients/address.tsx";
import { FilteredRows } from "../../../components/ui/filtered_rows.tsx";
import { withQuery } from "../../../components/ui/query.ts";
import { FilterField, Segments } from "../../../components/ui/segments.tsx";
import { PAGE } from "../../../server/pages/filter.ts";
import { type PeopleLink, peopleParams } from "../../../server/pages/people_link.ts";
import type { loadPeople } from "../../../server/pages/people_page.ts";
import { PEOPLE_GROUPS, type PeopleGroup } from "../../../server/store/people/people_list.ts";
import { PeopleTable } from "./_people_table.tsx";
import { RecipientsEvidence } from "./_recipients_evidence.tsx";

/** People by group, with a filter: all, or those of one schedule. */
export function PeopleList({ data, path }: {
  readonly data: Awaited<ReturnType<typeof loadPeople>>;
  readonly path: string;
}) {
  const { rows, total, counts, link, schedule, offset, issues, nobody } = data;
  const isShown = useContext(AddressesShown);
  const evidenceIds = schedule ? [schedule.scheduleId] : data.scheduleIds;
  const hrefOf = (chosen: PeopleLink, start = 0) => {
    const params = peopleParams(chosen, start);
    if (isShown) params.set("addresses", "shown");
    return withQuery(path, params);
  };
  return (
    <>
      <LeftOut unknown={data.unknown} />
      {nobody && (
        <p class="notice warning" role="status">
          Nobody with that address received one of these schedules.
        </p>
      )}
      <div class="filter-line">
        <Segments
          label="People by group"
          segments={PEOPLE_GROUPS.map((group) => ({
            name: WORDS[group],
            count: counts[group],
            href: hrefOf({ ...link, group }),
            tone: counts[group] > 0 ? TONES[group] : undefined,
            isCurrent: group === link.group,
          }))}
        />
        <FilterField
          action={path}
          method="post"
          label="Filter by name, address, domain or user id"
          value={link.text ?? ""}
          kept={{
            group: link.group === "all" ? undefined : link.group,
            domain: link.domain,
          }}
          clear={link.text || link.domain ? hrefOf({ group: link.group }) : undefined}
        >
          <AddressesField />
        </FilterField>
        {link.domain && <p class="help">Only addresses at {link.domain}.</p>}
      </div>
      <FilteredRows
        issues={issues}
        position={{ start: offset, count: rows.length, limit: PAGE, total }}
        href={(start) => hrefOf(link, start)}
        label="Pages of people"
        empty={counts.all === 0
          ? "Nobody yet: people appear here after the first successful run that Docket reads."
          : "Nobody matches the filter."}
      >
        <PeopleTable rows={rows} isOfSchedule={schedule !== null} />
      </FilteredRows>
      <p class="help" id="people">
        <AddressSwitch anchor="people" params={peopleParams(link, offset).toString()} /> ·{" "}
        {!schedule && [
          <a key="worklist" href="/people/worklist">Worklist</a>,
          " · ",
          <a key="leavers" href="/people/leavers">Leavers</a>,
          " · ",
        ]}
        Export as CSV:{" "}
        <a href={withQuery("/people/export", exportParams(link, false))} download>
          masked addresses
        </a>{" "}
        or{" "}
        <a href={withQuery("/people/export", exportParams(link, true))} download>
          full addresses
        </a>
      </p>
      {evidenceIds.length > 0 && (
        <RecipientsEvidence
          scheduleIds={evidenceIds}
          today={data.today}
        />
      )}
    </>
  );
}

const WORDS: Readonly<Record<PeopleGroup, string>> = {
  all: "All",
  new: "New outside",
  outside: "Outside",
  left: "Left",
  stopped: "Stopped receiving",
};

const TONES: Readonly<Partial<Record<PeopleGroup, string>>> = { new: "bad", left: "late" };

function exportParams(link: PeopleLink, isFull: boolean): URLSearchParams {
  const params = peopleParams(link);
  if (link.scheduleId !== undefined) params.set("schedule", String(link.scheduleId));
  params.set("format", "csv");
  if (isFull) params.set("addresses", "shown");
  return params;
}
