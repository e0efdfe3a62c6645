/** Searches for schedules by id, and the service's answers. */
import type { Engine } from "../engine.ts";
import type { Sql } from "../sql.ts";
import { upsert } from "./table.ts";
import { setShared, sharedValuesOn } from "./values.ts";

/** `never-ran`: the answer has no runs; `failed`: the service could not be asked. */
export type IdAnswer = "exists" | "never-ran" | "missing" | "forbidden" | "failed";

/** A search for schedules that asks for each id of a range; times are milliseconds since 1970. */
export interface IdSearch {
  readonly from: number;
  readonly to: number;
  /** The id that is asked for next. */
  readonly next: number;
  /** Requests a second. */
  readonly rate: number;
  readonly started: number;
  readonly ended: number | null;
  /** Why it stopped before its end; null if it did not. */
  readonly stopped: string | null;
  /** Until when the service asked for no requests; 0 if it did not. */
  readonly pausedUntil: number;
  /** Whether the service answers an unknown id with an empty list; null if that is not known. */
  readonly answersEmpty: boolean | null;
}

/** The progress of a search: how many ids got which answer. */
export interface IdSearchProgress extends IdSearch {
  readonly answers: Readonly<Record<IdAnswer, number>>;
  readonly asked: number;
  /** The last id that the service answered; -1 at the start. */
  readonly latestAnswered: number;
}

/** The schedules that a search found and those that have vanished. */
export interface InventoryChanges {
  /** Ids that became known. */
  readonly found: readonly number[];
  /** Known ids that the service no longer has. */
  readonly vanished: readonly number[];
}

const PREFIX = "id-search/";
const nameOf = ({ from, to }: Pick<IdSearch, "from" | "to">) => `${PREFIX}${from}-${to}`;
/** At most this many ids are listed as found or vanished. */
const MOST_LISTED = 1000;
const WHERE = "WHERE schedule_id >= ? AND schedule_id <= ? AND asked >= ?";
const valuesOf = ({ from, to, started }: IdSearch) => [from, to, started];

export function askedIdsOn(engine: Engine) {
  async function searches(): Promise<readonly IdSearch[]> {
    return (await sharedValuesOn(engine).beginningWith(PREFIX))
      .map(({ number: next, text }): IdSearch => ({ ...JSON.parse(text), next }))
      .sort((one, other) => other.started - one.started);
  }
  return {
    /** The latest search of each range, newest first. */
    searches,
    /** The open search; undefined if there is none. */
    open: async (): Promise<IdSearch | undefined> =>
      (await searches()).find(({ ended, stopped }) => ended === null && stopped === null),
    /** How far a search is. */
    async progress(search: IdSearch): Promise<IdSearchProgress> {
      const answers = { exists: 0, "never-ran": 0, missing: 0, forbidden: 0, failed: 0 };
      let asked = 0;
      let latestAnswered = -1;
      const text = `SELECT answer, count(*), max(schedule_id) FROM asked_ids ${WHERE} GROUP BY 1`;
      for (const [answer, count, last] of await engine.rows(text, valuesOf(search))) {
        answers[answer as IdAnswer] = count as number;
        asked += count as number;
        if (answer !== "failed") latestAnswered = Math.max(latestAnswered, last as number);
      }
      return { ...search, answers, asked, latestAnswered };
    },
    /** Begins a search, which replaces an earlier one of the same range. */
    async begin(search: IdSearch): Promise<void> {
      await engine.transact([setShared(nameOf(search), search.next, JSON.stringify(search))]);
    },
    /** Changes a search, but not its next id. */
    async change(search: IdSearch): Promise<void> {
      const text = "UPDATE observer_values SET text = ? WHERE name = ?";
      await engine.rows(text, [JSON.stringify(search), nameOf(search)]);
    },
    /** Records the answer for an id. */
    async record(
      search: IdSearch,
      scheduleId: number,
      answer: IdAnswer,
      asked: number,
    ): Promise<void> {
      const answered = { schedule_id: scheduleId, asked, answer };
      await engine.transact([
        upsert("asked_ids", answered, "schedule_id"),
        nextIs(search, scheduleId + 1),
      ]);
    },
    /** Removes the answers from an id on, so that these ids are asked for again. */
    async goBack(search: IdSearch, next: number): Promise<void> {
      const text = `DELETE FROM asked_ids ${WHERE} AND schedule_id >= ?`;
      await engine.transact([
        { text, values: [...valuesOf(search), next] },
        nextIs(search, next),
      ]);
    },
    /** The schedules that a search found, and those that it no longer found. */
    async changes(search: IdSearch): Promise<InventoryChanges> {
      const ids = async (condition: string) => {
        const text = "SELECT schedule_id FROM asked_ids JOIN known_schedules USING (schedule_id) " +
          `${WHERE} AND ${condition} ORDER BY schedule_id LIMIT ${MOST_LISTED}`;
        return (await engine.rows(text, valuesOf(search))).map(([id]) => id as number);
      };
      return {
        found: await ids("source = 'found' AND created >= asked"),
        vanished: await ids("answer = 'missing'"),
      };
    },
    /** How many schedules are known. */
    async countKnown(): Promise<number> {
      return (await engine.rows("SELECT count(*) FROM known_schedules"))[0][0] as number;
    },
    /** Ends this instance's turn, so that another may continue at once. */
    async endTurn(): Promise<void> {
      await engine.transact([setShared(`duty/${ID_SEARCH_DUTY}`, 0, "")]);
    },
  };
}

function nextIs(search: IdSearch, next: number): Sql {
  const text = "UPDATE observer_values SET number = ? WHERE name = ?";
  return { text, values: [next, nameOf(search)] };
}

/** The duty of whoever works on the open search. */
export const ID_SEARCH_DUTY = "id-search";
