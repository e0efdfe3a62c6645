/** Loads the runs and the settings of a schedule, for its pages. */
import { loadScheduleRuns } from "../schedules/load_schedule_runs.ts";
import type { StoredWatch } from "../store/records/watches.ts";
import { requireScheduleId } from "../http/request_query.ts";
import type { JudgingOptions } from "../schedules/judge_loaded.ts";
import type { PageState, ScheduleRequest } from "./page_request.ts";
import { isRetryableStatus } from "../../lib/client/transport/retry.ts";
import { isDocketError } from "../../lib/errors.ts";
import { LOAD, type LoadedRuns } from "../../lib/runs/load_runs.ts";
import { newestFirst } from "../../lib/runs/times.ts";

export type ScheduleRuns = Awaited<ReturnType<typeof loadSchedule>>;

export async function loadSchedule(
  { params, state, req }: ScheduleRequest,
  runs: number = LOAD.runs,
) {
  const scheduleId = requireScheduleId(params);
  const [{ loaded, failure }, set] = await Promise.all([
    loadOrStored(state, scheduleId, { runs, signal: req.signal }),
    loadScheduleSettings(state, scheduleId),
  ]);
  const title = loaded.runs.find((run) => run.reportTitle)?.reportTitle || set.title;
  const name = set.name || title || `Schedule ${scheduleId}`;
  // The title is shown beside the name only if the name differs.
  const reportTitle = title === name ? "" : title;
  const { polled, failingSince } = set;
  const outage = failure === null ? null : { failure, polled, failingSince };
  return { scheduleId, name, reportTitle, loaded, outage, settings: set };
}

/** The runs, or those that were read before and why the service can't be read now. */
async function loadOrStored(
  { services, backend }: PageState,
  scheduleId: number,
  options: { readonly runs: number; readonly signal: AbortSignal },
): Promise<{ readonly loaded: LoadedRuns; readonly failure: string | null }> {
  const zone = services.settings.serviceZone;
  try {
    const loaded = await loadScheduleRuns({ ...services, backend, zone }, scheduleId, options);
    return { loaded, failure: null };
  } catch (error) {
    options.signal.throwIfAborted();
    const failure = outageOf(error);
    const stored = failure === null
      ? []
      : await services.records?.runs.newest(scheduleId, options.runs) ?? [];
    if (failure === null || stored.length === 0) throw error;
    const runs = newestFirst(stored.map(({ run }) => run));
    const olderUnread = runs.length >= options.runs;
    return { loaded: { runs, stopped: "error", olderUnread, newerUnread: false }, failure };
  }
}

/** Why nobody can read the service for now; null if it refuses this request alone. */
function outageOf(error: unknown): string | null {
  if (!isDocketError(error)) return null;
  if (error.kind === "http") {
    return isRetryableStatus(error.status) ? `status ${error.status}` : null;
  }
  return error.kind === "network" ? "no connection" : "no usable answer in time";
}

interface ScheduleSettings
  extends
    Pick<StoredWatch, "name" | "title" | "note" | "plans" | "pauses" | "polled" | "failingSince"> {
  readonly isWatched: boolean;
  /** Days without runs, in the plan's zone. */
  readonly calendar: readonly string[];
}

const DEFAULT_SETTINGS = {
  name: "",
  title: "",
  note: "",
  plans: [],
  pauses: [],
  polled: null,
  failingSince: null,
};

/** The reader's part of the options for judging runs. */
export function judgingOf(
  { services: { judging: { judgeHistory } }, statuses, preferences: { zone } }: PageState,
): Pick<JudgingOptions, "statuses" | "zone" | "judgeHistory"> {
  return { statuses, zone, judgeHistory };
}

async function loadScheduleSettings(
  { services: { records } }: PageState,
  scheduleId: number,
): Promise<ScheduleSettings> {
  const calendar = await records?.calendars.daysFor(scheduleId) ?? [];
  const watch = await records?.watches.get(scheduleId);
  return { ...DEFAULT_SETTINGS, ...watch, isWatched: watch !== undefined, calendar };
}
