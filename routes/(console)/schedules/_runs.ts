import type { HandlerContext } from "fresh/types";
import { loadScheduleRuns } from "../../../server/schedules/load_schedule_runs.ts";
import { failureReason } from "../../../server/log/log_problem.ts";
import type { Decision } from "../../../lib/judgement/decisions.ts";
import type { StoredWatch } from "../../../server/store/records/watches.ts";
import { requireScheduleId } from "../../../server/http/request_query.ts";
import type { JudgingOptions } from "../../../server/schedules/judge_loaded.ts";
import type { ConsoleState } from "../_middleware.ts";
import { LOAD } from "../../../lib/runs/load_runs.ts";

export type ScheduleContext = HandlerContext<{ scheduleId: string }, ConsoleState>;

export type ScheduleRuns = Awaited<ReturnType<typeof loadSchedule>>;

export async function loadSchedule(
  { params, state, req }: ScheduleContext,
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
  /** Null if the schedule is not watched. */
  readonly falseIncidents: readonly string[] | null;
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
  falseIncidents: null,
  calendar: [],
  decisions: [],
};

/** The reader's part of the options for judging runs. */
export function judgingOf(
  { state: { services: { judging, settings }, statuses, preferences: { zone } }, req: { signal } }:
    Pick<ScheduleContext, "state" | "req">,
): Pick<JudgingOptions, "statuses" | "zone" | "inside" | "judgeHistory" | "signal"> {
  const inside = settings.homeDomains;
  const { judgeHistory } = judging;
  return { statuses, zone, judgeHistory, signal, ...inside.length > 0 && { inside } };
}

async function loadScheduleSettings(
  { services: { records }, log }: ConsoleState,
  scheduleId: number,
): Promise<ScheduleSettings> {
  try {
    const calendar = await records?.calendars.daysFor(scheduleId) ?? [];
    const decisions = await records?.recipientDecisions.expectedOn(scheduleId, Date.now()) ?? [];
    return { ...await records?.watches.get(scheduleId) ?? DEFAULT_SETTINGS, calendar, decisions };
  } catch (error) {
    // Runs can be shown without the records, with an inferred plan.
    log.warn("The confirmed plan could not be read", { reason: failureReason(error) });
    return DEFAULT_SETTINGS;
  }
}
