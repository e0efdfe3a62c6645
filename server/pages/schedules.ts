/** The page Schedules: every known schedule, watched or not, from stored polls; and scans for them. */
import { coverageText, describeProgress, describeScan } from "../schedules/coverage.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { ScheduleFilter } from "../store/records/overview.ts";
import { PAGE } from "./filter.ts";
import { type PageMoment, type PageState, requireRecords } from "./page_request.ts";
import { loadOutage, readOverviewFilter, scheduleRows } from "./schedule_rows.ts";

export async function loadSchedules(
  { services: { records }, preferences: { zone } }: PageState,
  params: URLSearchParams,
) {
  const { filter, offset, issues } = readOverviewFilter(params);
  const now = Date.now();
  return {
    typedIds: params.get("add"),
    filter,
    issues,
    known: records && await loadKnown(records, { ...filter, limit: PAGE, offset }, { now, zone }),
  };
}

async function loadKnown(
  records: ObserverRecords,
  filter: ScheduleFilter & { readonly offset: number },
  moment: PageMoment,
) {
  const { overview } = records;
  const among = filter.among ?? "known";
  const [{ items, total }, counts, lists, coverage, outage] = await Promise.all([
    overview.list({ ...filter, among }),
    overview.countHeadlines(among),
    overview.countLists(),
    coverageText(records, moment.zone),
    loadOutage(records),
  ]);
  const rows = await scheduleRows(records, items, { ...moment, outage });
  return {
    rows,
    outage: outage && {
      ...outage,
      polled: Math.max(0, ...items.map(({ polled }) => polled ?? 0)) || null,
    },
    counts,
    lists,
    position: { start: filter.offset, count: rows.length, limit: PAGE, total },
    coverage,
  };
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
