/** Searches file sets, and counts their facets. Totals and facets are cached until the data changes. */
import type { SearchOptions } from "../../../lib/client/backend.ts";
import type { PageContext, SearchBody, SearchInput } from "../../../lib/types.ts";
import { throwIfInvalid } from "../../http/problem.ts";
import { dataVersion } from "../data_version.ts";
import { DEADLINE_MS, type Engine, type QueryLimits } from "../engine.ts";
import type { SearchPlan } from "./plan.ts";
import { toSearchPlan } from "./validate.ts";
import {
  type Facet,
  type FacetQuestion,
  facetQuestions,
  type Facets,
  MAX_FACET_VALUES,
  toValueFacet,
} from "../../../lib/search/facets.ts";
import type { DateOptions } from "../../../lib/search/date_ranges.ts";
import { fieldNamed } from "../fields.ts";
import type { Tally } from "../sql.ts";
import type { SqlRow } from "../stored_rows.ts";
import { LRUCache } from "lru-cache";
import { createSharedCalls } from "../shared_calls.ts";

type Totals = ReturnType<typeof totalsOf>;

/** How many file sets match, counted once per version of the data. */
export function totalsOf(engine: Pick<Engine, "count">) {
  const answers = createAnswerCache<number>();
  return (plan: SearchPlan, limits: QueryLimits, version: string): Promise<number> => {
    const query = `${version} ${JSON.stringify([plan.conditions, plan.dateRanges])}`;
    return answers(query, (signal) => engine.count(plan, { ...limits, signal }), limits.signal);
  };
}

export function fileSetSearchOf(engine: Engine, totals: Totals) {
  return async (
    body: SearchInput = {},
    { signal, ...options }: SearchOptions = {},
  ): Promise<string> => {
    signal?.throwIfAborted();
    const { plan, issues } = toSearchPlan(body, options);
    throwIfInvalid(issues);
    const { limit, offset } = plan;
    const limits = { signal, deadline: performance.now() + DEADLINE_MS };
    const total = await totals(plan, limits, await dataVersion(engine, "file sets"));
    signal?.throwIfAborted();
    const rows = offset < total ? await engine.page(plan, { ...limits, matching: total }) : [];
    const end = offset + rows.length;
    const next = rows.length > 0 && end < total ? String(end) : "";
    const pageContext: PageContext = { next, offset, limit, total };
    return `{"fileSets":[${rows.join(",")}],"pageContext":${JSON.stringify(pageContext)}}`;
  };
}

export type FacetOptions = DateOptions & Pick<QueryLimits, "signal">;

/** The most rows that all statements of a search's facets may visit together. */
const MAX_ROWS = 1_500_000;

export function facetCounterOf(engine: Engine, totals: Totals) {
  const answers = createAnswerCache<{ readonly facets: Facets | null }>();

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
      if (all * questions.length > MAX_ROWS) return { facets: null };
      const counted: Facet[] = [];
      // One after the other, so that other searches get a connection.
      for (const question of questions) {
        const rows = await engine.tally(tallyFor(question, plan), all, limits);
        counted.push(facetOf(question, rows));
      }
      return { facets: { rows: null, facets: counted } };
    }, signal);
    return facets;
  };
}

/** The tally that answers a question, among the file sets that meet the conditions on other fields. */
function tallyFor({ field: name, conditions }: FacetQuestion, plan: SearchPlan): Tally {
  const field = fieldNamed(name)!;
  const others = {
    conditions: plan.conditions.filter((condition) => condition.field !== field),
    dateRanges: plan.dateRanges.filter((range) => range.field !== field),
  };
  if (!conditions) return { ...others, by: field, max: MAX_FACET_VALUES };
  const filters = conditions.filter((condition) => "operator" in condition);
  const dateFilters = conditions.filter((condition) => !("operator" in condition));
  const { plan: counted } = toSearchPlan({ filters, dateFilters }, {});
  return { ...others, each: [...counted.conditions, ...counted.dateRanges] };
}

function facetOf({ field, conditions }: FacetQuestion, rows: readonly SqlRow[]): Facet {
  if (!conditions) {
    const total = rows[0]?.[2] as number | undefined ?? 0;
    const values = rows.filter(([value]) => value !== null)
      .map(([value, count]) => [value as string, count as number] as const);
    return toValueFacet(field, values, total);
  }
  const options = conditions.map((condition, at) => ({ condition, count: rows[0][at] as number }));
  return { field, options, others: 0 };
}

const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;
/** A rough size of a cached answer. */
const ANSWER_CHARACTERS = 2000;

export function createAnswerCache<Answer extends object | number>() {
  const cached = new LRUCache<string, Answer>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, question) => ANSWER_CHARACTERS + question.length,
  });
  const share = createSharedCalls();

  /** The cached answer, or a new one; concurrent callers with the same question share the work. */
  return async (
    question: string,
    make: (signal: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> => {
    const known = cached.get(question);
    return known ?? await share(question, signal, async (shared) => {
      const answer = await make(shared);
      cached.set(question, answer);
      return answer;
    });
  };
}
