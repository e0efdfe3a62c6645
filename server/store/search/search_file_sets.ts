/** Searches of file sets: each is validated, counted and read, once while the data stays the same. */
import type { SearchOptions } from "../../../lib/client/backend.ts";
import type { PageContext, SearchBody } from "../../../lib/types.ts";
import { throwIfInvalid } from "../../http/problem.ts";
import { createAnswers } from "../answers.ts";
import { dataVersion } from "../data_version.ts";
import { DEADLINE_MS, type Engine } from "../engine.ts";
import { charactersIn } from "../run_history.ts";
import type { Totals } from "./totals.ts";
import { toSearchPlan } from "./validate.ts";

/** One page of a search: each file set as JSON. */
export interface SearchAnswer {
  readonly rows: readonly string[];
  readonly pageContext: PageContext;
  /** Names question and version of the data: never the same for other rows. */
  readonly version: string;
}

export function fileSetSearchOf(engine: Engine, totals: Totals) {
  const answers = createAnswers<SearchAnswer>(({ rows }) => charactersIn(rows));

  return async (body: SearchBody = {}, options: SearchOptions = {}): Promise<SearchAnswer> => {
    options.signal?.throwIfAborted();
    const { plan, issues } = toSearchPlan(body, options);
    throwIfInvalid(issues);
    const { limit, offset } = plan;
    const deadline = performance.now() + DEADLINE_MS;
    const version = await dataVersion(engine, "file sets");
    const question = `${version} ${JSON.stringify(plan)}`;
    return await answers(question, async (signal) => {
      const limits = { signal, deadline };
      const total = await totals(plan, limits, version);
      signal.throwIfAborted();
      const rows = offset < total ? await engine.page(plan, { ...limits, matching: total }) : [];
      const end = offset + rows.length;
      const next = rows.length > 0 && end < total ? String(end) : "";
      return { rows, pageContext: { next, offset, limit, total }, version: question };
    }, options.signal);
  };
}
