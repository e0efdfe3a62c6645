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
import { DEADLINE_MS, type Engine, type QueryLimits } from "../engine.ts";
import { fieldNamed } from "../fields.ts";
import type { ColumnCondition, ColumnRange, SearchPlan } from "./plan.ts";
import type { Tally } from "../sql.ts";
import type { Totals } from "./totals.ts";
import { toSearchPlan } from "./validate.ts";

export interface FacetOptions extends DateOptions {
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal;
}

/** The most rows that all statements together may visit. */
const MOST_ROWS = 1_000_000;

/** About how many characters the cached facets of one search have. */
const CHARACTERS = 10_000;

interface Statement {
  readonly asked: Tally;
  readonly questions: readonly FacetQuestion[];
}

export function facetCounterOf(engine: Engine, totals: Totals) {
  const answers = createAnswers<{ readonly facets: Facets | null }>(() => CHARACTERS);

  /** Counts one after the other, which leaves connections to other searches. */
  async function count(
    statements: readonly Statement[],
    all: number,
    limits: QueryLimits,
  ): Promise<Map<FacetQuestion, Facet>> {
    const counted = new Map<FacetQuestion, Facet>();
    for (const { asked, questions } of statements) {
      const rows = await engine.tally(asked, all, limits);
      if ("by" in asked) {
        const total = rows[0]?.[2] as number | undefined ?? 0;
        const values = rows.map(([value, count]) => [value as string, count as number] as const);
        counted.set(questions[0], facetOfValues(questions[0].field, values, total));
        continue;
      }
      const counts = [...rows[0]] as number[];
      for (const question of questions) {
        const options = question.conditions!
          .map((condition) => ({ condition, count: counts.shift()! }));
        counted.set(question, { field: question.field, options, others: 0 });
      }
    }
    return counted;
  }

  /** The facets of a search; null if there are too many rows to count. */
  return async (body: SearchBody, { signal, ...dates }: FacetOptions): Promise<Facets | null> => {
    signal?.throwIfAborted();
    const { plan, issues } = toSearchPlan(body, {});
    throwIfInvalid(issues);
    const questions = facetQuestions(dates);
    const statements = statementsOf(plan, questions);
    const deadline = performance.now() + DEADLINE_MS;
    const version = await engine.dataVersion();
    const question = `${version} ${JSON.stringify(statements.map(({ asked }) => asked))}`;
    const { facets } = await answers(question, async (shared) => {
      const limits = { signal: shared, deadline };
      const all = await totals({ ...plan, conditions: [], dateRanges: [] }, limits, version);
      if (all * statements.length > MOST_ROWS) return { facets: null };
      const counted = await count(statements, all, limits);
      return { facets: { rows: null, facets: questions.map((each) => counted.get(each)!) } };
    }, signal);
    return facets;
  };
}

/** The statements that answer questions; conditions that are counted over the same rows share one. */
function statementsOf(plan: SearchPlan, questions: readonly FacetQuestion[]): Statement[] {
  const statements: Statement[] = [];
  const shared = new Map<
    string,
    { asked: Tally & { each: (ColumnCondition | ColumnRange)[] }; questions: FacetQuestion[] }
  >();
  for (const question of questions) {
    const field = fieldNamed(question.field)!;
    const others = {
      conditions: plan.conditions.filter((condition) => condition.field !== field),
      dateRanges: plan.dateRanges.filter((range) => range.field !== field),
    };
    if (!question.conditions) {
      statements.push({
        asked: { ...others, by: field, most: MAX_FACET_VALUES },
        questions: [question],
      });
      continue;
    }
    const key = JSON.stringify(others);
    let statement = shared.get(key);
    if (!statement) {
      statement = { asked: { ...others, each: [] }, questions: [] };
      shared.set(key, statement);
      statements.push(statement);
    }
    statement.questions.push(question);
    statement.asked.each.push(...planned(question));
  }
  return statements;
}

/** The conditions of a question as a plan has them. */
function planned({ conditions = [] }: FacetQuestion): (ColumnCondition | ColumnRange)[] {
  const filters = conditions.filter((condition) => "operator" in condition);
  const dateFilters = conditions.filter((condition) => !("operator" in condition));
  const { plan } = toSearchPlan({ filters, dateFilters }, {});
  return [...plan.conditions, ...plan.dateRanges];
}
