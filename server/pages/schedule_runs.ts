/** Loads the runs and the settings of a schedule, for its pages. */
import { loadStoredRuns } from "../schedules/loaded_runs.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import { loadScheduleOutage } from "./schedule_rows.ts";
import type { KnownSchedule } from "../store/records/watches.ts";
import { requireScheduleId } from "../http/request_query.ts";
import type { PageState, ScheduleRequest } from "./page_request.ts";
import { LOAD, loadRuns } from "../../lib/runs/load_runs.ts";

export type ScheduleRuns = Awaited<ReturnType<typeof loadSchedule>>;

/** The runs that were read last; the service is asked only where none are stored. */
export async function loadSchedule(
  { params, state, req: { signal } }: ScheduleRequest,
  most: number = LOAD.runs,
) {
  const scheduleId = requireScheduleId(params);
  const { services, backend } = state;
  const { store, records, runtime, settings: { serviceZone: zone } } = services;
  const settings = await loadScheduleSettings(state, scheduleId);
  const { polled, historyRead } = settings;
  const isPolled = polled !== null && whyNotObserved(services) === null;
  const runs = store?.runs ?? (isPolled ? records!.runs : null);
  const isWhole = store !== null || historyRead === null && services.settings.retainRunsMs === null;
  const loaded = runs
    ? await loadStoredRuns(runs, scheduleId, { max: most, isWhole })
    : await loadRuns(backend, scheduleId, { runs: most, zone, signal, runtime });
  if (store && loaded.runs.length === 0) await store.requireSchedule(scheduleId);
  const title = loaded.runs.find((run) => run.reportTitle)?.reportTitle || settings.title;
  const name = settings.name || title || `Schedule ${scheduleId}`;
  // The title is shown beside the name only if the name differs.
  const reportTitle = title === name ? "" : title;
  const isRead = runs !== null && !store;
  const outage = isRead ? await loadScheduleOutage(records!, settings) : null;
  return {
    scheduleId,
    name,
    reportTitle,
    loaded,
    readAt: isRead ? polled : null,
    outage,
    settings,
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

async function loadScheduleSettings(
  { services: { records } }: PageState,
  scheduleId: number,
): Promise<ScheduleSettings> {
  const calendar = await records?.calendars.daysFor(scheduleId) ?? [];
  const known = (await records?.watches.known([scheduleId]))?.get(scheduleId);
  return { ...DEFAULT_SETTINGS, scheduleId, ...known, calendar };
}
