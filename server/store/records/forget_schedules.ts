import type { TransactionStep } from "../engine.ts";
import { amongIds } from "../sql.ts";

/**
 * Removes these schedules from the records: watches, verdicts, incidents and their messages. Without
 * any other watch, also the incidents of the service.
 */
export function forgetSchedules(ids: readonly number[]): readonly TransactionStep[] {
  const among = amongIds("schedule_id", ids);
  const about = `SELECT id FROM incidents WHERE ${among} ` +
    "OR schedule_id IS NULL AND NOT EXISTS (SELECT 1 FROM watches)";
  return [
    `DELETE FROM known_schedules WHERE ${among}`,
    `DELETE FROM incident_events WHERE incident_id IN (${about})`,
    `DELETE FROM deliveries WHERE incident_id IN (${about})`,
    `DELETE FROM incidents WHERE id IN (${about})`,
    ...["watch_events", "id_answers", "verdicts"].map((table) =>
      `DELETE FROM ${table} WHERE ${among}`
    ),
  ].map((text) => ({ text, values: [] }));
}
