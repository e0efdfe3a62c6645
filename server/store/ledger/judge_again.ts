import type { TransactionStep } from "../engine.ts";
import type { Sql } from "../sql.ts";

/** Makes the schedules that meet a condition due, so that they are judged again. */
export function judgeAgain({ text, values }: Sql, now: number): TransactionStep[] {
  return [
    { text: `UPDATE verdicts SET holds_until = 0 WHERE ${text}`, values },
    { text: `UPDATE known_schedules SET due = ? WHERE ${text}`, values: [now, ...values] },
  ];
}
