/** The latest verdict on each watched schedule. */
import type { ReasonOf } from "../../../lib/judgement/reason.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { amongIds, type Sql } from "../sql.ts";
import { recordsOf, select, update, upsert } from "./table.ts";
import type { EntryLag, StoredVerdict, StoredWatch } from "./types.ts";

const VERDICTS = recordsOf<StoredVerdict>(
  "verdicts",
  "schedule_id, judged, holds_until, state, headline, plan_source, last_success, next_due, " +
    "overdue, failing, strip, day, people, reached, details",
);

export interface UnknownVerdict {
  readonly scheduleId: number;
  readonly name: string;
  readonly reason: ReasonOf<"unknown-status">;
}

export function verdictsOn(engine: Engine) {
  return {
    list: (scheduleIds: readonly number[]): Promise<readonly StoredVerdict[]> =>
      select(engine, VERDICTS, `WHERE ${amongIds("schedule_id", scheduleIds)}`),
    get: async (scheduleId: number): Promise<StoredVerdict | undefined> =>
      (await select(engine, VERDICTS, "WHERE schedule_id = ?", [scheduleId]))[0],
    /** The watched schedules whose newest runs ended with a status that nobody knows. */
    async unknown(): Promise<readonly UnknownVerdict[]> {
      const rows = await engine.rows(
        "SELECT w.schedule_id, w.name, w.title, v.details FROM watches AS w " +
          "JOIN verdicts AS v ON v.schedule_id = w.schedule_id " +
          `WHERE v.details LIKE '%"unknown-status"%' ORDER BY w.schedule_id`,
      ) as [number, string, string, string][];
      return rows.flatMap(([scheduleId, name, title, text]) => {
        const details: StoredVerdict["details"] = JSON.parse(text);
        const reason = details.reasons.find((reason) => reason.code === "unknown-status");
        return reason
          ? [{ scheduleId, name: name || title || `Schedule ${scheduleId}`, reason }]
          : [];
      });
    },
  };
}

export function putVerdict(verdict: StoredVerdict): TransactionStep {
  return upsert("verdicts", { ...verdict }, "schedule_id");
}

/** The lag of a schedule of which none was observed. */
export const NO_LAG: EntryLag = { lag: null, observed: null, ignoredUntil: null };

/** Lets runs that started up to a time show no lag; the verdict stays as it is. */
export function ignoreRunsUntil(
  { scheduleId, details }: Pick<StoredVerdict, "scheduleId" | "details">,
  ignoredUntil: number,
): TransactionStep {
  const lag = { ...(details.lag ?? NO_LAG), ignoredUntil };
  return update("verdicts", { details: { ...details, lag } }, "WHERE schedule_id = ?", [
    scheduleId,
  ]);
}

export const VERDICT_SETTINGS = ["plan", "pauses"] as const;

/** Marks a verdict as outdated if one of these settings changed during the poll. */
export function outdateIfChanged(
  watch: Pick<StoredWatch, "scheduleId" | typeof VERDICT_SETTINGS[number]>,
): TransactionStep {
  const before = VERDICT_SETTINGS.map((name) => watch[name] && JSON.stringify(watch[name]));
  const isChanged = VERDICT_SETTINGS.map((name) => `${name} IS DISTINCT FROM ?`).join(" OR ");
  return {
    text: "UPDATE verdicts SET holds_until = 0 WHERE schedule_id = ? AND EXISTS " +
      `(SELECT 1 FROM known_schedules WHERE schedule_id = ? AND (${isChanged}))`,
    values: [watch.scheduleId, watch.scheduleId, ...before],
  };
}

/** Makes the schedules that meet a condition due, so that they are judged again. */
export function judgeAgain({ text, values }: Sql, now: number): TransactionStep[] {
  return [
    { text: `UPDATE verdicts SET holds_until = 0 WHERE ${text}`, values },
    { text: `UPDATE known_schedules SET due = ? WHERE ${text}`, values: [now, ...values] },
  ];
}
