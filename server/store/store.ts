/** The embedded service, on a database. */
import {
  type Backend,
  DEFAULT_LIMIT,
  type HistoryOptions,
  type SearchOptions,
} from "../../lib/client/backend.ts";
import type { FileSet, ReportRun, SearchInput } from "../../lib/types.ts";
import { ProblemError, throwIfInvalid } from "../http/problem.ts";
import type { Database, Transaction } from "./database/database.ts";
import { insert, sql, upsert } from "./database/sql.ts";
import { facetsOn, historyIssues, searchFileSets } from "./file_sets/search.ts";
import { type ChangedRows, clearFileSets, putFileSets } from "./file_sets/write.ts";
import { endedSessionsOn } from "./records/shared.ts";
import { pollsOn } from "./records/polls.ts";
import { tokensOn } from "./records/tokens.ts";
import { emptyTables, exists, readColumn, readValue } from "./records/transaction_step.ts";
import { addMissing, forgetSchedules } from "./records/watches.ts";
import { lockRuns } from "./runs/histories.ts";
import { storedRunsOn } from "./runs/read_runs.ts";
import { clearRuns, storeRuns } from "./runs/store_runs.ts";
import { forgetSampleRecords } from "./sample/sample_records.ts";
import { STORIES } from "./sample/sample_runs.ts";
import { CONTENTS, type Contents } from "./schema/schema.ts";

/** Rows to put in one transaction; a row with the same key is replaced. */
export interface Changes {
  /** File sets; the key is the id. */
  readonly fileSets?: readonly FileSet[];
  /** Schedules that exist, also without any run. */
  readonly schedules?: readonly number[];
  /** Runs; the key is schedule and id. Schedules that don't exist yet are added. */
  readonly runs?: readonly { readonly scheduleId: number; readonly run: ReportRun }[];
  /** Schedules that an import makes known, without watching them; known ones keep their settings. */
  readonly known?: readonly number[];
  /** What the embedded service then has. */
  readonly contents?: Contents;
}

type Batches = Iterable<Changes> | AsyncIterable<Changes>;

/** The embedded service: the two operations, and what the program and the tasks need. */
export type Store = ReturnType<typeof storeOn>;

export function storeOn(database: Database) {
  const runs = storedRunsOn(database);

  /** @throws {ProblemError} With 404 if there is no such schedule */
  async function requireSchedule(id: number): Promise<void> {
    if (await exists(database, sql`schedules WHERE id = ${id}`)) return;
    throw new ProblemError(404, `There is no report schedule ${id}`);
  }

  /** The two operations, answered with the JSON in the database. */
  const json = {
    fileSets: {
      search: (body?: SearchInput, options?: SearchOptions) =>
        searchFileSets(database, body, options),
    },
    reportSchedules: {
      async history(id: number, options: HistoryOptions = {}): Promise<string> {
        throwIfInvalid(historyIssues(options));
        const { limit = DEFAULT_LIMIT, skip } = options;
        const texts = await runs.newestTexts(id, limit, { skip });
        if (texts.length === 0) await requireSchedule(id);
        return `[${texts.map(({ text }) => text).join(",")}]`;
      },
    },
  };
  const backend: Backend = {
    fileSets: { search: async (...args) => JSON.parse(await json.fileSets.search(...args)) },
    reportSchedules: {
      history: async (...args) => JSON.parse(await json.reportSchedules.history(...args)),
    },
  };
  return {
    ...backend,
    json,
    /** The facets of a search; null if counting would be too much work. */
    facets: facetsOn(database),
    requireSchedule,
    runs,
    tokens: tokensOn(database),
    endedSessions: endedSessionsOn(database),
    isEmpty: async (): Promise<boolean> =>
      !await exists(database, sql`file_sets`) && !await exists(database, sql`schedules`),
    /** What it has; undefined if it is new. */
    contents: (): Promise<Contents | undefined> =>
      readValue(database, sql`SELECT value FROM metadata WHERE name = ${CONTENTS}`),
    /** Puts rows in one transaction; a row with the same key is replaced. */
    put: (changes: Changes): Promise<ChangedRows> => put(database, changes),
    /** Puts each batch in one transaction, and then makes the schedules due for a poll. */
    async load(batches: Batches, onPut?: (changed: ChangedRows) => void): Promise<void> {
      const scheduleIds = new Set<number>();
      for await (const batch of batches) {
        const changed = await put(database, batch);
        for (const id of scheduleIdsIn(batch)) scheduleIds.add(id);
        onPut?.(changed);
      }
      await pollsOn(database).makeDue([...scheduleIds], Date.now());
    },
    /** Removes every file set, schedule and run, and all metadata. */
    clear: (): Promise<void> => database.transaction(clear),
    /**
     * The same, with what the records have of these schedules: watches, verdicts and incidents; and
     * with what came with the sample.
     */
    clearWithRecords: (): Promise<void> =>
      database.transaction(async (transaction) => {
        const schedules = await readColumn<number>(transaction, sql`SELECT id FROM schedules`);
        await clear(transaction);
        // Those of the sample may be watched though a smaller sample has replaced it.
        const sample = STORIES.map(({ scheduleId }) => scheduleId);
        await forgetSchedules(transaction, [...schedules, ...sample]);
        await forgetSampleRecords(transaction);
      }),
    close: database.close,
    [Symbol.asyncDispose]: database.close,
  };
}

async function clear(transaction: Transaction): Promise<void> {
  await clearRuns(transaction);
  await clearFileSets(transaction);
  await emptyTables(transaction, ["schedules", "metadata", "verdicts"]);
}

function scheduleIdsIn({ schedules = [], runs = [] }: Changes): readonly number[] {
  return [...new Set([...schedules, ...runs.map(({ scheduleId }) => scheduleId)])];
}

async function put(database: Database, changes: Changes): Promise<ChangedRows> {
  const { fileSets = [], runs = [], known = [], contents } = changes;
  return await database.transaction(async (transaction) => {
    // First, as in polls, so that none waits for the other.
    await lockRuns(transaction);
    const now = Date.now();
    await addMissing(transaction, known, { source: "import", now });
    const stored = await storeRuns(transaction, runs, now);
    const sets = await putFileSets(transaction, fileSets);
    const ids = scheduleIdsIn(changes).map((id) => ({ id }));
    if (ids.length > 0) {
      await transaction.write(sql`${insert("schedules", ids)} ON CONFLICT DO NOTHING`);
    }
    if (contents) {
      await transaction.write(upsert("metadata", [{ name: CONTENTS, value: contents }], ["name"]));
    }
    return { added: sets.added + stored.added, changed: sets.changed + stored.changed };
  });
}
