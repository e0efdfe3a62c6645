/** Loads a schedule's runs for its pages. */
import type { Backend } from "../../../lib/backend.ts";
import { scheduleIdOf } from "../../../server/http/schedule_id.ts";
import type { Services } from "../../../server/program/services.ts";
import { LOAD, type LoadedRuns, loadRuns } from "../../../server/schedules/run_loader.ts";

/** A schedule and its loaded runs. */
export interface ScheduleRuns {
  readonly scheduleId: number;
  /** The report title of the newest run that has one. */
  readonly title: string;
  readonly loaded: LoadedRuns;
}

/** Loads the runs of the schedule in the path. */
export async function loadSchedule(
  { params, state, req }: {
    readonly params: { readonly scheduleId: string };
    readonly state: { readonly backend: Backend; readonly services: Services };
    readonly req: Request;
  },
  runs: number = LOAD.runs,
): Promise<ScheduleRuns> {
  const scheduleId = scheduleIdOf(params);
  const { runtime, settings } = state.services;
  const loaded = await loadRuns(state.backend, scheduleId, {
    runs,
    zone: settings.serviceZone,
    signal: req.signal,
    runtime,
  });
  const title = loaded.runs.find(({ reportTitle }) => !!reportTitle)?.reportTitle;
  return { scheduleId, title: title ?? `Schedule ${scheduleId}`, loaded };
}
