/** The page Go to: every place that a text may mean. */
import { filterText } from "../../lib/filter_text.ts";
import { formatWhen } from "../../lib/moments.ts";
import { recipientName } from "../../lib/runs/recipients.ts";
import { withoutDirections } from "../../lib/terminal.ts";
import { mayOpen } from "../actions/roles.ts";
import type { Role } from "../auth/role.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { PageMoment, PageState } from "./page_request.ts";
import { loadNames } from "./people_page.ts";

const MOST = 8;
const MAX_PEOPLE = 4;
/** Shorter texts match too many names. */
const LEAST_OF_PERSON = 2;
const ID = /^[1-9]\d{0,14}$/;

const PAGES: readonly (readonly [href: string, name: string])[] = [
  ["/", "Today"],
  ["/schedules", "Schedules"],
  ["/people", "People"],
  ["/people/worklist", "Worklist"],
  ["/people/leavers", "Leavers"],
  ["/filesets", "File sets"],
  ["/incidents", "Incidents"],
  ["/incidents/deliveries", "Deliveries"],
  ["/owners", "Owners and calendars"],
  ["/service", "Service: statuses, searches, own data"],
  ["/preferences", "Preferences"],
];

interface Place {
  readonly href: string;
  readonly name: string;
  readonly note?: string;
}

/** The places that the text `q` may mean, by group. Without a text, the pages and some schedules. */
export async function loadPlaces(
  { services: { records }, preferences: { zone }, role }: PageState & {
    readonly role: Role | null;
  },
  params: URLSearchParams,
) {
  const text = filterText(params, "q");
  const { schedules, more } = records
    ? await findSchedules(records, text)
    : { schedules: [], more: 0 };
  const typed = { href: `/schedules/${text}`, name: `Schedule ${text}` };
  const found = {
    // The schedule whose id was typed comes first, also if nobody knows it.
    Schedules: ID.test(text) && !schedules.some((place) => place.href === typed.href)
      ? [typed, ...schedules]
      : schedules,
    Runs: records ? await findRuns(records, text, { now: Date.now(), zone }) : [],
    People: records ? await findPeople(records, text) : [],
    Pages: PAGES.filter(([href, name]) => hasWords(name, text) && mayOpen(role!, href))
      .map(([href, name]) => ({ href, name })),
  };
  const places: readonly Place[] = Object.values(found).flat();
  // An address gets into no link either.
  const isAddress = text.includes("@");
  const search = {
    href: `/filesets?${new URLSearchParams({ q: text })}`,
    name: `Search file sets for “${text}”`,
  };
  const groups: [group: string, places: readonly Place[]][] = [
    ...Object.entries(found),
    ["Search", text && !isAddress ? [search] : []],
  ];
  return {
    text,
    /** The likeliest first, without empty groups. */
    groups: groups.filter(([, { length }]) => length > 0),
    /** How many further schedules match. */
    more,
    isFound: places.length > 0,
    /** What was searched. */
    searched: records ? "page, person, run or known schedule" : "page",
    /** The address of the only place that the text can mean. */
    only: text && places.length === 1 ? places[0].href : null,
  };
}

async function findSchedules({ overview }: ObserverRecords, text: string) {
  const filter = { among: "known", text: text || undefined, limit: MOST, offset: 0 } as const;
  const { items, total } = await overview.list(filter);
  const schedules = items.map(({ scheduleId, name, reportTitle, watched, headline }) => ({
    href: `/schedules/${scheduleId}`,
    name: withoutDirections(`${name || "Schedule"} ${scheduleId}`),
    note: withoutDirections(
      [reportTitle, watched === 1 ? headline : "not watched"].filter(Boolean).join(" · "),
    ),
  }));
  return { schedules, more: total - items.length };
}

/** The runs whose id was typed. */
async function findRuns(
  records: ObserverRecords,
  text: string,
  { now, zone }: PageMoment,
): Promise<readonly Place[]> {
  if (!ID.test(text)) return [];
  const found = await records.runs.withId(Number(text), MOST);
  const nameOf = await loadNames(records, found.map(({ scheduleId }) => scheduleId));
  return found.map(({ scheduleId, start }) => ({
    href: `/schedules/${scheduleId}/runs/${text}`,
    name: `Run ${text} of ${withoutDirections(nameOf(scheduleId))}`,
    note: start === null ? undefined : formatWhen(start, now, zone),
  }));
}

async function findPeople({ people }: ObserverRecords, text: string): Promise<readonly Place[]> {
  if (text.length < LEAST_OF_PERSON) return [];
  const filter = { group: "all", text, home: [], newDomains: [], now: 0 } as const;
  const items = await people.list(filter, { limit: MAX_PEOPLE });
  const all = { href: `/people?${new URLSearchParams({ q: text })}`, name: "All who match" };
  return [
    ...items.map(({ id, listed, domain }) => ({
      href: `/people/${id}`,
      name: withoutDirections(recipientName(listed, false)),
      note: domain ?? undefined,
    })),
    ...items.length === MAX_PEOPLE && !text.includes("@") ? [all] : [],
  ];
}

function hasWords(name: string, text: string): boolean {
  const lower = name.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}
