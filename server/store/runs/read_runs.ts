/** Reads stored runs: those that the service still has. */
import type { Transaction } from "../database/database.ts";
import { ids, join, perSystem, type Sql, sql } from "../database/sql.ts";
import { exists, readColumn, readValue } from "../records/transaction_step.ts";
import { readVersion } from "./histories.ts";
import { MEMBERS, withRecipients } from "./lists.ts";
import type { WatchedRun } from "./store_runs.ts";

export interface StoredRunText {
  readonly id: number;
  /** Milliseconds since 1970; null if the start time can't be read. */
  readonly start: number | null;
  /** The run as it came, as JSON. */
  readonly text: string;
}

export function toRun({ id, start, text }: StoredRunText): WatchedRun {
  return { id, start, run: JSON.parse(text) };
}

const joinedForms = perSystem({
  sqlite: sql`group_concat(json, ',' ORDER BY place)`,
  postgresql: sql`string_agg(json, ',' ORDER BY place)`,
});

export function storedRunsOn(database: Pick<Transaction, "read">) {
  const current = (scheduleId: number) => sql`schedule_id = ${scheduleId} AND gone_at IS NULL`;

  /** The runs that meet a condition, newest first, without a start last; and lists as JSON, by id. */
  async function readRuns(condition: Sql) {
    // By one statement, as others may remove lists in between. Each list is a row of its own, without
    // an id: it may be long, and PostgreSQL may take seconds to join it to thousands of runs.
    const rows = await database.read<{
      readonly id: number | null;
      readonly start: number | null;
      readonly listId: number | null;
      readonly json: string;
    }>(
      sql`WITH found AS MATERIALIZED
          (SELECT run_id AS id, start, list_id, json FROM runs WHERE ${condition}),
        listed AS (SELECT DISTINCT list_id FROM found)
        SELECT id, start, list_id, json FROM found
        UNION ALL SELECT NULL, NULL, list_id, ${joinedForms} FROM listed
          JOIN ${MEMBERS} ON members.id = list_id JOIN forms ON forms.id = form_id GROUP BY list_id
        ORDER BY start DESC NULLS LAST, id`,
    );
    const { runs = [], lists = [] } = Object.groupBy(
      rows,
      ({ id }) => id === null ? "lists" : "runs",
    );
    return { runs, lists: new Map(lists.map(({ listId, json }) => [listId, `[${json}]`])) };
  }

  async function readTexts(condition: Sql): Promise<StoredRunText[]> {
    const { runs, lists } = await readRuns(condition);
    return runs.map(({ id, start, listId, json }) => ({
      ...{ id: id!, start },
      text: listId === null ? json : withRecipients(json, lists.get(listId) ?? "[]"),
    }));
  }

  const isNewest = (scheduleId: number, max: number, skip = 0) =>
    sql`${current(scheduleId)} ORDER BY start DESC NULLS LAST, run_id LIMIT ${max} OFFSET ${skip}`;

  const newestTexts = (
    scheduleId: number,
    max: number,
    { skip = 0 }: { readonly skip?: number } = {},
  ): Promise<StoredRunText[]> => readTexts(isNewest(scheduleId, max, skip));

  /** Runs with the same recipients share one list of them, as there may be thousands of runs. */
  async function newest(scheduleId: number, max: number): Promise<readonly WatchedRun[]> {
    const { runs, lists } = await readRuns(isNewest(scheduleId, max));
    const recipients = new Map([...lists].map(([id, text]) => [id, JSON.parse(text)]));
    return runs.map(({ id, start, listId, json }) => {
      const run = JSON.parse(json);
      if (listId !== null) run.recipients = recipients.get(listId) ?? [];
      return { id: id!, start, run };
    });
  }

  return {
    newestTexts,
    newest,
    /** Changes whenever any run changes, also through another process. */
    version: () => readVersion(database, "runs"),
    /** The runs with an id, of whatever schedules, newest first. */
    withId: (runId: number, max: number) =>
      database.read<{ scheduleId: number; start: number | null }>(
        sql`SELECT schedule_id, start FROM runs WHERE run_id = ${runId} AND gone_at IS NULL
          ORDER BY start DESC NULLS LAST, schedule_id LIMIT ${max}`,
      ),
    /** These runs, and so many that started before and after each of these times, newest first. */
    async around(
      scheduleId: number,
      { runIds, times, max }: {
        readonly runIds: readonly number[];
        readonly times: readonly number[];
        readonly max: number;
      },
    ): Promise<readonly WatchedRun[]> {
      const part = (condition: Sql, order: Sql = sql`start DESC`) =>
        sql`SELECT run_id FROM (SELECT run_id FROM runs WHERE ${current(scheduleId)}
          AND ${condition} ORDER BY ${order}, run_id LIMIT ${max}) AS part`;
      const parts = [
        // By the plus, SQLite finds them by their ids, instead of reading all runs in this order.
        part(sql`run_id IN ${ids(runIds)}`, sql`+start DESC`),
        ...times.flatMap((time) => [
          part(sql`start <= ${time}`),
          part(sql`start > ${time}`, sql`start`),
        ]),
      ];
      const texts = await readTexts(
        sql`${current(scheduleId)} AND run_id IN (${join(parts, " UNION ")})`,
      );
      return texts.map(toRun);
    },
    /** The newest runs, newest first: all since a time, but at least and at most so many. */
    textsSince: async (
      scheduleId: number,
      since: number,
      { least, most }: { readonly least: number; readonly most: number },
    ): Promise<StoredRunText[]> =>
      (await newestTexts(scheduleId, most))
        .filter(({ start }, at) => at < least || start !== null && start >= since),
    /** Which of these runs were first read since a time, including those that the service no longer has. */
    async known(
      scheduleId: number,
      runIds: readonly number[],
      since = 0,
    ): Promise<ReadonlySet<number>> {
      const known = sql`SELECT run_id FROM runs WHERE schedule_id = ${scheduleId}
        AND run_id IN ${ids(runIds)} AND read_at >= ${since}`;
      return new Set(await readColumn<number>(database, known));
    },
    /** When the first run since a time started, also one that was removed; null if there is none. */
    firstStart: (scheduleId: number, since: number): Promise<number | null> =>
      readValue(
        database,
        sql`SELECT min(first) FROM (SELECT min(start) AS first FROM runs
            WHERE ${current(scheduleId)} AND start >= ${since}
          UNION ALL SELECT first_start FROM histories
            WHERE schedule_id = ${scheduleId} AND first_start >= ${since}) AS starts`,
      ),
    count: (scheduleId: number): Promise<number> =>
      readValue(database, sql`SELECT count(*) FROM runs WHERE ${current(scheduleId)}`),
    /** Whether a run was added, changed or removed at this time or later. */
    anyChangedSince: (scheduleId: number, time: number): Promise<boolean> =>
      exists(database, sql`runs WHERE schedule_id = ${scheduleId} AND changed_at >= ${time}`),
  };
}
