/** Describes how complete the known schedules are. */
import { dayIn } from "../../lib/days.ts";
import { formatDay } from "../../lib/moments.ts";
import { formatCount, formatCountOf, formatDuration } from "../../lib/format.ts";
import { SECOND } from "../../lib/time_units.ts";
import type { CountedScan, Scan } from "../store/records/stored_scans.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

const MAX_RANGES = 20;
/** Not "known", because imported runs may have schedules that nobody added. */
const NONE_ADDED = "No schedules were added";

export async function coverageText(
  { scans, people, watches }: Pick<ObserverRecords, "scans" | "people" | "watches">,
  zone: string,
): Promise<string> {
  const [known, counted, { unread, failing, uncounted, unlisted }] = await Promise.all([
    watches.countKnown(),
    scans.counted(),
    people.countUnread(),
  ]);
  return [
    known > 0 ? `${formatCountOf(known, "schedule", "schedules")} known` : NONE_ADDED,
    ...counted.length === 0 ? ["no ids scanned"] : counted.map((scan) => {
      const { forbidden, failed } = scan.answers;
      return [
        rangeText(scan, zone),
        ...forbidden > 0 ? [`${formatCount(forbidden)} not allowed`] : [],
        ...failed > 0 ? [`${formatCount(failed)} not answered`] : [],
      ].join(", ");
    }),
    ...unread > 0 ? [`${formatCount(unread)} not read to the end yet`] : [],
    ...failing > 0 ? [`${formatCount(failing)} can't be read`] : [],
    ...uncounted > 0 ? [`${formatCount(uncounted)} still being counted`] : [],
    ...unlisted > 0 ? [`${formatCountOf(unlisted, "lists", "list")} no recipients`] : [],
  ].join("; ");
}

/** The ids of a scan and its day, such as `ids 1 to 5,000 scanned on 23 Nov`, and how far it is. */
function rangeText({ from, to, next, started, ended }: CountedScan, zone: string): string {
  const dayOf = dayIn(zone);
  const ids = `ids ${formatCount(from)} to ${formatCount(to)}`;
  const day = formatDay(dayOf(ended ?? started), dayOf(Date.now()));
  if (next > to) return `${ids} scanned on ${day}`;
  const done = next === from ? "none" : `up to ${formatCount(next - 1)}`;
  return `scan of ${ids} started on ${day}, ${done} so far`;
}

export function describeScan(scan: CountedScan, zone: string): string {
  const { answers, answersEmpty } = scan;
  const parts = [
    [answers.exists, "have runs"],
    [answers["never-ran"], answersEmpty ? "have none or don't exist" : "never ran"],
    [answers.missing, "not found"],
    [answers.forbidden, "not allowed"],
    [answers.failed, "not answered"],
  ] as const;
  const counts = parts.filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} ${words}`);
  return [rangeText(scan, zone), ...counts.length > 0 ? [counts.join(", ")] : []].join(": ");
}

/** How many seconds the rest of a scan takes at its rate; more if the service is slower. */
export function secondsLeft({ to, next, rate }: Scan): number {
  return Math.ceil((to - next + 1) / rate);
}

/** The progress of a scan, such as `40 of 400 ids scanned, at least 8 s left`. */
export function describeProgress(scan: Scan): string {
  const { from, to, next } = scan;
  const scanned = `${formatCount(next - from)} of ${formatCount(to - from + 1)} ids scanned`;
  return `${scanned}, at least ${formatDuration(secondsLeft(scan) * SECOND)} left`;
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
