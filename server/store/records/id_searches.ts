/** Searches for schedules by id, and the service's answers. */
import type { Engine } from "../engine.ts";
import type { Sql } from "../sql.ts";
import { upsert } from "./table.ts";
import { setShared, sharedValuesOn } from "./values.ts";

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
  /** How long an id took in the latest turn. */
  readonly msPerId?: number;
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
  readonly answers?: AnswerCounts;
}

export interface CountedSearch extends IdSearch {
  readonly answers: AnswerCounts;
}

const PREFIX = "id-search/";
const nameOf = ({ from, to }: Pick<IdSearch, "from" | "to">) => `${PREFIX}${from}-${to}`;
/** The stored text; `next` is stored as a number beside it. */
const textOf = ({ next: _, ...search }: IdSearch) => JSON.stringify(search);
export const MAX_LISTED = 1000;
const WHERE = "WHERE schedule_id >= ? AND schedule_id <= ? AND requested >= ?";
const valuesOf = ({ from, to, started }: IdSearch) => [from, to, started];

export function idSearchesOn(engine: Engine) {
  /** The latest search of each range, newest first. */
  async function stored(): Promise<readonly IdSearch[]> {
    return (await sharedValuesOn(engine).beginningWith(PREFIX))
      .map(({ number: next, text }): IdSearch => ({ ...JSON.parse(text), next }))
      .sort((one, other) => other.started - one.started);
  }
  async function count(search: IdSearch): Promise<AnswerCounts> {
    const text = `SELECT answer, count(*) FROM id_answers ${WHERE} GROUP BY 1`;
    const counts = Object.fromEntries(await engine.rows(text, valuesOf(search)));
    return { exists: 0, "never-ran": 0, missing: 0, forbidden: 0, failed: 0, ...counts };
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
    async begin(search: IdSearch): Promise<void> {
      await engine.transact([setShared(nameOf(search), search.next, textOf(search))]);
    },
    /** Changes a search except its next id, unless another process has changed it. */
    async change(search: IdSearch, changes: Partial<IdSearch>): Promise<void> {
      const text = "UPDATE observer_values SET text = ? WHERE name = ? AND text = ?";
      const values = [textOf({ ...search, ...changes }), nameOf(search), textOf(search)];
      await engine.rows(text, values);
    },
    async record(search: IdSearch, scheduleId: number, answer: IdAnswer, requested: number) {
      await engine.transact([
        upsert("id_answers", { scheduleId, requested, answer }, "schedule_id"),
        nextIs(search, scheduleId + 1),
      ]);
    },
    async rewind(search: IdSearch, next: number): Promise<void> {
      const text = `DELETE FROM id_answers ${WHERE} AND schedule_id >= ?`;
      await engine.transact([
        { text, values: [...valuesOf(search), next] },
        nextIs(search, next),
      ]);
    },
    /** The ids that a search added, and known ids that the service no longer has. */
    async changes(search: IdSearch) {
      const ids = async (condition: string) => {
        const text =
          "SELECT schedule_id FROM id_answers JOIN known_schedules USING (schedule_id) " +
          `${WHERE} AND ${condition} ORDER BY schedule_id LIMIT ${MAX_LISTED + 1}`;
        return (await engine.rows(text, valuesOf(search))).map(([id]) => id as number);
      };
      return {
        found: await ids("source = 'found' AND created >= requested"),
        vanished: await ids("answer = 'missing'"),
      };
    },
    async countKnown(): Promise<number> {
      return (await engine.rows("SELECT count(*) FROM known_schedules"))[0][0] as number;
    },
    async endTurn(): Promise<void> {
      await engine.transact([setShared(`duty/${ID_SEARCH_DUTY}`, 0, "")]);
    },
  };
}

function nextIs(search: IdSearch, next: number): Sql {
  const text = "UPDATE observer_values SET number = ? WHERE name = ?";
  return { text, values: [next, nameOf(search)] };
}

export const ID_SEARCH_DUTY = "id-search";
