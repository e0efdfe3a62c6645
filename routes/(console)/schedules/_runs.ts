/** What the pages of a schedule's runs begin with. */
import type { Backend } from "../../../lib/backend.ts";
import { LOAD, type LoadedRuns, loadRuns } from "../../../server/schedules/run_loader.ts";
import type { Services } from "../../../server/program/services.ts";
import { scheduleIdOf } from "../../../server/http/schedule_id.ts";

/** A schedule and its loaded runs. */
export interface ScheduleRuns {
  readonly scheduleId: number;
  readonly loaded: LoadedRuns;
}

/** Loads the runs of the schedule that the path names. */
export async function loadSchedule(
  { params, state, req }: {
    readonly params: { readonly scheduleId: string };
    readonly state: { readonly backend: Backend; readonly services: Services };
    readonly req: Request;
  },
  runs: number = LOAD.runs,
): Promise<ScheduleRuns> {
  const scheduleId = scheduleIdOf(params);
  const { runtime } = state.services;
  const loaded = await loadRuns(state.backend, scheduleId, { runs, signal: req.signal, runtime });
  return { scheduleId, loaded };
}

/** The title of the report, as the newest run that has one says. */
export function titleOf({ scheduleId, loaded }: ScheduleRuns): string {
  return loaded.runs.find(({ reportTitle }) => !!reportTitle)?.reportTitle ??
    `Schedule ${scheduleId}`;
}
