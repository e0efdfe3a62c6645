/** The embedded service: the two operations over a database. */
import { setImmediate as turn } from "node:timers/promises";
import type { Backend, HistoryOptions, SearchOptions } from "../../lib/client/backend.ts";
import type { Facets } from "../../lib/search/facets.ts";
import type { SearchBody } from "../../lib/types.ts";
import { ProblemError, throwIfInvalid } from "../http/problem.ts";
import { type Answers, createAnswers, type JsonRows } from "./answers.ts";
import { DEADLINE_MS } from "./deadline.ts";
import { type FacetOptions, facetsOf } from "./search/facets.ts";
import { historyIssues, searchIssues, toHistoryRange, toSearchPlan } from "./search/validate.ts";
import { endedSessionsOf } from "./stored_ended_sessions.ts";
import type { Batches, Changes, Engine, JsonList, Written } from "./engine.ts";
import type { Limit } from "./limit.ts";
import { type RunPages, runPagesOf } from "./run_pages.ts";
import { tokensOf } from "./tokens.ts";
import { type Totals, totalsOf } from "./search/totals.ts";

/** The embedded service: the two operations, and what the program and the tasks need. */
export type Store = ReturnType<typeof storeOn>;

export function storeOn(engine: Engine) {
  const totals = totalsOf(engine);
  const answers = createAnswers();
  const pages = runPagesOf(engine);
  const json = {
    fileSets: {
      search: (body?: SearchBody, options?: SearchOptions): Promise<JsonRows> =>
        searchJson(engine, totals, answers, body, options),
    },
    reportSchedules: {
      history: (scheduleId: number, options?: HistoryOptions): Promise<JsonRows> =>
        historyJson(engine, pages, answers, scheduleId, options),
    },
  };
  const backend: Backend = {
    fileSets: { search: async (...args) => await parsed(json.fileSets.search(...args)) },
    reportSchedules: {
      history: async (...args) => await parsed(json.reportSchedules.history(...args)),
    },
  };
  return {
    ...backend,
    /** The two operations, each answered with the JSON that the database holds. */
    json,
    searchIssues,
    historyIssues,
    /**
     * The facets of a search, each counted over all file sets that meet the conditions on other
     * fields; null if counting would be too much work.
     */
    facets: (body: SearchBody, options: FacetOptions): Promise<Facets | null> =>
      facetsOf(engine, totals, answers, body, options),
    /** The developer tokens besides the one in the settings. */
    tokens: tokensOf(engine),
    /** The sessions that were ended early. */
    endedSessions: endedSessionsOf(engine),
    /** A limit of so many uses a minute for each key, which holds for all who share the database. */
    limit: (perMinute: number): Limit => engine.limit(perMinute),
    /** Whether there is neither a file set nor a schedule. */
    async isEmpty(): Promise<boolean> {
      const text = "SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM file_sets) " +
        "OR EXISTS (SELECT 1 FROM schedules)";
      return (await engine.rows(text)).length === 0;
    },
    /** Puts rows in one transaction; a row with the same key is replaced. */
    put: (changes: Changes): Promise<Written> => engine.put(lastOfEachKey(changes)),
    /** Puts batch after batch, each in one transaction, and yields what became of each. */
    load: (batches: Batches): AsyncIterable<Written> => engine.load(eachBatch(batches)),
    /** Changes whenever runs of a schedule change. A version never comes again. */
    runsVersion: (scheduleId: number): Promise<string> => engine.runsVersion(scheduleId),
    /** The text that is kept under a name, if there is one. */
    async note(name: string): Promise<string | undefined> {
      const rows = await engine.rows("SELECT value FROM notes WHERE name = ?", [name]);
      return rows[0]?.[0] as string | undefined;
    },
    /** Whether there is a schedule of that id, with or without runs. */
    hasSchedule: (id: number): Promise<boolean> => hasSchedule(engine, id),
    /** Removes every file set, schedule and run, and all notes about them. */
    clear: (): Promise<void> => engine.clear(),
    close: (): Promise<void> => engine.close(),
    [Symbol.asyncDispose]: (): Promise<void> => engine.close(),
  };
}

/**
 * The value of an answer. Others have their turn before: SQLite answers at once, so a walk through many
 * pages would keep everybody waiting.
 */
async function parsed<Value>(answer: Promise<JsonRows>): Promise<Value> {
  const { json } = await answer;
  await turn();
  return JSON.parse(json);
}

/** Of rows with the same key only the last: PostgreSQL can't put a row twice at once. */
function lastOfEachKey({ fileSets = [], schedules = [], runs = [], notes }: Changes): Changes {
  const sets = new Map(fileSets.map((fileSet) => [fileSet.id, fileSet]));
  const entries = new Map(runs.map((entry) => [`${entry.scheduleId}/${entry.run.id}`, entry]));
  return {
    fileSets: [...sets.values()],
    schedules: [...new Set([...schedules, ...runs.map((entry) => entry.scheduleId)])],
    runs: [...entries.values()],
    notes,
  };
}

async function* eachBatch(batches: Batches): AsyncGenerator<Changes> {
  for await (const batch of batches) yield lastOfEachKey(batch);
}

const NO_ROWS: JsonList = { json: "", count: 0 };

async function searchJson(
  engine: Engine,
  totals: Totals,
  answers: Answers,
  body: SearchBody = {},
  options: SearchOptions = {},
): Promise<JsonRows> {
  options.signal?.throwIfAborted();
  const { plan, issues } = toSearchPlan(body, options);
  throwIfInvalid(issues);
  const { limit, offset } = plan;
  const deadline = performance.now() + DEADLINE_MS;
  const version = await engine.dataVersion();
  return await answers(`file sets ${version} ${JSON.stringify(plan)}`, async (signal) => {
    const query = { signal, deadline };
    const { rows: total, isEstimate } = await totals(plan, query, version);
    signal.throwIfAborted();
    const rows = isEstimate || offset < total
      ? await engine.page(plan, { ...query, matching: total, version })
      : NO_ROWS;
    const end = offset + rows.count;
    const next = rows.count > 0 && (isEstimate || end < total) ? String(end) : "";
    const context = { next, offset, limit, [isEstimate ? "estimatedTotal" : "total"]: total };
    const pageContext = JSON.stringify(context);
    const json = `{"fileSets":[${rows.json}],"pageContext":${pageContext}}`;
    return { json, count: rows.count };
  }, options.signal);
}

async function historyJson(
  engine: Engine,
  pages: RunPages,
  answers: Answers,
  scheduleId: number,
  options: HistoryOptions = {},
): Promise<JsonRows> {
  options.signal?.throwIfAborted();
  const { limit, skip } = toHistoryRange(options);
  const version = await engine.runsVersion(scheduleId);
  return await answers(`runs ${version} ${scheduleId} ${limit} ${skip}`, async () => {
    const { json, count } = await pages(scheduleId, { limit, skip }, version);
    if (count === 0 && !await hasSchedule(engine, scheduleId)) {
      throw new ProblemError(404, `There is no report schedule ${scheduleId}`);
    }
    return { json: `[${json}]`, count };
  }, options.signal);
}

async function hasSchedule(engine: Engine, id: number): Promise<boolean> {
  return (await engine.rows("SELECT id FROM schedules WHERE id = ?", [id])).length > 0;
}
