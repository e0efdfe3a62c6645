/** Loads the runs and the settings of a schedule, for its pages. */
import { loadScheduleRuns } from "../schedules/load_schedule_runs.ts";
import { failureReason } from "../log/log_problem.ts";
import type { Decision } from "../../lib/judgement/decisions.ts";
import type { StoredWatch } from "../store/records/watches.ts";
import { requireScheduleId } from "../http/request_query.ts";
import type { JudgingOptions } from "../schedules/judge_loaded.ts";
import type { PageState, ScheduleRequest } from "./page_request.ts";
import { LOAD } from "../../lib/runs/load_runs.ts";

export type ScheduleRuns = Awaited<ReturnType<typeof loadSchedule>>;

export async function loadSchedule(
  { params, state, req }: ScheduleRequest,
  runs: number = LOAD.runs,
) {
  const scheduleId = requireScheduleId(params);
  const { services, backend } = state;
  const zone = services.settings.serviceZone;
  const [loaded, set] = await Promise.all([
    loadScheduleRuns({ ...services, backend, zone }, scheduleId, { runs, signal: req.signal }),
    loadScheduleSettings(state, scheduleId),
  ]);
  const title = loaded.runs.find((run) => run.reportTitle)?.reportTitle || set.title;
  const name = set.name || title || `Schedule ${scheduleId}`;
  // The title is shown beside the name only if the name differs.
  return { scheduleId, name, reportTitle: title === name ? "" : title, loaded, settings: set };
}

interface ScheduleSettings
  extends Pick<StoredWatch, "name" | "title" | "note" | "plan" | "pauses" | "mutedUntil"> {
  readonly isWatched: boolean;
  /** Days without runs, in the plan's zone. */
  readonly calendar: readonly string[];
  /** Whom people expect to receive it. */
  readonly decisions: readonly Decision[];
}

const DEFAULT_SETTINGS: ScheduleSettings = {
  name: "",
  title: "",
  note: "",
  plan: null,
  pauses: [],
  mutedUntil: null,
  isWatched: false,
  calendar: [],
  decisions: [],
};

/** The reader's part of the options for judging runs. */
export function judgingOf(
  { state: { services: { judging, settings }, statuses, preferences: { zone } }, req: { signal } }:
    Pick<ScheduleRequest, "state" | "req">,
): Pick<JudgingOptions, "statuses" | "zone" | "inside" | "judgeHistory" | "signal"> {
  const inside = settings.homeDomains;
  const { judgeHistory } = judging;
  return { statuses, zone, judgeHistory, signal, ...inside.length > 0 && { inside } };
}

async function loadScheduleSettings(
  { services: { records }, log }: PageState,
  scheduleId: number,
): Promise<ScheduleSettings> {
  try {
    const calendar = await records?.calendars.daysFor(scheduleId) ?? [];
    const decisions = await records?.recipientDecisions.expectedOn(scheduleId, Date.now()) ?? [];
    const watch = await records?.watches.get(scheduleId);
    return { ...DEFAULT_SETTINGS, ...watch, isWatched: watch !== undefined, calendar, decisions };
  } catch (error) {
    // Runs can be shown without the records, with an inferred plan.
    log.warn("The confirmed plan could not be read", { reason: failureReason(error) });
    return DEFAULT_SETTINGS;
  }
}
