import { useContext } from "preact/hooks";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { PersonFlags, type ShownPerson } from "../../../components/runs/people/person_flags.tsx";
import {
  Address,
  AddressesField,
  AddressesShown,
  AddressSwitch,
} from "../../../components/runs/recipients/address.tsx";
import { recipientName } from "../../../components/runs/recipients/recipient_choices.ts";
import { type Column, DataTable } from "../../../components/ui/data_table.tsx";
import { Empty } from "../../../components/ui/empty.tsx";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";
import { LoneMoment, Moment } from "../../../components/ui/moment.tsx";
import { Pager } from "../../../components/ui/pager.tsx";
import { filterText, MAX_TEXT, withQuery } from "../../../components/ui/query.ts";
import { formatCount, formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { PEOPLE_GROUPS, type PeopleGroup } from "../../../server/store/ledger/people_list.ts";
import { invalidFilter } from "../_filter.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { type PeopleLink, peopleParams, readPeopleLink } from "./_people_link.ts";
import { countLately, namesOf, peopleContext, shownPeople } from "./_people.ts";
import { handler, page } from "./$index.ts";

const PATH = "/people";
const PAGE = 50;
const MOST_NAMES = 2;

export const handlers = handler({
  async GET(ctx) {
    const { services } = ctx.state;
    const { link, offset, issues } = readPeopleLink(ctx.url.searchParams);
    const records = recordsOf(services);
    await countLately(records);
    const context = await peopleContext(records, services);
    const filter = { ...context, ...link };
    const isNarrowed = link.text !== undefined || link.domain !== undefined;
    const [items, counts, coverage] = await Promise.all([
      issues.length > 0 ? [] : records.people.list(filter, { limit: PAGE, offset }),
      records.people.count(filter, context.domains),
      records.people.coverage(),
    ]);
    const total = isNarrowed ? await records.people.countAll(filter) : counts[link.group];
    const receipts = await records.people.receipts(items.map(({ id }) => id));
    const schedulesOf = Map.groupBy(receipts, ({ personId }) => personId);
    const named = items.flatMap(({ id }) => (schedulesOf.get(id) ?? []).slice(0, MOST_NAMES));
    const nameOf = await namesOf(records, named.map(({ scheduleId }) => scheduleId));
    const shown = await shownPeople(records, items, context);
    return {
      data: {
        rows: items.map(({ id, first, last, schedules }, at) => ({
          person: shown[at],
          first,
          last,
          schedules,
          names: (schedulesOf.get(id) ?? []).slice(0, MOST_NAMES)
            .map(({ scheduleId }) => nameOf(scheduleId)),
        })),
        total,
        counts,
        coverage,
        context,
        link,
        offset,
        issues,
        nobody: ctx.url.searchParams.has("nobody"),
      },
      ...(issues.length > 0 && { status: 400 }),
    };
  },

  /** What was typed: an address or a user id leads to the person, any other text to a link. */
  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const text = filterText(form, "q");
    const params = peopleParams({ ...readPeopleLink(form).link, text });
    if (form.get("addresses") === "shown") params.set("addresses", "shown");
    const records = recordsOf(ctx.state.services);
    await countLately(records);
    const id = await records.people.find(wholeNumber(text) ?? text);
    if (id !== undefined) return ctx.redirect(`${PATH}/${id}`, 303);
    if (text.includes("@")) {
      params.delete("q");
      params.set("nobody", "");
    }
    return ctx.redirect(withQuery(PATH, params), 303);
  },
});

interface Row {
  readonly person: ShownPerson;
  readonly first: number;
  readonly last: number;
  readonly schedules: number;
  readonly names: readonly string[];
}

export default page(({ data }) => {
  const { rows, total, counts, coverage, context, link, offset, issues, nobody } = data;
  const isShown = useContext(AddressesShown);
  const { schedules, uncounted } = coverage;
  const people = counts.all;
  const domains = context.domains.filter(({ domain }) => domain !== null).length;
  const since = context.domains.reduce((least, { first }) => Math.min(least, first), Infinity);
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
        {formatCountOf(domains, "domain", "domains")}, from{" "}
        <a href="/schedules">{formatCountOf(schedules, "schedule", "schedules")}</a>
        {people > 0 && (
          <>
            {" "}since <LoneMoment at={since} />
          </>
        )}. {insideWords(context)}
        {uncounted > 0 &&
          ` ${formatCountOf(uncounted, "schedule is", "schedules are")} still being counted.`}
      </p>
      {nobody && (
        <p class="notice warning" role="status">
          Nobody with that address received one of these schedules.
        </p>
      )}
      <div class="filter-line">
        <ul class="headlines plain" aria-label="People by group">
          {PEOPLE_GROUPS.map((group) => (
            <li key={group}>
              <a
                href={hrefOf({ ...link, group })}
                aria-current={group === link.group ? "true" : undefined}
                class={counts[group] > 0 ? TONES[group] : undefined}
              >
                {formatCount(counts[group])} {WORDS[group]}
              </a>
            </li>
          ))}
        </ul>
        <form method="post" action={PATH} role="search" autocomplete="off">
          <AddressesField />
          {link.group !== "all" && <input type="hidden" name="group" value={link.group} />}
          {link.domain && <input type="hidden" name="domain" value={link.domain} />}
          <input
            type="search"
            name="q"
            aria-label="Name, address, domain or user id"
            placeholder="name, address or domain"
            maxLength={MAX_TEXT}
            value={link.text ?? ""}
          />
          <button type="submit" class="quiet">Filter</button>
          {(link.text || link.domain) && <a href={hrefOf({ group: link.group })}>Clear</a>}
        </form>
        {link.domain && <p class="help">With addresses at {link.domain}.</p>}
      </div>
      {issues.length > 0 ? <ErrorNotice error={invalidFilter(issues)} /> : (
        <>
          <p class="help" id="people">
            <AddressSwitch anchor="people" params={peopleParams(link, offset).toString()} /> ·{" "}
            <a href="/people/leavers">Compare with a list of leavers</a> ·{" "}
            <a href="/people/worklist">Worklist</a> · Export as CSV:{" "}
            <a href={withQuery(`${PATH}/export`, exportParams(link, false))} download>
              masked addresses
            </a>{" "}
            or{" "}
            <a href={withQuery(`${PATH}/export`, exportParams(link, true))} download>
              full addresses
            </a>
          </p>
          {rows.length === 0
            ? (
              <Empty>
                {people === 0
                  ? "Nobody is known yet: people appear with the first successful runs that Docket reads."
                  : "Nobody matches the filter."}
              </Empty>
            )
            : <DataTable name="People" columns={columnsOf(isShown)} rows={rows} />}
          <Pager
            position={{ start: offset, count: rows.length, limit: PAGE, total }}
            href={(start) => hrefOf(link, start)}
            label="Pages of people"
          />
        </>
      )}
    </>
  );
});

const WORDS: Readonly<Record<PeopleGroup, string>> = {
  all: "in all",
  new: "new outside",
  outside: "outside",
  left: "left",
  stopped: "stopped receiving",
};

const TONES: Readonly<Partial<Record<PeopleGroup, string>>> = { new: "bad", left: "late" };

function insideWords(
  { home, isSet }: { readonly home: readonly string[]; readonly isSet: boolean },
): string {
  if (isSet) return `Inside is ${home.join(", ")} (HOME_DOMAINS).`;
  return home[0] === ""
    ? "No address is known, so nobody counts as outside."
    : `Inside is ${home[0]}, the domain of most people.`;
}

function exportParams(link: PeopleLink, isFull: boolean): URLSearchParams {
  const params = peopleParams(link);
  params.set("format", "csv");
  if (isFull) params.set("addresses", "shown");
  return params;
}

function columnsOf(isShown: boolean): readonly Column<Row>[] {
  return [
    {
      name: "Person",
      cell: ({ person }) => (
        <>
          <a href={`${PATH}/${person.id}`}>{recipientName(person.recipient, isShown)}</a>
          <PersonFlags person={person} />
        </>
      ),
    },
    {
      name: "Address",
      cell: ({ person }) => <Address address={person.recipient.emailAddress} />,
    },
    { name: "Schedules", kind: "number", cell: ({ schedules }) => formatCount(schedules) },
    {
      name: "Such as",
      kind: "sentence",
      cell: ({ names, schedules }) =>
        names.join(", ") +
        (schedules > names.length ? ` and ${schedules - names.length} more` : ""),
    },
    { name: "Receives since", kind: "time", cell: ({ first }) => <Moment at={first} /> },
    { name: "Last", kind: "time", cell: ({ last }) => <Moment at={last} /> },
  ];
}
