/** The facets of a search, counted in the database. */
import {
  type Facet,
  facetOfValues,
  type FacetQuestion,
  facetQuestions,
  type Facets,
  MAX_FACET_VALUES,
} from "../../../lib/search/facets.ts";
import type { DateOptions } from "../../../lib/search/search_query_values.ts";
import type { SearchBody } from "../../../lib/types.ts";
import { throwIfInvalid } from "../../http/problem.ts";
import { createAnswers } from "../answers.ts";
import { dataVersion } from "../data_version.ts";
import { DEADLINE_MS, type Engine } from "../engine.ts";
import { fieldNamed } from "../fields.ts";
import type { SearchPlan } from "./plan.ts";
import type { Tally } from "../sql.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { Totals } from "./search_file_sets.ts";
import { toSearchPlan } from "./validate.ts";

export interface FacetOptions extends DateOptions {
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal;
}

/** The most rows that all statements together may visit. */
const MOST_ROWS = 1_500_000;

export function facetCounterOf(engine: Engine, totals: Totals) {
  const answers = createAnswers<{ readonly facets: Facets | null }>();

  /** The facets of a search; null if there are too many rows to count. */
  return async (body: SearchBody, { signal, ...dates }: FacetOptions): Promise<Facets | null> => {
    signal?.throwIfAborted();
    const { plan, issues } = toSearchPlan(body, {});
    throwIfInvalid(issues);
    const questions = facetQuestions(dates);
    const deadline = performance.now() + DEADLINE_MS;
    const version = await dataVersion(engine, "file sets");
    const conditions = [plan.conditions, plan.dateRanges];
    const question = `${version} ${JSON.stringify([conditions, questions])}`;
    const { facets } = await answers(question, async (shared) => {
      const limits = { signal: shared, deadline };
      const all = await totals({ ...plan, conditions: [], dateRanges: [] }, limits, version);
      if (all * questions.length > MOST_ROWS) return { facets: null };
      const counted: Facet[] = [];
      // One after the other, which leaves connections to other searches.
      for (const question of questions) {
        const rows = await engine.tally(tallyFor(question, plan), all, limits);
        counted.push(facetOf(question, rows));
      }
      return { facets: { rows: null, facets: counted } };
    }, signal);
    return facets;
  };
}

/** What to count for a question, among the file sets that meet the conditions on other fields. */
function tallyFor({ field: name, conditions }: FacetQuestion, plan: SearchPlan): Tally {
  const field = fieldNamed(name)!;
  const others = {
    conditions: plan.conditions.filter((condition) => condition.field !== field),
    dateRanges: plan.dateRanges.filter((range) => range.field !== field),
  };
  if (!conditions) return { ...others, by: field, most: MAX_FACET_VALUES };
  const filters = conditions.filter((condition) => "operator" in condition);
  const dateFilters = conditions.filter((condition) => !("operator" in condition));
  const { plan: counted } = toSearchPlan({ filters, dateFilters }, {});
  return { ...others, each: [...counted.conditions, ...counted.dateRanges] };
}

/** The facet that the rows of a tally answer. */
function facetOf({ field, conditions }: FacetQuestion, rows: readonly SqlRow[]): Facet {
  if (!conditions) {
    const total = rows[0]?.[2] as number | undefined ?? 0;
    const values = rows.map(([value, count]) => [value as string, count as number] as const);
    return facetOfValues(field, values, total);
  }
  const options = conditions.map((condition, at) => ({ condition, count: rows[0][at] as number }));
  return { field, options, others: 0 };
}
