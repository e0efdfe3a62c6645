/** Searches for schedules by id, and the service's answers. */
import type { Database } from "../database/database.ts";
import { insert, set, type Sql, sql, upsert } from "../database/sql.ts";
import { commit, type TransactionStep, write } from "./transaction_step.ts";

/** `never-ran`: the answer has no runs; `failed`: the service did not answer. */
export type IdAnswer = "exists" | "never-ran" | "missing" | "forbidden" | "failed";

type AnswerCounts = Readonly<Record<IdAnswer, number>>;

/** A search that requests each id of a range; times are milliseconds since 1970. */
export interface IdSearch {
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
  /** The counts at its end; null before. */
  readonly answers: AnswerCounts | null;
}

export interface CountedSearch extends IdSearch {
  readonly answers: AnswerCounts;
}

const NEW = { pausedUntil: 0, failed: 0 };

export function idSearchesOn(database: Database) {
  /** The latest search of each range, newest first. */
  const stored = (): Promise<readonly IdSearch[]> =>
    database.read(
      sql`SELECT first_id AS "from", last_id AS "to", next_id AS next, rate, started,
          ended, stopped, paused_until, answers_empty, failed, answers
        FROM id_searches ORDER BY started DESC, first_id`,
    );
  async function count(search: IdSearch): Promise<AnswerCounts> {
    const counts = { exists: 0, "never-ran": 0, missing: 0, forbidden: 0, failed: 0 };
    const rows = await database.read<{ answer: IdAnswer; ids: number }>(
      sql`SELECT answer, count(*) AS ids FROM id_answers WHERE ${
        isAnswered(search)
      } GROUP BY answer`,
    );
    for (const { answer, ids } of rows) counts[answer] = ids;
    return counts;
  }
  return {
    stored,
    /** The stored searches with their counts. */
    searches: async (): Promise<readonly CountedSearch[]> =>
      await Promise.all(
        (await stored()).map(async (search) => ({
          ...search,
          answers: search.answers ?? await count(search),
        })),
      ),
    open: async (): Promise<IdSearch | undefined> =>
      (await stored()).find(({ ended, stopped }) => ended === null && stopped === null),
    count,
    /** Starts a search, which replaces an earlier one of the same range. */
    async begin(search: Pick<IdSearch, "from" | "to" | "rate" | "started">): Promise<void> {
      const { from: firstId, to: lastId, rate, started } = search;
      await commit(database, [
        write(sql`DELETE FROM id_searches WHERE first_id = ${firstId} AND last_id = ${lastId}`),
        write(insert("id_searches", [{ ...NEW, firstId, lastId, nextId: firstId, rate, started }])),
      ]);
    },
    /** Changes a search except its range and next id, unless a person has changed it meanwhile. */
    async change(
      search: IdSearch,
      changes: Partial<Omit<IdSearch, "from" | "to" | "next">>,
    ): Promise<void> {
      const { rate, stopped, failed } = search;
      await database.write(
        sql`UPDATE id_searches SET ${set({ failed, ...changes })} WHERE ${isSame(search)}
          AND rate = ${rate} AND stopped IS NOT DISTINCT FROM ${stopped}`,
      );
    },
    async record(search: IdSearch, scheduleId: number, answer: IdAnswer, requested: number) {
      const answered = upsert("id_answers", [{ scheduleId, requested, answer }], ["schedule_id"]);
      await commit(database, [write(answered), setNext(search, scheduleId + 1)]);
    },
    /** Lets the ids from `next` on be requested again. */
    async rewind(search: IdSearch, next: number): Promise<void> {
      await commit(database, [
        write(sql`DELETE FROM id_answers WHERE ${isAnswered(search)} AND schedule_id >= ${next}`),
        setNext(search, next),
      ]);
    },
  };
}

function isSame({ from, to, started }: IdSearch): Sql {
  return sql`first_id = ${from} AND last_id = ${to} AND started = ${started}`;
}

function isAnswered({ from, to, started }: IdSearch): Sql {
  return sql`id_answers.schedule_id >= ${from} AND id_answers.schedule_id <= ${to}
    AND requested >= ${started}`;
}

function setNext(search: IdSearch, next: number): TransactionStep {
  return write(sql`UPDATE id_searches SET next_id = ${next} WHERE ${isSame(search)}`);
}
