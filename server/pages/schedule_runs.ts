/** Loads the runs and the settings of a schedule, for its pages. */
import { loadScheduleRuns } from "../schedules/load_schedule_runs.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import { loadScheduleOutage } from "./schedule_rows.ts";
import type { KnownSchedule } from "../store/records/watches.ts";
import { requireScheduleId } from "../http/request_query.ts";
import type { JudgingOptions } from "../schedules/judge_loaded.ts";
import type { PageState, ScheduleRequest } from "./page_request.ts";
import { LOAD, type LoadedRuns } from "../../lib/runs/load_runs.ts";
import { withShortTexts } from "../../lib/runs/short_texts.ts";
import { newestFirst } from "../../lib/runs/times.ts";

export type ScheduleRuns = Awaited<ReturnType<typeof loadSchedule>>;

/** The runs that were read last; the service is asked only where none are stored. */
export async function loadSchedule(
  { params, state, req: { signal } }: ScheduleRequest,
  most: number = LOAD.runs,
) {
  const scheduleId = requireScheduleId(params);
  const { services, backend } = state;
  const settings = await loadScheduleSettings(state, scheduleId);
  const stored = await loadStored(state, settings, most);
  const zone = services.settings.serviceZone;
  const loaded = stored ??
    await loadScheduleRuns({ ...services, backend, zone }, scheduleId, { runs: most, signal });
  const title = loaded.runs.find((run) => run.reportTitle)?.reportTitle || settings.title;
  const name = settings.name || title || `Schedule ${scheduleId}`;
  // The title is shown beside the name only if the name differs.
  const reportTitle = title === name ? "" : title;
  const { polled } = settings;
  const outage = stored && services.records &&
    await loadScheduleOutage(services.records, settings);
  return { scheduleId, name, reportTitle, loaded, readAt: stored && polled, outage, settings };
}

/** What polls of an upstream stored; null if there is nothing. */
async function loadStored(
  { services }: PageState,
  { scheduleId, polled, historyRead }: ScheduleSettings,
  most: number,
): Promise<LoadedRuns | null> {
  const { store, records, settings } = services;
  if (store || !records || polled === null || whyNotObserved(services) !== null) return null;
  const stored = await records.runs.newest(scheduleId, most + 1);
  const olderUnread = stored.length > most || historyRead !== null ||
    settings.retainRunsMs !== null;
  return {
    runs: newestFirst(stored.slice(0, most).map(({ run }) => withShortTexts(run))),
    stopped: olderUnread ? "enough" : "end",
    olderUnread,
    newerUnread: false,
  };
}

interface ScheduleSettings
  extends
    Pick<KnownSchedule, "scheduleId" | "name" | "title" | "owner" | "plans" | "pauses">,
    Pick<KnownSchedule, "watched" | "polled" | "historyRead" | "failure" | "failingSince"> {
  /** Days without runs, in the plan's zone. */
  readonly calendar: readonly string[];
}

const DEFAULT_SETTINGS = {
  watched: 0 as const,
  name: "",
  title: "",
  owner: "",
  plans: [],
  pauses: [],
  polled: null,
  historyRead: null,
  failure: null,
  failingSince: null,
};

/** The reader's part of the options for judging runs. */
export function readerOptions(
  { services: { judging: { judgeHistory } }, statuses, preferences: { zone } }: PageState,
): Pick<JudgingOptions, "statuses" | "zone" | "judgeHistory"> {
  return { statuses, zone, judgeHistory };
}

async function loadScheduleSettings(
  { services: { records } }: PageState,
  scheduleId: number,
): Promise<ScheduleSettings> {
  const calendar = await records?.calendars.daysFor(scheduleId) ?? [];
  const known = (await records?.watches.known([scheduleId]))?.get(scheduleId);
  return { ...DEFAULT_SETTINGS, scheduleId, ...known, calendar };
}
