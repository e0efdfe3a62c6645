/** The latest verdict on each watched schedule. */
import type { Engine, Step } from "../engine.ts";
import { insertInto, select, tableOf } from "./table.ts";
import type { KeptVerdict } from "./types.ts";

/** The verdicts of a database. */
export interface Verdicts {
  get(scheduleId: number): Promise<KeptVerdict | undefined>;
}

const VERDICTS = tableOf<KeptVerdict>("verdicts", {
  scheduleId: "value",
  judged: "value",
  holdsUntil: "value",
  state: "value",
  planSource: "value",
  lastSuccess: "value",
  nextDue: "value",
  overdue: "value",
  failing: "value",
  details: "json",
}, { details: "verdict" });

/** The verdicts in that database. */
export function verdictsOn(engine: Engine): Verdicts {
  return {
    get: async (scheduleId) =>
      (await select(engine, VERDICTS, "WHERE schedule_id = ?", [scheduleId]))[0],
  };
}

/** Replaces the previous verdict. */
export function putVerdict(verdict: KeptVerdict): Step {
  const columns = VERDICTS.toColumns(verdict);
  const sets = Object.keys(columns).map((name) => `${name} = excluded.${name}`).join(", ");
  return insertInto("verdicts", columns, `ON CONFLICT (schedule_id) DO UPDATE SET ${sets}`);
}

/** Has a schedule judged again where its settings changed during a look that ends with this due time. */
export function outdateIfChanged(scheduleId: number, due: number): Step {
  return {
    text: "UPDATE verdicts SET holds_until = 0 WHERE schedule_id = ? AND EXISTS " +
      "(SELECT 1 FROM watches WHERE schedule_id = ? AND due <> ?)",
    values: [scheduleId, scheduleId, due],
  };
}
