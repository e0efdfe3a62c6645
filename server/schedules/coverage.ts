/** Describes how complete the known schedules are. */
import { dayIn } from "../../lib/days.ts";
import { formatCount, formatCountOf, formatDuration } from "../../lib/format.ts";
import { SECOND } from "../../lib/time_units.ts";
import type { CountedSearch, IdSearch } from "../store/records/id_searches.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

const MAX_RANGES = 20;
/** Not "known", because imported runs may have schedules that nobody added. */
const NONE_ADDED = "No schedules were added";

export async function coverageText(
  { idSearches, people, watches }: Pick<ObserverRecords, "idSearches" | "people" | "watches">,
  zone: string,
): Promise<string> {
  const [known, searches, { unread, failing }] = await Promise.all([
    watches.countKnown(),
    idSearches.searches(),
    people.countUnread(),
  ]);
  const schedules = (count: number) => formatCountOf(count, "schedule", "schedules");
  return [
    known > 0 ? `${schedules(known)} known` : NONE_ADDED,
    ...searches.map((search) => describeSearch(search, zone)),
    ...searches.length === 0 ? ["the service was never asked which ones it has"] : [],
    ...unread > 0 ? [`${schedules(unread)} not read to the end yet`] : [],
    ...failing > 0 ? [`${schedules(failing)} can't be read`] : [],
  ].join("; ");
}

export function describeSearch(search: CountedSearch, zone: string): string {
  const { from, to, next, started, ended, answers, answersEmpty } = search;
  const day = dayIn(zone)(ended ?? started);
  const range = `ids ${formatCount(from)} to ${formatCount(to)} checked on ${day}`;
  const parts = [
    [answers.exists, "have runs"],
    [answers["never-ran"], answersEmpty ? "have none or don't exist" : "never ran"],
    [answers.missing, "don't exist"],
    [answers.forbidden, "not allowed"],
    [answers.failed, "could not be checked"],
  ] as const;
  const counts = parts.filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} ${words}`);
  const done = next <= to
    ? [next === from ? "none so far" : `up to ${formatCount(next - 1)} so far`]
    : [];
  return `${range}: ${[...done, ...counts].join(", ")}`;
}

/** How many seconds the rest of a scan takes at its rate; more if the service is slower. */
export function secondsLeft({ to, next, rate }: IdSearch): number {
  return Math.ceil((to - next + 1) / rate);
}

/** The progress of a scan, such as `40 of 400 ids checked, at least 8 s left`. */
export function describeProgress(search: IdSearch): string {
  const { from, to, next } = search;
  const checked = `${formatCount(next - from)} of ${formatCount(to - from + 1)} ids checked`;
  return `${checked}, at least ${formatDuration(secondsLeft(search) * SECOND)} left`;
}

/** Ids in ascending order as ranges, such as `1-40, 43`. */
export function idRanges(ids: readonly number[]): string {
  const ranges: string[] = [];
  for (let at = 0; at < ids.length;) {
    let end = at;
    while (ids[end + 1] === ids[end] + 1) end++;
    ranges.push(end === at ? String(ids[at]) : `${ids[at]}-${ids[end]}`);
    at = end + 1;
  }
  return ranges.slice(0, MAX_RANGES).join(", ") + (ranges.length > MAX_RANGES ? ", and more" : "");
}
