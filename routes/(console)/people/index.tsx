import { useContext } from "preact/hooks";
import { LeftOut } from "../../../components/runs/people/left_out.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import {
  AddressesField,
  AddressesShown,
  AddressSwitch,
} from "../../../components/runs/recipients/address.tsx";
import { scheduleHref } from "../../../components/runs/run_links.tsx";
import { Empty } from "../../../components/ui/data_table.tsx";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";
import { LoneMoment } from "../../../components/ui/moment.tsx";
import { Pager } from "../../../components/ui/pager.tsx";
import { withQuery } from "../../../components/ui/query.ts";
import { filterText, MAX_TEXT } from "../../../lib/filter_text.ts";
import { dayIn } from "../../../lib/days.ts";
import { formatCount, formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { coverageText } from "../../../server/schedules/coverage.ts";
import { PEOPLE_GROUPS, type PeopleGroup } from "../../../server/store/people/people_list.ts";
import { PAGE } from "../../../server/pages/filter.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { type PeopleLink, peopleParams, readPeopleLink } from "./_people_link.ts";
import { PeopleTable } from "./_people_table.tsx";
import { RecipientsEvidence } from "./_recipients_evidence.tsx";
import { countPending, namesOf, peopleContext, peopleOf, shownPeople } from "./_people.ts";
import { handler, page } from "./$index.ts";

const PATH = "/people";
const MAX_NAMES = 2;

export const handlers = handler({
  async GET(ctx) {
    const { services } = ctx.state;
    const { link, offset, issues } = readPeopleLink(ctx.url.searchParams);
    const records = recordsOf(services);
    await countPending(records);
    const context = await peopleContext(records, services);
    const { scheduleId } = link;
    const people = peopleOf(records, scheduleId);
    const domains = scheduleId === undefined ? context.domains : await people.byDomain();
    const filter = { ...context, ...link };
    const isNarrowed = link.text !== undefined || link.domain !== undefined;
    const [items, counts, coverage, unknown] = await Promise.all([
      issues.length > 0 ? [] : people.list(filter, { limit: PAGE, offset }),
      people.count(filter),
      records.people.coverage(),
      records.statuses.unknown(scheduleId === undefined ? undefined : [scheduleId]),
    ]);
    const total = isNarrowed ? await people.countAll(filter) : counts[link.group];
    const receipts = await people.receipts(items.map(({ id }) => id));
    const schedulesOf = Map.groupBy(receipts, ({ personId }) => personId);
    const named = items.flatMap(({ id }) => (schedulesOf.get(id) ?? []).slice(0, MAX_NAMES));
    const nameOf = await namesOf(records, [
      ...named.map(({ scheduleId }) => scheduleId),
      scheduleId ?? null,
    ]);
    const shown = await shownPeople(records, items, context);
    return {
      data: {
        rows: items.map((item, at) => ({
          ...item,
          person: shown[at],
          receipts: (schedulesOf.get(item.id) ?? []).slice(0, MAX_NAMES)
            .map((receipt) => ({ ...receipt, name: nameOf(receipt.scheduleId) })),
        })),
        total,
        counts,
        coverage,
        unknown,
        known: await coverageText(records, ctx.state.preferences.zone),
        context,
        domains,
        link,
        scheduleIds: [...new Set(receipts.map(({ scheduleId }) => scheduleId))].sort((a, b) =>
          a - b
        ),
        schedule: scheduleId === undefined ? null : { scheduleId, name: nameOf(scheduleId) },
        today: dayIn(ctx.state.preferences.zone)(context.now),
        offset,
        issues,
        nobody: ctx.url.searchParams.has("nobody"),
      },
      ...(issues.length > 0 && { status: 400 }),
    };
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
        <ul class="headlines plain" aria-label="People by group">
          {PEOPLE_GROUPS.map((group) => (
            <li key={group}>
              <a
                href={hrefOf({ ...link, group })}
                aria-current={group === link.group ? "true" : undefined}
                class={counts[group] > 0 ? TONES[group] : undefined}
              >
                {WORDS[group]} <b>{formatCount(counts[group])}</b>
              </a>
            </li>
          ))}
        </ul>
        <form method="post" action={PATH} role="search" autocomplete="off">
          <AddressesField />
          {schedule && <input type="hidden" name="schedule" value={schedule.scheduleId} />}
          {link.group !== "all" && <input type="hidden" name="group" value={link.group} />}
          {link.domain && <input type="hidden" name="domain" value={link.domain} />}
          <input
            type="search"
            name="q"
            aria-label="Name, address, domain or user id"
            placeholder="Filter by name, address or domain"
            maxLength={MAX_TEXT}
            value={link.text ?? ""}
          />
          <button type="submit" class="past">Filter</button>
          {(link.text || link.domain || schedule) && (
            <a href={hrefOf({ group: link.group })}>Clear</a>
          )}
        </form>
        {link.domain && <p class="help">Only addresses at {link.domain}.</p>}
      </div>
      {issues.length > 0
        ? (
          <ErrorNotice
            error={{ title: "This filter is not valid", detail: "Please fix:", issues }}
          />
        )
        : (
          <>
            <p class="help" id="people">
              <AddressSwitch anchor="people" params={peopleParams(link, offset).toString()} /> ·
              {" "}
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
                    ? "Nobody yet: people appear here after the first successful run that Docket reads."
                    : "Nobody matches the filter."}
                </Empty>
              )
              : <PeopleTable rows={rows} isOfSchedule={schedule !== null} />}
            <Pager
              position={{ start: offset, count: rows.length, limit: PAGE, total }}
              href={(start) => hrefOf(link, start)}
              label="Pages of people"
            />
            {evidenceIds.length > 0 && (
              <RecipientsEvidence scheduleIds={evidenceIds} today={data.today} />
            )}
          </>
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
