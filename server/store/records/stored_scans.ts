/** Scans for schedules by id, and the service's answers. */
import type { Database } from "../database/database.ts";
import { insert, set, type Sql, sql, upsert } from "../database/sql.ts";
import { commit, type TransactionStep, write } from "./transaction_step.ts";

/** `never-ran`: the answer has no runs; `failed`: the service did not answer. */
export type IdAnswer = "exists" | "never-ran" | "missing" | "forbidden" | "failed";

type AnswerCounts = Readonly<Record<IdAnswer, number>>;

/** A scan requests each id of a range; times are milliseconds since 1970. */
export interface Scan {
  readonly from: number;
  readonly to: number;
  readonly next: number;
  /** Ids per second. */
  readonly rate: number;
  readonly started: number;
  readonly ended: number | null;
  /** Why it stopped early; null if it did not. */
  readonly stopped: string | null;
  /** The end of a pause that the service demanded; 0 for none. */
  readonly pausedUntil: number;
  /** Whether the service returns an empty list for unknown ids; null if that is not known. */
  readonly answersEmpty: boolean | null;
  /** How many ids in a row failed. */
  readonly failed: number;
  /** The counts at its end, as each page shows them and a range may be long; null before. */
  readonly answers: AnswerCounts | null;
}

export interface CountedScan extends Scan {
  readonly answers: AnswerCounts;
}

const NEW = { pausedUntil: 0, failed: 0 };

export function scansOn(database: Database) {
  /** The latest scan of each range, newest first. */
  const stored = (): Promise<readonly Scan[]> =>
    database.read(
      sql`SELECT first_id AS "from", last_id AS "to", next_id AS next, rate, started,
          ended, stopped, paused_until, answers_empty, failed, answers
        FROM scans ORDER BY started DESC, first_id`,
    );
  async function count(scan: Scan): Promise<AnswerCounts> {
    const counts = { exists: 0, "never-ran": 0, missing: 0, forbidden: 0, failed: 0 };
    const rows = await database.read<{ answer: IdAnswer; ids: number }>(
      sql`SELECT answer, count(*) AS ids FROM id_answers WHERE ${isAnswered(scan)} GROUP BY answer`,
    );
    for (const { answer, ids } of rows) counts[answer] = ids;
    return counts;
  }
  return {
    stored,
    /** The stored scans with the counts of their answers. */
    counted: async (): Promise<readonly CountedScan[]> =>
      await Promise.all(
        (await stored()).map(async (scan) => ({
          ...scan,
          answers: scan.answers ?? await count(scan),
        })),
      ),
    count,
    open: async (): Promise<Scan | undefined> =>
      (await stored()).find(({ ended, stopped }) => ended === null && stopped === null),
    /** Starts a scan, which replaces an earlier one of the same range. */
    async begin(scan: Pick<Scan, "from" | "to" | "rate" | "started">): Promise<void> {
      const { from: firstId, to: lastId, rate, started } = scan;
      await commit(database, [
        write(sql`DELETE FROM scans WHERE first_id = ${firstId} AND last_id = ${lastId}`),
        write(insert("scans", [{ ...NEW, firstId, lastId, nextId: firstId, rate, started }])),
      ]);
    },
    /** Changes a scan except its range and next id, unless it ended or a person changed it meanwhile. */
    async change(
      scan: Scan,
      changes: Partial<Omit<Scan, "from" | "to" | "next">>,
    ): Promise<void> {
      const { rate, stopped, failed } = scan;
      await database.write(
        sql`UPDATE scans SET ${set({ failed, ...changes })} WHERE ${isThisScan(scan)}
          AND ended IS NULL AND rate = ${rate} AND stopped IS NOT DISTINCT FROM ${stopped}`,
      );
    },
    async record(scan: Scan, scheduleId: number, answer: IdAnswer, requested: number) {
      const answered = upsert("id_answers", [{ scheduleId, requested, answer }], ["schedule_id"]);
      await commit(database, [write(answered), setNext(scan, scheduleId + 1)]);
    },
    /** Lets the ids from `next` on be requested again. */
    async rewind(scan: Scan, next: number): Promise<void> {
      await commit(database, [
        write(sql`DELETE FROM id_answers WHERE ${isAnswered(scan)} AND schedule_id >= ${next}`),
        setNext(scan, next),
      ]);
    },
  };
}

function isThisScan({ from, to, started }: Scan): Sql {
  return sql`first_id = ${from} AND last_id = ${to} AND started = ${started}`;
}

function isAnswered({ from, to, started }: Scan): Sql {
  return sql`id_answers.schedule_id >= ${from} AND id_answers.schedule_id <= ${to}
    AND requested >= ${started}`;
}

function setNext(scan: Scan, next: number): TransactionStep {
  return write(sql`UPDATE scans SET next_id = ${next} WHERE ${isThisScan(scan)}`);
}
