/**
 * Pages of a schedule's runs, newest first. Who reads page after page goes on from the last run of
 * the page before, so that reading a whole history costs in proportion to its runs.
 */
import type { Engine, JsonList } from "./engine.ts";
import type { Value } from "./search/plan.ts";
import { listOf } from "./sql.ts";

export type RunPages = ReturnType<typeof runPagesOf>;

/** How many runs are skipped by walking past them. */
const FEW_RUNS = 1000;
/** Of how many pages the end is kept. */
const MOST_ENDS = 1000;

const RUNS = "FROM runs WHERE schedule_id = ?";
const AFTER = "AND start_time <= ? AND (start_time < ? OR id > ?)";
const ORDER = "ORDER BY start_time DESC, id";

/** The position of a run: its start and its id. */
type Place = readonly [start: Value, id: Value];

export function runPagesOf(engine: Engine) {
  const ends = new Map<string, Place>();

  /** The position of the run after that many others, counted from a position if one is given. */
  async function placeOf(
    scheduleId: number,
    offset: number,
    behind?: Place,
  ): Promise<Place | undefined> {
    const [place] = await engine.rows(
      `SELECT start_time, id ${RUNS} ${behind ? AFTER : ""} ${ORDER} LIMIT 1 OFFSET ?`,
      [scheduleId, ...behind ? valuesOf(behind) : [], offset],
    );
    return place as unknown as Place | undefined;
  }

  /** A page of the runs of a schedule, as they are at a version of them. */
  return async (
    scheduleId: number,
    { limit, skip }: { readonly limit: number; readonly skip: number },
    version: string,
  ): Promise<JsonList> => {
    if (skip <= FEW_RUNS) {
      return await pageOf(engine, `${ORDER} LIMIT ? OFFSET ?`, [scheduleId, limit, skip]);
    }
    const nameOf = (skipped: number) => `${version} ${scheduleId} ${skipped}`;
    const before = ends.get(nameOf(skip)) ?? await placeOf(scheduleId, skip - 1);
    if (!before) return { json: "", count: 0 };
    const values = [scheduleId, ...valuesOf(before), limit];
    const page = await pageOf(engine, `${AFTER} ${ORDER} LIMIT ?`, values);
    const last = page.count === limit && await placeOf(scheduleId, limit - 1, before);
    if (last) {
      if (ends.size >= MOST_ENDS) ends.delete(ends.keys().next().value!);
      ends.set(nameOf(skip + limit), last);
    }
    return page;
  };
}

async function pageOf(engine: Engine, rest: string, values: readonly Value[]): Promise<JsonList> {
  const { text } = listOf({ text: `SELECT json ${RUNS} ${rest}`, values });
  const [[json, count]] = await engine.rows(text, values);
  return { json: json as string, count: count as number };
}

function valuesOf([start, id]: Place): Value[] {
  return [start, start, id];
}
