import { setImmediate as turn } from "node:timers/promises";
import type { Backend, HistoryOptions, SearchOptions } from "../../lib/client/backend.ts";
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { historyIssues, searchIssues } from "./file_sets/read_search.ts";
import { countFacets, type FacetOptions, searchFileSets } from "./file_sets/search.ts";
import { clearFileSets, putFileSets } from "./file_sets/write.ts";
import type { Batches, ChangedRows, Changes } from "./changes.ts";
import type { Database } from "./database/database.ts";
import { countOn } from "./limit.ts";
import { timeOf } from "../../lib/runs/times.ts";
import { forgetSchedules } from "./records/watches.ts";
import { endedSessionsOn } from "./records/ended_sessions.ts";
import { pollsOn } from "./records/polls.ts";
import { tokensOn } from "./records/tokens.ts";
import type { ReportRun, SearchBody, SearchInput } from "../../lib/types.ts";
import { ProblemError, throwIfInvalid } from "../http/problem.ts";
import { storedRunsOn } from "./runs/read_runs.ts";
import { insert, name, perSystem, sql, upsert } from "./database/sql.ts";
import { clearRuns, storeRuns } from "./runs/store_runs.ts";

/** The embedded service: the two operations, and what the program and the tasks need. */
export type Store = ReturnType<typeof storeOn>;

const MANY_ROWS = 10_000;

/** Makes searches fast after many rows were added, which a database itself would do much later. */
const OPTIMIZE = perSystem({
  sqlite: sql`INSERT INTO file_set_trigrams (file_set_trigrams) VALUES ('optimize')`,
  postgresql: sql`VACUUM (ANALYZE) file_sets, file_set_json, runs`,
});

export function storeOn(database: Database) {
  const { history, ...runs } = runHistoryOf(database);
  /** The two operations, answered with the JSON in the database. */
  const json = {
    fileSets: {
      search: (body?: SearchInput, options?: SearchOptions) =>
        searchFileSets(database, body, options),
    },
    reportSchedules: { history },
  };
  const backend: Backend = {
    fileSets: { search: async (...args) => await parsed(await json.fileSets.search(...args)) },
    reportSchedules: {
      history: async (...args) => await parsed(await json.reportSchedules.history(...args)),
    },
  };
  const clear = (): Promise<void> =>
    database.transaction(async (transaction) => {
      await clearFileSets(transaction, database.system);
      await clearRuns(transaction);
      for (const table of ["schedules", "metadata", "verdicts"].map(name)) {
        await transaction.write(sql`DELETE FROM ${table}`);
      }
    });
  return {
    ...backend,
    json,
    searchIssues,
    historyIssues,
    /** The facets of a search; null if counting would be too much work. */
    facets: (body: SearchBody, options: FacetOptions) => countFacets(database, body, options),
    ...runs,
    tokens: tokensOn(database),
    endedSessions: endedSessionsOn(database),
    countUse: countOn(database),
    async isEmpty(): Promise<boolean> {
      const found = sql`SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM file_sets)
        OR EXISTS (SELECT 1 FROM schedules)`;
      return (await database.read(found)).length === 0;
    },
    /** Puts rows in one transaction; a row with the same key is replaced. */
    put: (changes: Changes): Promise<ChangedRows> => put(database, changes),
    /** Puts each batch in one transaction, and then makes the schedules due for a poll. */
    async load(batches: Batches, onChangedRows?: (written: ChangedRows) => void): Promise<void> {
      const scheduleIds = new Set<number>();
      let added = 0;
      try {
        for await (const batch of batches) {
          const written = await put(database, batch);
          for (const id of scheduleIdsIn(batch)) scheduleIds.add(id);
          added += written.added;
          onChangedRows?.(written);
        }
      } finally {
        if (added >= MANY_ROWS) await database.maintain(OPTIMIZE);
      }
      await pollsOn(database).makeDue([...scheduleIds], Date.now());
    },
    /** Changes whenever any run changes, also through another process. */
    async runsVersion(): Promise<string> {
      const [{ version }] = await database.read<{ version: string }>(
        sql`SELECT version FROM data_versions WHERE topic = 'runs'`,
      );
      return version;
    },
    async metadata(name: string): Promise<string | undefined> {
      const [row] = await database.read<{ value: string }>(
        sql`SELECT value FROM metadata WHERE name = ${name}`,
      );
      return row?.value;
    },
    /** Removes every file set, schedule and run, and all metadata. */
    clear,
    /** The same, with what the records have of these schedules: watches, verdicts and incidents. */
    async clearWithRecords(): Promise<void> {
      const schedules = await database.read<{ id: number }>(sql`SELECT id FROM schedules`);
      const ids = schedules.map(({ id }) => id);
      await clear();
      await database.transaction((transaction) => forgetSchedules(transaction, ids));
    },
    close: database.close,
    [Symbol.asyncDispose]: database.close,
  };
}

/** Parses an answer after other requests had a turn, because SQLite answers synchronously. */
async function parsed<Value>(json: string): Promise<Value> {
  await turn();
  return JSON.parse(json);
}

function scheduleIdsIn({ schedules = [], runs = [] }: Changes): readonly number[] {
  return [...new Set([...schedules, ...runs.map(({ scheduleId }) => scheduleId)])];
}

async function put(database: Database, changes: Changes): Promise<ChangedRows> {
  const { fileSets = [], runs = [], metadata = {} } = changes;
  const read = runs.map(({ scheduleId, run }) => ({
    scheduleId,
    run,
    start: timeOf(run.startTime) ?? null,
  }));
  return await database.transaction(async (transaction) => {
    const sets = await putFileSets(transaction, database.system, fileSets);
    const stored = await storeRuns(transaction, read, Date.now());
    const ids = scheduleIdsIn(changes).map((id) => ({ id }));
    if (ids.length > 0) {
      await transaction.write(sql`${insert("schedules", ids)} ON CONFLICT DO NOTHING`);
    }
    for (const [name, value] of Object.entries(metadata)) {
      await transaction.write(
        value === null
          ? sql`DELETE FROM metadata WHERE name = ${name}`
          : upsert("metadata", [{ name, value }], ["name"]),
      );
    }
    return { added: sets.added + stored.added, changed: sets.changed + stored.changed };
  });
}

function runHistoryOf(database: Database) {
  const stored = storedRunsOn(database);

  async function hasSchedule(id: number): Promise<boolean> {
    return (await database.read(sql`SELECT id FROM schedules WHERE id = ${id}`)).length > 0;
  }

  async function rowsOf(scheduleId: number, limit: number, skip = 0): Promise<string[]> {
    const rows = await stored.newestTexts(scheduleId, limit, { skip });
    if (rows.length === 0 && !await hasSchedule(scheduleId)) {
      throw new ProblemError(404, `There is no report schedule ${scheduleId}`);
    }
    return rows.map(({ text }) => text);
  }

  return {
    hasSchedule,
    async history(scheduleId: number, options: HistoryOptions = {}): Promise<string> {
      options.signal?.throwIfAborted();
      throwIfInvalid(historyIssues(options));
      const { limit = DEFAULT_LIMIT, skip } = options;
      return `[${(await rowsOf(scheduleId, limit, skip)).join(",")}]`;
    },
    /** The newest runs, and whether there are older ones; throws a 404 if there is no such schedule. */
    async newestRuns(
      scheduleId: number,
      max: number,
    ): Promise<{ readonly runs: readonly ReportRun[]; readonly hasOlder: boolean }> {
      const rows = await rowsOf(scheduleId, max + 1);
      const runs = rows.slice(0, max).map((json): ReportRun => JSON.parse(json));
      return { runs, hasOlder: rows.length > max };
    },
  };
}
