/** Reads stored runs: those that the service still has. */
import type { Transaction } from "../database/database.ts";
import { ids, type Sql, sql } from "../database/sql.ts";
import { exists, readValue } from "../records/transaction_step.ts";
import { withRecipients } from "./lists.ts";
import type { WatchedRun } from "./store_runs.ts";

export interface StoredRunText {
  readonly id: number;
  /** Milliseconds since 1970; null if the start time can't be read. */
  readonly start: number | null;
  /** The run as it came, as JSON. */
  readonly text: string;
}

interface StoredRun {
  readonly runId: number;
  readonly start: number | null;
  readonly listId: number | null;
  readonly json: string;
}

/** How often runs are read while others remove lists. */
const MAX_ATTEMPTS = 5;

export function toRun({ id, start, text }: StoredRunText): WatchedRun {
  return { id, start, run: JSON.parse(text) };
}

export function storedRunsOn(database: Pick<Transaction, "read">) {
  const current = (scheduleId: number) => sql`schedule_id = ${scheduleId} AND gone_at IS NULL`;

  async function readTexts(read: () => Promise<readonly StoredRun[]>): Promise<StoredRunText[]> {
    const { runs, lists } = await readWithLists(read);
    return runs.map(({ runId, start, listId, json }) => ({
      id: runId,
      start,
      text: listId === null ? json : withRecipients(json, lists.get(listId)!),
    }));
  }

  /** The newest runs, newest first; those without a start are last. */
  const readNewest = (scheduleId: number, max: number, skip = 0) =>
    database.read<StoredRun>(
      sql`SELECT run_id, start, list_id, json FROM runs WHERE ${current(scheduleId)}
        ORDER BY start DESC NULLS LAST, run_id LIMIT ${max} OFFSET ${skip}`,
    );

  const newestTexts = async (
    scheduleId: number,
    max: number,
    { skip = 0 }: { readonly skip?: number } = {},
  ): Promise<StoredRunText[]> => await readTexts(() => readNewest(scheduleId, max, skip));

  /** Runs with the same recipients share one list of them, as there may be thousands of runs. */
  async function newest(scheduleId: number, max: number): Promise<readonly WatchedRun[]> {
    const { runs, lists: texts } = await readWithLists(() => readNewest(scheduleId, max));
    const lists = new Map([...texts].map(([id, text]) => [id, JSON.parse(text)]));
    return runs.map(({ runId, start, listId, json }) => {
      const run = JSON.parse(json);
      if (listId !== null) run.recipients = lists.get(listId);
      return { id: runId, start, run };
    });
  }

  /** Reads runs, and their lists as JSON; both again if a list was removed in between. */
  async function readWithLists(read: () => Promise<readonly StoredRun[]>) {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const runs = await read();
      const lists = await readLists(runs.flatMap(({ listId }) => listId ?? []));
      if (runs.every(({ listId }) => listId === null || lists.has(listId))) return { runs, lists };
    }
    throw new Error("Lists of recipients are missing, or being removed");
  }

  /** Lists of recipients as JSON, in the order of the runs that list them. */
  async function readLists(listIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (listIds.length === 0) return new Map();
    const lists = await database.read<{ id: number; members: readonly number[] }>(
      sql`SELECT id, members FROM lists WHERE id IN ${ids([...new Set(listIds)])}`,
    );
    const formIds = [...new Set(lists.flatMap(({ members }) => members))];
    const forms = await database.read<{ id: number; json: string }>(
      sql`SELECT id, json FROM forms WHERE id IN ${ids(formIds)}`,
    );
    const jsonOf = new Map(forms.map(({ id, json }) => [id, json]));
    const toJson = (members: readonly number[]) =>
      `[${members.map((form) => jsonOf.get(form)).join(",")}]`;
    const whole = lists.filter(({ members }) => members.every((form) => jsonOf.has(form)));
    return new Map(whole.map(({ id, members }) => [id, toJson(members)]));
  }

  return {
    newestTexts,
    newest,
    /** Changes whenever any run changes, also through another process. */
    version: (): Promise<string> =>
      readValue(database, sql`SELECT version AS value FROM runs_version`),
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
        database.read<StoredRun>(
          sql`SELECT run_id, start, list_id, json FROM runs WHERE ${current(scheduleId)}
            AND ${condition} ORDER BY ${order}, run_id LIMIT ${max}`,
        );
      const texts = await readTexts(async () => {
        const parts = await Promise.all([
          // By the plus, SQLite finds them by their ids, instead of reading all runs in this order.
          part(sql`run_id IN ${ids(runIds)}`, sql`+start DESC`),
          ...times.flatMap((time) => [
            part(sql`start <= ${time}`),
            part(sql`start > ${time}`, sql`start`),
          ]),
        ]);
        const byId = new Map(parts.flat().map((run) => [run.runId, run]));
        return [...byId.values()].sort((a, b) => (b.start ?? 0) - (a.start ?? 0));
      });
      return texts.map(toRun);
    },
    /** The newest runs, newest first: all since a time, but at least and at most so many. */
    async textsSince(
      scheduleId: number,
      since: number,
      { least, most }: { readonly least: number; readonly most: number },
    ): Promise<StoredRunText[]> {
      const count = await readValue<number>(
        database,
        sql`SELECT count(*) AS value FROM runs
          WHERE ${current(scheduleId)} AND start >= ${since}`,
      );
      return newestTexts(scheduleId, Math.min(most, Math.max(least, count)));
    },
    /** Which of these runs are stored, including those that the service no longer has. */
    async known(scheduleId: number, runIds: readonly number[]): Promise<readonly number[]> {
      const rows = await database.read<{ runId: number }>(
        sql`SELECT run_id FROM runs WHERE schedule_id = ${scheduleId} AND run_id IN ${ids(runIds)}`,
      );
      return rows.map(({ runId }) => runId);
    },
    /** Which of these runs were first read at this time or later. */
    async addedSince(
      scheduleId: number,
      time: number,
      runIds: readonly number[],
    ): Promise<ReadonlySet<number>> {
      const rows = await database.read<{ runId: number }>(
        sql`SELECT run_id FROM runs WHERE schedule_id = ${scheduleId}
          AND run_id IN ${ids(runIds)} AND read_at >= ${time}`,
      );
      return new Set(rows.map(({ runId }) => runId));
    },
    /** When the first run since a time started, also one that was removed; null if there is none. */
    firstStart: (scheduleId: number, since: number): Promise<number | null> =>
      readValue(
        database,
        sql`SELECT min(first) AS value FROM (SELECT min(start) AS first FROM runs
            WHERE ${current(scheduleId)} AND start >= ${since}
          UNION ALL SELECT first_start FROM histories
            WHERE schedule_id = ${scheduleId} AND first_start >= ${since}) AS starts`,
      ),
    count: (scheduleId: number): Promise<number> =>
      readValue(database, sql`SELECT count(*) AS value FROM runs WHERE ${current(scheduleId)}`),
    /** Whether a run was added, changed or removed at this time or later. */
    anyChangedSince: (scheduleId: number, time: number): Promise<boolean> =>
      exists(database, sql`runs WHERE schedule_id = ${scheduleId} AND changed_at >= ${time}`),
  };
}
