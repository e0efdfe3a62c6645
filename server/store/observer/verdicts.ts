/**
 * The latest verdict on each watched schedule.
 *
 * @module
 */

import type { Engine, Step } from "../engine.ts";
import type { KeptVerdict } from "./types.ts";

/** The verdicts of a database. */
export interface Verdicts {
  /** The latest verdict on each schedule that has one. */
  list(): Promise<readonly KeptVerdict[]>;
  get(scheduleId: number): Promise<KeptVerdict | undefined>;
}

const COLUMNS = "schedule_id, judged, holds_until, state, plan_source, last_success, next_due, " +
  "overdue, failing, verdict";

/** The verdicts in that database. */
export function verdictsOn(engine: Engine): Verdicts {
  async function list(condition = "", values: readonly number[] = []) {
    const text = `SELECT ${COLUMNS} FROM verdicts ${condition} ORDER BY schedule_id`;
    const rows = await engine.rows({ text, values });
    return rows.map((row): KeptVerdict => ({
      scheduleId: row[0] as number,
      judged: row[1] as number,
      holdsUntil: row[2] as number,
      state: row[3] as string,
      planSource: row[4] as KeptVerdict["planSource"],
      lastSuccess: row[5] as number | null,
      nextDue: row[6] as number | null,
      overdue: row[7] as number,
      failing: row[8] as number,
      details: JSON.parse(row[9] as string),
    }));
  }
  return {
    list: () => list(),
    get: async (scheduleId) => (await list("WHERE schedule_id = ?", [scheduleId]))[0],
  };
}

/** Puts a verdict in place of the one before. */
export function putVerdict(verdict: KeptVerdict): Step {
  const names = COLUMNS.split(", ");
  const { scheduleId, judged, holdsUntil, state, planSource, details, ...counted } = verdict;
  const { lastSuccess, nextDue, overdue, failing } = counted;
  return {
    text: `INSERT INTO verdicts (${COLUMNS}) VALUES (${names.map(() => "?").join(", ")}) ` +
      "ON CONFLICT (schedule_id) DO UPDATE SET " +
      names.slice(1).map((name) => `${name} = excluded.${name}`).join(", "),
    values: [
      scheduleId,
      judged,
      holdsUntil,
      state,
      planSource,
      lastSuccess,
      nextDue,
      overdue,
      failing,
      JSON.stringify(details),
    ],
  };
}
