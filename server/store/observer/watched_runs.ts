/** The runs of watched schedules, as the observer read them. */
import type { Engine, TransactionStep } from "../engine.ts";
import { OBSERVED } from "../ledger/source.ts";
import { storedRunsOn } from "../ledger/stored_runs.ts";
import { endVersions, versionSteps } from "../ledger/versions.ts";
import type { WatchedRun } from "./types.ts";

export interface RunChanges {
  readonly put: readonly WatchedRun[];
  readonly removed?: readonly number[];
}

export function watchedRunsOn(engine: Engine) {
  const stored = storedRunsOn(engine, OBSERVED);
  return {
    ...stored,
    /** The newest stored runs, newest first; those without a start are last. */
    async newest(scheduleId: number, most: number): Promise<readonly WatchedRun[]> {
      return (await stored.newestTexts(scheduleId, most))
        .map(({ id, start, text }) => ({ id, start, run: JSON.parse(text) }));
    },
    async changeSteps(
      scheduleId: number,
      { put, removed = [] }: RunChanges,
      at: number,
    ): Promise<readonly TransactionStep[]> {
      const read = put.map(({ run, start }) => ({ scheduleId, run, start }));
      return [
        ...read.length > 0 ? (await versionSteps(engine, OBSERVED, read, at)).steps : [],
        ...endVersions(OBSERVED, scheduleId, removed, at),
      ];
    },
  };
}
