import { useContext } from "preact/hooks";
import { LeftOut } from "../../../components/runs/people/left_out.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import {
  AddressesField,
  AddressesShown,
  AddressSwitch,
} from "../../../components/runs/recipients/address.tsx";
import { scheduleHref } from "../../../components/runs/run_links.tsx";
import { FilteredRows } from "../../../components/ui/filtered_rows.tsx";
import { LoneMoment } from "../../../components/ui/moment.tsx";
import { withQuery } from "../../../components/ui/query.ts";
import { FilterField, Segments } from "../../../components/ui/segments.tsx";
import { filterText } from "../../../lib/filter_text.ts";
import { formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { PEOPLE_GROUPS, type PeopleGroup } from "../../../server/store/people/people_list.ts";
import { PAGE } from "../../../server/pages/filter.ts";
import { recordsOf } from "../../../server/pages/page_request.ts";
import {
  type PeopleLink,
  peopleParams,
  readPeopleLink,
} from "../../../server/pages/people_link.ts";
import { PeopleTable } from "./_people_table.tsx";
import { RecipientsEvidence } from "./_recipients_evidence.tsx";
import { countPending, loadPeople } from "../../../server/pages/people_page.ts";
import { handler, page } from "./$index.ts";

const PATH = "/people";

export const handlers = handler({
  async GET(ctx) {
    const data = await loadPeople(ctx.state, ctx.url.searchParams);
    return { data, ...(data.issues.length > 0 && { status: 400 }) };
  },

  /** An address or a user id leads to the person, any other text to a filtered list. */
  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const text = filterText(form, "q");
    const params = peopleParams({ ...readPeopleLink(form).link, text });
    if (form.get("addresses") === "shown") params.set("addresses", "shown");
    const records = recordsOf(ctx.state.services);
    await countPending(records);
    const id = await records.people.find(wholeNumber(text) ?? text);
    if (id !== undefined) return ctx.redirect(`${PATH}/${id}`, 303);
    if (text.includes("@")) {
      params.delete("q");
      params.set("nobody", "");
    }
    return ctx.redirect(withQuery(PATH, params), 303);
  },
});

export default page(({ data }) => {
  const { rows, total, counts, coverage, context, link, schedule, offset, issues, nobody } = data;
  const isShown = useContext(AddressesShown);
  const { schedules, uncounted } = coverage;
  const evidenceIds = schedule ? [schedule.scheduleId] : data.scheduleIds;
  const people = counts.all;
  const domains = data.domains.filter(({ domain }) => domain !== null).length;
  const since = data.domains.reduce((least, { first }) => Math.min(least, first), Infinity);
  const hrefOf = (chosen: PeopleLink, start = 0) => {
    const params = peopleParams(chosen, start);
    if (isShown) params.set("addresses", "shown");
    return withQuery(PATH, params);
  };
  return (
    <>
      <PageHeader title="People" />
      <p>
        Who received what: {formatCountOf(people, "person", "people")} at{" "}
        {formatCountOf(domains, "domain", "domains")}, from {schedule
          ? <a href={scheduleHref(schedule.scheduleId)}>{schedule.name}</a>
          : <a href="/schedules">{formatCountOf(schedules, "schedule", "schedules")}</a>}
        {people > 0 && [" since ", <LoneMoment key="since" at={since} />]}. {insideWords(context)}
        {uncounted > 0 &&
          ` ${formatCountOf(uncounted, "schedule is", "schedules are")} still being counted.`}
      </p>
      {!schedule && <p class="help">{data.known}.</p>}
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
          action={PATH}
          method="post"
          label="Filter by name, address, domain or user id"
          value={link.text ?? ""}
          kept={{
            schedule: schedule?.scheduleId,
            group: link.group === "all" ? undefined : link.group,
            domain: link.domain,
          }}
          clear={link.text || link.domain || schedule ? hrefOf({ group: link.group }) : undefined}
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
        empty={people === 0
          ? "Nobody yet: people appear here after the first successful run that Docket reads."
          : "Nobody matches the filter."}
      >
        <PeopleTable rows={rows} isOfSchedule={schedule !== null} />
      </FilteredRows>
      <p class="help" id="people">
        <AddressSwitch anchor="people" params={peopleParams(link, offset).toString()} /> ·{" "}
        <a href="/people/worklist">Worklist</a> · <a href="/people/leavers">Leavers</a>{" "}
        · Export as CSV:{" "}
        <a href={withQuery(`${PATH}/export`, exportParams(link, false))} download>
          masked addresses
        </a>{" "}
        or{" "}
        <a href={withQuery(`${PATH}/export`, exportParams(link, true))} download>
          full addresses
        </a>
      </p>
      {evidenceIds.length > 0 && (
        <RecipientsEvidence scheduleIds={evidenceIds} today={data.today} />
      )}
    </>
  );
});

const WORDS: Readonly<Record<PeopleGroup, string>> = {
  all: "All",
  new: "New outside",
  outside: "Outside",
  left: "Left",
  stopped: "Stopped receiving",
};

const TONES: Readonly<Partial<Record<PeopleGroup, string>>> = { new: "bad", left: "late" };

function insideWords(
  { home, isSet }: { readonly home: readonly string[]; readonly isSet: boolean },
): string {
  if (isSet) return `Addresses at ${home.join(", ")} (HOME_DOMAINS) are inside.`;
  return home[0] === ""
    ? "No address is known, so nobody counts as outside."
    : `Addresses at ${home[0]}, the domain of most people, are inside.`;
}

function exportParams(link: PeopleLink, isFull: boolean): URLSearchParams {
  const params = peopleParams(link);
  params.set("format", "csv");
  if (isFull) params.set("addresses", "shown");
  return params;
}
