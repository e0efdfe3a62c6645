/** Lists of schedules, watched or not, from stored polls, as on Today; and scans for others. */
import { coverageText, describeProgress, describeScan } from "../schedules/coverage.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { ScheduleOverview } from "../store/records/overview.ts";
import { throwIfInvalid } from "../http/problem.ts";
import { PAGE, readFilter } from "./filter.ts";
import { type PageState, requireRecords } from "./page_request.ts";
import { capitalized } from "../../lib/format.ts";
import { filterText } from "../../lib/filter_text.ts";
import { HEADLINES } from "../../lib/judgement/headline.ts";
import { planForReader } from "../../lib/judgement/plans/describe.ts";
import { isShown } from "../../lib/judgement/reason.ts";
import { NO_PLAN_TEXT, reasonText, unreadableText } from "../../lib/judgement/reason_text.ts";
import type { KnownSchedule } from "../store/records/watches.ts";
import { fallbackName } from "./incidents.ts";
import { loadSilences } from "./silences.ts";

export async function loadSchedules(
  { services: { records }, preferences: { zone } }: PageState,
  params: URLSearchParams,
) {
  const { filter, offset } = readOverviewFilter(params);
  const shown = { typedIds: params.get("add"), filter };
  if (!records) return { ...shown, known: null };
  const { overview } = records;
  const among = filter.among ?? "known";
  const [{ items, total }, counts, lists, coverage, outage] = await Promise.all([
    overview.list({ ...filter, among, limit: PAGE, offset }),
    overview.countHeadlines(among),
    overview.countLists(),
    coverageText(records, zone),
    loadOutage(records),
  ]);
  const rows = await scheduleRows(records, items, { now: Date.now(), zone, outage });
  const polled = latestPoll(items);
  const position = { start: offset, count: rows.length, limit: PAGE, total };
  const banner = outage && { ...outage, polled };
  return { ...shown, known: { rows, outage: banner, counts, lists, position, coverage } };
}

/** The page that scans for schedules: which ids were asked for, and what was found. */
export async function loadScans(
  { services, preferences: { zone } }: PageState,
) {
  const { scans } = requireRecords(services);
  const counted = await scans.counted();
  const open = counted.find(({ ended, stopped }) => ended === null && stopped === null);
  return {
    scans: counted.filter((scan) => scan !== open).map((scan) =>
      `${describeScan(scan, zone)}.` +
      (scan.stopped ? ` ${scan.stopped}. To continue, scan the same ids.` : "")
    ),
    open: open && {
      from: open.from,
      to: open.to,
      done: open.next - open.from,
      progress: describeProgress(open),
    },
  };
}

export function readOverviewFilter(params: URLSearchParams) {
  const read = readFilter(params);
  const headline = read.choice("state", ["all", ...HEADLINES]);
  const offset = read.offset();
  throwIfInvalid(read.issues);
  const filter = {
    headline: headline === "all" ? undefined : headline,
    text: filterText(params, "q") || undefined,
    owner: filterText(params, "owner") || undefined,
    among: (["watched", "unwatched"] as const).find((each) => each === params.get("list")),
  };
  return { filter, offset };
}

/** When one of these was last read; null if none was. */
export function latestPoll(schedules: readonly Pick<KnownSchedule, "polled">[]): number | null {
  return Math.max(0, ...schedules.map(({ polled }) => polled ?? 0)) || null;
}

/** Why and since when the service can't be read, as its open incident says; null if it can. */
export async function loadOutage({ incidents }: ObserverRecords) {
  const incident = (await incidents.open(null)).find(({ code }) => code === "unreadable");
  if (!incident) return null;
  const { reason, opened } = incident;
  const failure = reason.code === "unreadable" ? reason.failure ?? "" : "";
  // An incident that opened again may have opened long before.
  return { of: "the service", failure, failingSince: reason.since ?? opened } as const;
}

/** Why a schedule can't be read, alone or with the whole service; null if it can. */
export async function loadScheduleOutage(
  records: ObserverRecords,
  { failure, failingSince, polled }: Pick<KnownSchedule, "failure" | "failingSince" | "polled">,
) {
  const own = failure === null ? null : { of: "this schedule", failure, failingSince } as const;
  // Its own next poll may be some minutes away.
  const outage = await loadOutage(records) ?? own;
  return outage && { ...outage, polled };
}

interface Shown {
  readonly now: number;
  readonly zone: string;
  /** What a banner says of all schedules, so that their rows don't repeat it. */
  readonly outage: { readonly failure: string } | null;
}

export async function scheduleRows(
  records: ObserverRecords,
  schedules: readonly ScheduleOverview[],
  { outage, ...moment }: Shown,
) {
  const silences = await loadSilences(records, schedules, moment.now);
  return schedules.map((schedule) => {
    const { details, failure } = schedule;
    const words = (details?.reasons ?? []).filter(isShown).map((reason) =>
      reasonText(reason, moment)
    );
    // Nobody is notified of a single failure, so a healthy schedule says nothing of it.
    if (failure !== null && failure !== outage?.failure && schedule.headline !== "healthy") {
      // Where nothing was read, the state says already that it can't be read.
      words.unshift(details === null ? failure : unreadableText(failure));
    }
    if (words.length === 0 && details?.plan === null && schedule.headline === "unknown") {
      words.push(NO_PLAN_TEXT);
    }
    const sentence = words.join("; ");
    return {
      ...schedule,
      name: schedule.name || fallbackName(schedule.scheduleId),
      isWatched: schedule.watched === 1,
      isRead: details !== null,
      sentence: sentence && `${capitalized(sentence)}.`,
      plan: details?.plan ? planForReader(details.plan, moment) : null,
      planned: schedule.strip ?? [],
      silences: silences.get(schedule.scheduleId) ?? [],
    };
  });
}
