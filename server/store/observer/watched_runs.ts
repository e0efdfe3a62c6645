/** The stored runs of watched schedules. */
import type { Engine, TransactionStep } from "../engine.ts";
import type { WatchedRun } from "./types.ts";
import { placeholders } from "../sql.ts";

/** A stored run as JSON text. */
export interface WatchedRunText extends Pick<WatchedRun, "id" | "start"> {
  readonly text: string;
}

// PostgreSQL puts null first in descending order, SQLite last.
const NEWEST = "ORDER BY start_time DESC NULLS LAST, id DESC";

export type WatchedRuns = ReturnType<typeof watchedRunsOn>;

export function watchedRunsOn(engine: Engine) {
  /** The newest stored runs as JSON text, skipping `skip` of them. */
  async function newestTexts(
    scheduleId: number,
    most: number,
    skip = 0,
  ): Promise<WatchedRunText[]> {
    const rows = await engine.rows(
      `SELECT id, start_time, run FROM watched_runs WHERE schedule_id = ? ${NEWEST} ` +
        "LIMIT ? OFFSET ?",
      [scheduleId, most, skip],
    );
    return rows.map(([id, start, text]) => ({
      id: id as number,
      start: start as number | null,
      text: text as string,
    }));
  }
  return {
    newestTexts,
    /** The newest stored runs, newest first; those without a start are last. */
    async newest(scheduleId: number, most: number): Promise<readonly WatchedRun[]> {
      return (await newestTexts(scheduleId, most))
        .map(({ id, start, text }) => ({ id, start, run: JSON.parse(text) }));
    },
    async count(scheduleId: number): Promise<number> {
      const text = "SELECT count(*) FROM watched_runs WHERE schedule_id = ?";
      return (await engine.rows(text, [scheduleId]))[0][0] as number;
    },
  };
}

/** Rows per statement; databases limit bound values. */
const ROWS_AT_ONCE = 250;

/** Stores runs, replacing those with the same ids. */
export function putRuns(scheduleId: number, runs: readonly WatchedRun[]): TransactionStep[] {
  const steps: TransactionStep[] = [];
  for (let at = 0; at < runs.length; at += ROWS_AT_ONCE) {
    const piece = runs.slice(at, at + ROWS_AT_ONCE);
    steps.push({
      text: "INSERT INTO watched_runs (schedule_id, id, start_time, run) VALUES " +
        piece.map(() => "(?, ?, ?, ?)").join(", ") +
        " ON CONFLICT (schedule_id, id) DO UPDATE SET start_time = excluded.start_time, " +
        "run = excluded.run",
      values: piece.flatMap(({ id, start, run }) => [scheduleId, id, start, JSON.stringify(run)]),
    });
  }
  return steps;
}

/** Removes stored runs that the service no longer has. */
export function removeRuns(scheduleId: number, ids: readonly number[]): TransactionStep[] {
  const steps: TransactionStep[] = [];
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const piece = ids.slice(at, at + ROWS_AT_ONCE);
    steps.push({
      text: "DELETE FROM watched_runs WHERE schedule_id = ? AND " +
        `id IN (${placeholders(piece)})`,
      values: [scheduleId, ...piece],
    });
  }
  return steps;
}
