import { setImmediate as turn } from "node:timers/promises";
import type { Backend, HistoryOptions } from "../../lib/client/backend.ts";
import { facetCounterOf, fileSetSearchOf, totalsOf } from "./search/search_file_sets.ts";
import { historyIssues, searchIssues, toHistoryRange } from "./search/validate.ts";
import { dataVersion } from "./data_version.ts";
import type { Batches, Changes, Engine, EngineChanges, Written } from "./engine.ts";
import { EMBEDDED } from "./ledger/source.ts";
import { versionSteps } from "./ledger/versions.ts";
import { timeOf } from "../../lib/runs/times.ts";
import { forgetSchedules } from "./records/forget_schedules.ts";
import { pollsOn } from "./records/polls.ts";
import { upsert } from "./records/table.ts";
import { tokensOf } from "./tokens.ts";
import type { ReportRun } from "../../lib/types.ts";
import { ProblemError } from "../http/problem.ts";
import { storedRunsOn } from "./ledger/stored_runs.ts";
import type { EndedSessions } from "../auth/sessions.ts";
import { placeholders } from "./sql.ts";

/** The embedded service: the two operations, and what the program and the tasks need. */
export type Store = ReturnType<typeof storeOn>;

export function storeOn(engine: Engine) {
  const totals = totalsOf(engine);
  const { history, ...runs } = runHistoryOf(engine);
  /** The two operations, answered with the JSON in the database. */
  const json = {
    fileSets: { search: fileSetSearchOf(engine, totals) },
    reportSchedules: { history },
  };
  const backend: Backend = {
    fileSets: { search: async (...args) => await parsed(await json.fileSets.search(...args)) },
    reportSchedules: {
      history: async (...args) => await parsed(await json.reportSchedules.history(...args)),
    },
  };
  return {
    ...backend,
    json,
    searchIssues,
    historyIssues,
    /** The facets of a search; null if counting would be too much work. */
    facets: facetCounterOf(engine, totals),
    ...runs,
    tokens: tokensOf(engine),
    endedSessions: endedSessionsOf(engine),
    countUse: engine.countUse,
    async isEmpty(): Promise<boolean> {
      const text = "SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM file_sets) " +
        "OR EXISTS (SELECT 1 FROM schedules)";
      return (await engine.rows(text)).length === 0;
    },
    /** Puts rows in one transaction; a row with the same key is replaced. */
    put: async (changes: Changes): Promise<Written> =>
      await engine.put(await prepared(engine, changes)),
    /** Puts each batch in one transaction, and then makes the schedules due for a poll. */
    async load(batches: Batches, onWritten?: (written: Written) => void): Promise<void> {
      const scheduleIds = new Set<number>();
      let [added, fileSets] = [0, 0];
      try {
        for await (const batch of batches) {
          await engine.duringLoad(fileSets);
          const changes = await prepared(engine, batch);
          const written = await engine.put(changes);
          for (const id of changes.schedules ?? []) scheduleIds.add(id);
          added += written.added;
          if (changes.fileSets?.length) fileSets += written.added;
          onWritten?.(written);
        }
      } finally {
        await engine.afterLoad(added, fileSets);
      }
      await pollsOn(engine).makeDue([...scheduleIds], Date.now());
    },
    /** Changes whenever any run changes, also through another process. */
    runsVersion: () => dataVersion(engine, "runs"),
    async metadata(name: string): Promise<string | undefined> {
      const rows = await engine.rows("SELECT value FROM metadata WHERE name = ?", [name]);
      return rows[0]?.[0] as string | undefined;
    },
    /** Removes every file set, schedule and run, and all metadata. */
    clear: engine.clear,
    /** The same, with what the records have of these schedules: watches, verdicts and incidents. */
    async clearWithRecords(): Promise<void> {
      const ids = (await engine.rows("SELECT id FROM schedules")).map(([id]) => id as number);
      await engine.clear();
      await engine.transact(forgetSchedules(ids));
    },
    close: engine.close,
    [Symbol.asyncDispose]: engine.close,
  };
}

/** Parses an answer after other requests had a turn, because SQLite answers synchronously. */
async function parsed<Value>(json: string): Promise<Value> {
  await turn();
  return JSON.parse(json);
}

/** Drops all but the last row with each key: PostgreSQL can't put a row twice in a statement. */
async function prepared(
  engine: Engine,
  { fileSets = [], schedules = [], runs = [], metadata }: Changes,
): Promise<EngineChanges> {
  const sets = new Map(fileSets.map((fileSet) => [fileSet.id, fileSet]));
  const read = runs.map(({ scheduleId, run }) => ({
    scheduleId,
    run,
    start: timeOf(run.startTime) ?? null,
  }));
  return {
    fileSets: [...sets.values()],
    schedules: [...new Set([...schedules, ...runs.map((entry) => entry.scheduleId)])],
    ...runs.length > 0 && { versions: await versionSteps(engine, EMBEDDED, read, Date.now()) },
    metadata,
  };
}

function runHistoryOf(engine: Engine) {
  const stored = storedRunsOn(engine, EMBEDDED);

  async function hasSchedule(id: number): Promise<boolean> {
    return (await engine.rows("SELECT id FROM schedules WHERE id = ?", [id])).length > 0;
  }

  async function rowsOf(scheduleId: number, limit: number, skip = 0): Promise<string[]> {
    const rows = await stored.newestTexts(scheduleId, limit, skip);
    if (rows.length === 0 && !await hasSchedule(scheduleId)) {
      throw new ProblemError(404, `There is no report schedule ${scheduleId}`);
    }
    return rows.map(({ text }) => text);
  }

  return {
    hasSchedule,
    async history(scheduleId: number, options: HistoryOptions = {}): Promise<string> {
      options.signal?.throwIfAborted();
      const { limit, skip } = toHistoryRange(options);
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

function endedSessionsOf(engine: Engine): EndedSessions {
  return {
    async add({ name, before, expires }, now) {
      await engine.transact([
        { text: "DELETE FROM ended_sessions WHERE expires < ?", values: [now] },
        upsert("ended_sessions", { name, before, expires }, "name"),
      ]);
    },

    async endedBefore(names) {
      const marks = placeholders(names);
      const text = `SELECT before FROM ended_sessions WHERE name IN (${marks})`;
      const rows = await engine.rows(text, names);
      return Math.max(-Infinity, ...rows.map(([before]) => Number(before)));
    },
  };
}
