/** The runs of schedules, newest first. */
import type { HistoryOptions } from "../../lib/client/backend.ts";
import type { ReportRun } from "../../lib/types.ts";
import { ProblemError } from "../http/problem.ts";
import type { Engine } from "./engine.ts";
import { OWN } from "./ledger/source.ts";
import { storedRunsOn } from "./ledger/stored_runs.ts";
import { toHistoryRange } from "./search/validate.ts";

export function runHistoryOf(engine: Engine) {
  const stored = storedRunsOn(engine, OWN);

  /** Whether there is a schedule of that id, with or without runs. */
  async function hasSchedule(id: number): Promise<boolean> {
    return (await engine.rows("SELECT id FROM schedules WHERE id = ?", [id])).length > 0;
  }

  async function rowsOf(scheduleId: number, limit: number, skip = 0): Promise<string[]> {
    const rows = await stored.newestTexts(scheduleId, limit, skip);
    if (rows.length === 0 && !await hasSchedule(scheduleId)) {
      throw new ProblemError(404, `There is no report schedule ${scheduleId}`);
    }
    return rows.map(({ text }) => text);
  }

  return {
    hasSchedule,
    /** The runs as JSON. */
    async history(scheduleId: number, options: HistoryOptions = {}): Promise<string> {
      options.signal?.throwIfAborted();
      const { limit, skip } = toHistoryRange(options);
      return `[${(await rowsOf(scheduleId, limit, skip)).join(",")}]`;
    },
    /**
     * The newest runs of a schedule in one go, and whether there are older ones.
     *
     * @throws {ProblemError} a 404 if there is no such schedule
     */
    async newestRuns(
      scheduleId: number,
      most: number,
    ): Promise<{ readonly runs: readonly ReportRun[]; readonly hasOlder: boolean }> {
      const rows = await rowsOf(scheduleId, most + 1);
      const runs = rows.slice(0, most).map((json): ReportRun => JSON.parse(json));
      return { runs, hasOlder: rows.length > most };
    },
    /** The times of every run of a schedule, newest first. */
    runTimes: stored.times,
  };
}
