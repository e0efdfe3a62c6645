/** Who received what: on the pages of people, and in their files. */
import { isWithin } from "../../lib/runs/outsiders.ts";
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { resembledDomain } from "../../lib/runs/look_alike.ts";
import type { RecipientSpan } from "../../lib/runs/recipient_spans.ts";
import type { Recipient } from "../../lib/types.ts";
import { domainsNow } from "../schedules/recipient_facts.ts";
import { throwIfInvalid } from "../http/problem.ts";
import { dayIn } from "../../lib/days.ts";
import { filterText } from "../../lib/filter_text.ts";
import { wholeNumber } from "../../lib/format.ts";
import { coverageText } from "../schedules/coverage.ts";
import { MAX_EVIDENCE_SCHEDULES } from "../schedules/schedule_id_list.ts";
import { PAGE, readFilter } from "./filter.ts";
import { fallbackName } from "./incidents.ts";
import { type PageState, requireRecords } from "./page_request.ts";
import {
  PEOPLE_GROUPS,
  type PeopleGroup,
  type StoredPerson,
  type StoredReceipt,
} from "../store/people/people_list.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

const SEVERAL = 3;

/** A file's name, which alone can say that people may be missing in it. */
export async function fileSubject(
  name: string,
  records: ObserverRecords,
  scheduleId?: number,
): Promise<string> {
  const ids = scheduleId === undefined ? undefined : [scheduleId];
  const unknown = await records.statuses.unknown(ids);
  const counts = await peopleOf(records, scheduleId).countUnread();
  const isIncomplete = [unknown.length, ...Object.values(counts)].some((count) => count > 0);
  return isIncomplete ? `${name}-incomplete` : name;
}

export function peopleOf(
  { people, peopleOfSchedule }: ObserverRecords,
  scheduleId: number | undefined,
): ObserverRecords["people"] {
  return scheduleId === undefined ? people : peopleOfSchedule(scheduleId);
}

const MAX_NAMES = 2;

/** A page of the people in a group, with some of what each received, of all schedules or of one. */
export async function loadPeople(
  { services, preferences: { zone } }: PageState,
  params: URLSearchParams,
  scheduleId?: number,
) {
  const { link: requested, offset, issues } = readPeopleLink(params);
  throwIfInvalid(issues);
  const link = { ...requested, scheduleId };
  const records = requireRecords(services);
  const context = await domainsNow(records, services.settings, Date.now());
  const people = peopleOf(records, scheduleId);
  const filter = { ...context, ...link };
  const isNarrowed = link.text !== undefined;
  const [items, counts, unknown] = await Promise.all([
    people.list(filter, { limit: PAGE, offset }),
    people.countGroups(filter),
    records.statuses.unknown(scheduleId === undefined ? undefined : [scheduleId]),
  ]);
  const total = isNarrowed ? await people.count(filter) : counts[link.group];
  const receipts = await people.receipts(items.map(({ id }) => id));
  const schedulesOf = Map.groupBy(receipts, ({ personId }) => personId);
  const named = items.flatMap(({ id }) => (schedulesOf.get(id) ?? []).slice(0, MAX_NAMES));
  const nameOf = await loadNames(records, [
    ...named.map(({ scheduleId }) => scheduleId),
    scheduleId ?? null,
  ]);
  const shown = await shownPeople(records, items, context);
  return {
    rows: items.map((item, at) => ({
      ...item,
      person: shown[at],
      receipts: (schedulesOf.get(item.id) ?? []).slice(0, MAX_NAMES)
        .map((receipt) => ({ ...receipt, name: nameOf(receipt.scheduleId) })),
    })),
    total,
    counts,
    unknown,
    known: await coverageText(records, zone),
    context,
    link,
    scheduleIds: scheduleId === undefined
      ? await people.scheduleIds(filter, MAX_EVIDENCE_SCHEDULES + 1)
      : [scheduleId],
    schedule: scheduleId === undefined ? null : { scheduleId, name: nameOf(scheduleId) },
    today: dayIn(zone)(context.now),
    offset,
    nobody: params.has("nobody"),
    /** Whether Docket reads the schedule, if they are those of one. */
    isRead: true,
  };
}

/** Where the filter leads: an address or a user id to the person, any other text to a filtered list. */
export async function findPerson(
  { services }: PageState,
  form: URLSearchParams,
  path: string,
): Promise<string> {
  const text = filterText(form, "q");
  const records = requireRecords(services);
  const id = await records.people.find(wholeNumber(text) ?? text);
  if (id !== undefined) return `/people/${id}`;
  const isAddress = text.includes("@");
  const params = new URLSearchParams();
  const group = readFilter(form).choice("group", PEOPLE_GROUPS);
  if (group !== "all") params.set("group", group);
  if (text && !isAddress) params.set("q", text);
  if (form.get("addresses") === "shown") params.set("addresses", "shown");
  if (isAddress) params.set("nobody", "");
  return [path, ...params.size > 0 ? [params] : []].join("?");
}

/** Schedules' names as people set them, or else their reports' titles. */
export async function loadNames(
  { overview, people }: ObserverRecords,
  scheduleIds: readonly (number | null)[],
): Promise<(scheduleId: number) => string> {
  const ids = [...new Set(scheduleIds.flatMap((id) => id ?? []))];
  const facts = await overview.facts(ids);
  const titles = await people.titles(ids.filter((id) => !facts.get(id)?.name));
  return (id) => facts.get(id)?.name || maskAddresses(titles.get(id) ?? "") || fallbackName(id);
}

export async function shownPeople(
  { recipientDecisions }: ObserverRecords,
  people: readonly StoredPerson[],
  context: Awaited<ReturnType<typeof domainsNow>>,
) {
  if (people.length === 0) return [];
  const domains = [...new Set(people.map(({ domain }) => domain ?? ""))];
  const byDomain = new Map(context.domains.map((of) => [of.domain, of]));
  const decisions = await recipientDecisions.about(
    people.map(({ id }) => id),
    domains,
    context.now,
  );
  const inside = new Set(context.home);
  return people.map(({ id, userId, listed, domain, added, receiving, leftAt }) => {
    const isOutside = domain !== null && inside.size > 0 && !isWithin(domain, inside);
    const said = decisions.find(({ personId, closed }) => personId === id && closed === null) ??
      decisions.find((one) => one.domain !== null && one.domain === domain);
    const of = byDomain.get(domain);
    return {
      id,
      recipient: { ...listed, userId },
      isOutside,
      isNew: isOutside && added !== null && context.newDomains.includes(domain),
      isExpected: said ? said.expected === 1 : null,
      lastDay: leftAt === null ? null : lastDayOf(leftAt),
      hasLeft: leftAt !== null && leftAt <= context.now,
      isReceiving: receiving > 0,
      // A domain of several people is hardly a typing error.
      odd: isOutside && of && of.people < SEVERAL ? findOddity(domain, inside) : null,
    };
  });
}

function findOddity(domain: string, inside: ReadonlySet<string>): string | null {
  const alike = resembledDomain(domain, inside);
  if (alike) return `looks like ${alike}`;
  return /(^|\.)xn--/.test(domain) ? "has letters of other scripts" : null;
}

export function* spanRows(
  people: readonly StoredPerson[],
  receipts: readonly StoredReceipt[],
): Generator<RecipientSpan> {
  const byId = new Map(people.map((person) => [person.id, person]));
  for (const { personId, scheduleId, first, last, runs, receiving } of receipts) {
    const { userId, listed } = byId.get(personId)!;
    const { displayName, emailAddress }: Recipient = listed;
    yield {
      scheduleId,
      userId,
      displayName: displayName ?? null,
      emailAddress: emailAddress ?? null,
      first: new Date(first).toISOString(),
      last: new Date(last).toISOString(),
      runs,
      receiving: receiving === 1,
    };
  }
}

/** The last day, in UTC, of somebody who left at this moment. */
export function lastDayOf(leftAt: number): string {
  return new Date(leftAt - 1).toISOString().slice(0, 10);
}

export interface PeopleLink {
  readonly group: PeopleGroup;
  readonly text?: string;
  /** Only people who received this schedule. */
  readonly scheduleId?: number;
}

export function readPeopleLink(params: URLSearchParams) {
  const read = readFilter(params);
  const group = read.choice("group", PEOPLE_GROUPS);
  const offset = read.offset();
  const scheduleId = read.schedule();
  const text = filterText(params, "q");
  if (text.includes("@")) {
    read.issues.push({
      parameter: "q",
      detail: "An address must not be in a link: type it instead",
    });
  }
  const link: PeopleLink = {
    group,
    ...text && { text },
    ...scheduleId !== undefined && { scheduleId },
  };
  return { link, offset, issues: read.issues };
}

/** The parameters of a list of people, by name. The schedule is in the path instead. */
export function peopleValues({ group, text }: PeopleLink) {
  return { group: group === "all" ? undefined : group, q: text };
}
