/** Counts who received which schedules and when, from the latest versions of good runs. */
import { setImmediate as turn } from "node:timers/promises";
import { meaningOf } from "../../../lib/runs/status.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { statusesOn } from "../records/statuses.ts";
import { placeholders } from "../sql.ts";
import { inChunks } from "./chunks.ts";
import { NO_START } from "./run_parts.ts";
import type { LedgerSource } from "./source.ts";

const ROWS_AT_ONCE = 200;

interface Receipt {
  recipient: number;
  set: number;
  first: number;
  last: number;
  runs: number;
}

export function receiptsOn(engine: Engine, source: LedgerSource) {
  const statuses = statusesOn(engine.database, source);

  /** The good runs of a schedule: their condition, their recipient sets and their statuses. */
  async function goodRuns(scheduleId: number) {
    const where = "FROM run_versions WHERE source = ? AND schedule_id = ? AND replaced = 0 " +
      "AND set_id IS NOT NULL AND start_time <> ?";
    const values = [source, scheduleId, NO_START];
    const dictionary = await statuses.dictionary();
    const rows = await engine.rows(
      `SELECT set_id, status, min(start_time), max(start_time), count(*) ${where} ` +
        "GROUP BY set_id, status",
      values,
    ) as [number, string | null, number, number, number][];
    const sets = rows.filter(([, status]) => meaningOf(status, dictionary) === "good");
    return { where, values, sets, statuses: [...new Set(sets.map(([, status]) => status))] };
  }

  async function receiptsOf(
    scheduleId: number,
    { where, values, sets, statuses }: Awaited<ReturnType<typeof goodRuns>>,
  ) {
    if (sets.length === 0) return [];
    const [[latest]] = await engine.rows(
      `SELECT set_id ${where} AND status IN (${placeholders(statuses)}) ` +
        "ORDER BY start_time DESC, id DESC LIMIT 1",
      [...values, ...statuses],
    );
    const receipts = new Map<number, Receipt>();
    const receiving = new Set<number>();
    for (const chunk of inChunks(new Set(sets.map(([set]) => set)), 100)) {
      const people = await peopleIn(chunk);
      for (const [set, , first, last, runs] of sets) {
        for (const [person, recipient] of people.get(set) ?? []) {
          if (set === latest) receiving.add(person);
          const receipt = receipts.get(person);
          if (!receipt) {
            receipts.set(person, { recipient, set, first, last, runs });
            continue;
          }
          if (last > receipt.last || last === receipt.last && set > receipt.set) {
            receipt.recipient = recipient;
            receipt.set = set;
          }
          receipt.first = Math.min(receipt.first, first);
          receipt.last = Math.max(receipt.last, last);
          receipt.runs += runs;
        }
      }
      await turn();
    }
    const firstStart = sets.reduce((least, [, , first]) => Math.min(least, first), Infinity);
    return [...receipts].map(([person, { recipient, first, last, runs }]) => [
      source,
      scheduleId,
      person,
      recipient,
      first,
      last,
      runs,
      receiving.has(person) ? 1 : 0,
      first === firstStart ? 1 : 0,
    ]);
  }

  /** How many runs have each status. The newest one may still be going if it has none. */
  async function statusesOf(scheduleId: number): Promise<(string | number)[][]> {
    const where = "FROM run_versions WHERE source = ? AND schedule_id = ? AND replaced = 0";
    const rows = await engine.rows(
      `SELECT coalesce(status, ''), count(*) ${where} GROUP BY coalesce(status, '')`,
      [source, scheduleId],
    ) as [string, number][];
    const [[newest] = [""]] = await engine.rows(
      `SELECT status ${where} ORDER BY start_time DESC, id DESC LIMIT 1`,
      [source, scheduleId],
    );
    return rows.map(([status, runs]) => [status, runs - (status || newest ? 0 : 1)] as const)
      .filter(([, runs]) => runs > 0)
      .map(([status, runs]) => [source, scheduleId, status, runs]);
  }

  async function peopleIn(sets: readonly number[]) {
    const rows = await engine.rows(
      "SELECT set_id, person_id, recipients.id FROM recipient_set_members AS members " +
        "JOIN recipients ON recipients.id = members.recipient_id " +
        `WHERE set_id IN (${placeholders(sets)}) AND person_id IS NOT NULL ` +
        "ORDER BY set_id, position DESC",
      sets,
    ) as [number, number, number][];
    const people = new Map<number, Map<number, number>>();
    for (const [set, person, recipient] of rows) {
      if (!people.has(set)) people.set(set, new Map());
      people.get(set)!.set(person, recipient);
    }
    return people;
  }

  /** Closes a worklist entry with the first good run after the last one that listed the person. */
  async function closeDecisions(
    scheduleId: number,
    { where, values, statuses }: Awaited<ReturnType<typeof goodRuns>>,
  ): Promise<void> {
    const entries = await engine.rows(
      "SELECT entry.id, entry.closed, CASE WHEN last > at THEN last ELSE at END " +
        "FROM recipient_decisions AS entry LEFT JOIN receipts ON receipts.source = entry.source " +
        "AND receipts.schedule_id = entry.schedule_id AND receipts.person_id = entry.person_id " +
        "WHERE entry.source = ? AND entry.schedule_id = ? AND expected = 0 AND ended IS NULL " +
        "AND (closed IS NULL OR last > closed)",
      [source, scheduleId],
    ) as [number, number | null, number][];
    for (const [id, closed, after] of statuses.length > 0 ? entries : []) {
      const [proof = [null, null]] = await engine.rows(
        `SELECT id, start_time ${where} AND status IN (${placeholders(statuses)}) ` +
          "AND start_time > ? ORDER BY start_time, id LIMIT 1",
        [...values, ...statuses, after],
      ) as [number | null, number | null][];
      if (proof[1] === closed) continue;
      const text = "UPDATE recipient_decisions SET closed_run = ?, closed = ? WHERE id = ?";
      await engine.rows(text, [...proof, id]);
    }
  }

  return {
    async count(scheduleId: number): Promise<void> {
      const key = [source, scheduleId];
      const [[changes] = [null]] = await engine.rows(
        "SELECT changes FROM uncounted_schedules WHERE source = ? AND schedule_id = ?",
        key,
      );
      const before = await engine.rows(
        "SELECT person_id FROM receipts WHERE source = ? AND schedule_id = ?",
        key,
      );
      const good = await goodRuns(scheduleId);
      const seen = await statusesOf(scheduleId);
      const rows = await receiptsOf(scheduleId, good);
      const people = new Set([...before.map(([id]) => id as number), ...rows.map((row) => row[2])]);
      await engine.transact([
        ...["receipts", "seen_statuses"].map((table) => ({
          text: `DELETE FROM ${table} WHERE source = ? AND schedule_id = ?`,
          values: key,
        })),
        ...inChunks(seen, ROWS_AT_ONCE).map((chunk) => ({
          text: `INSERT INTO seen_statuses VALUES ${
            chunk.map((row) => `(${placeholders(row)})`).join(", ")
          } ON CONFLICT DO NOTHING`,
          values: chunk.flat(),
        })),
        ...inChunks(rows, ROWS_AT_ONCE).map((chunk) => ({
          text: `INSERT INTO receipts VALUES ${
            chunk.map((row) => `(${placeholders(row)})`).join(", ")
          } ON CONFLICT DO NOTHING`,
          values: chunk.flat(),
        })),
        ...inChunks([...people].sort((a, b) => a - b), ROWS_AT_ONCE).flatMap(totalSteps),
        {
          // Unless the schedule changed meanwhile.
          text:
            "DELETE FROM uncounted_schedules WHERE source = ? AND schedule_id = ? AND changes = ?",
          values: [...key, changes as number | null],
        },
      ]);
      await closeDecisions(scheduleId, good);
    },
    /** Schedules that are not counted yet, or have to be counted again. */
    async uncounted(max = Number.MAX_SAFE_INTEGER): Promise<readonly number[]> {
      const text =
        "SELECT schedule_id FROM uncounted_schedules WHERE source = ? ORDER BY schedule_id LIMIT ?";
      return (await engine.rows(text, [source, max])).map(([id]) => id as number);
    },
  };
}

function totalSteps(people: readonly number[]): TransactionStep[] {
  const which = `WHERE id IN (${placeholders(people)})`;
  const from = (expression: string, rest = "") =>
    `(SELECT ${expression} FROM receipts WHERE person_id = people.id${rest})`;
  return [
    {
      text: `UPDATE people SET first = ${from("min(first)")}, last = ${from("max(last)")}, ` +
        `added = ${from("max(first)", " AND from_start = 0")}, schedules = ${from("count(*)")}, ` +
        `receiving = ${from("coalesce(sum(receiving), 0)")}, recipient_id = ` +
        `${from("recipient_id", " ORDER BY last DESC, schedule_id LIMIT 1")} ${which}`,
      values: people,
    },
    leftStep(people),
    {
      text: "UPDATE people SET domain = " +
        `(SELECT domain FROM recipients WHERE id = people.recipient_id) ${which}`,
      values: people,
    },
  ];
}

export function leftStep(people: readonly number[]): TransactionStep {
  const left = (column: string) =>
    `(SELECT min(left_at) FROM leavers JOIN recipients ON recipients.${column} = ` +
    `leavers.${column} WHERE recipients.person_id = people.id)`;
  return {
    text: `UPDATE people SET left_at = coalesce(${left("user_id")}, ${left("address")}) ` +
      `WHERE id IN (${placeholders(people)})`,
    values: people,
  };
}
