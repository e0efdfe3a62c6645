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
import type { Answers } from "../answers.ts";
import { DEADLINE_MS } from "../deadline.ts";
import type { Engine } from "../engine.ts";
import { fieldNamed } from "../fields.ts";
import type { Condition, DateRange, SearchPlan } from "./plan.ts";
import type { Tally } from "../sql.ts";
import type { Totals } from "./totals.ts";
import { toSearchPlan } from "./validate.ts";

export interface FacetOptions extends DateOptions {
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal;
}

/** The most rows that all statements together may have to look at. */
const MOST_ROWS = 1_000_000;

interface Statement {
  readonly asked: Tally;
  readonly questions: readonly FacetQuestion[];
}

/** The facets of a search; null if there are too many rows to count. */
export async function facetsOf(
  engine: Engine,
  totals: Totals,
  answers: Answers,
  body: SearchBody,
  { signal, ...dates }: FacetOptions,
): Promise<Facets | null> {
  signal?.throwIfAborted();
  const { plan, issues } = toSearchPlan(body, {});
  throwIfInvalid(issues);
  const questions = facetQuestions(dates);
  const statements = statementsOf(plan, questions);
  const deadline = performance.now() + DEADLINE_MS;
  const version = await engine.dataVersion();
  const question = `facets ${version} ${JSON.stringify(statements.map(({ asked }) => asked))}`;
  const { json } = await answers(question, async (shared) => {
    const options = { signal: shared, deadline };
    const everything = { ...plan, conditions: [], dateRanges: [] };
    const { rows: all } = await totals(everything, options, version);
    if (all * statements.length > MOST_ROWS) return { json: "null", count: 0 };
    const counted = new Map<FacetQuestion, Facet>();
    // One after the other: facets must not take every connection from those who wait for rows.
    for (const { asked, questions } of statements) {
      const rows = await engine.tally(asked, all, options);
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
    const facets = questions.map((question) => counted.get(question));
    return { json: JSON.stringify({ rows: null, facets }), count: facets.length };
  }, signal);
  const facets: Facets | null = JSON.parse(json);
  return facets;
}

/** The statements that answer questions: one for all conditions that are counted over the same rows. */
function statementsOf(plan: SearchPlan, questions: readonly FacetQuestion[]): Statement[] {
  const statements: Statement[] = [];
  const shared = new Map<
    string,
    { asked: Tally & { each: (Condition | DateRange)[] }; questions: FacetQuestion[] }
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
function planned({ conditions = [] }: FacetQuestion): (Condition | DateRange)[] {
  const filters = conditions.filter((condition) => "operator" in condition);
  const dateFilters = conditions.filter((condition) => !("operator" in condition));
  const { plan } = toSearchPlan({ filters, dateFilters }, {});
  return [...plan.conditions, ...plan.dateRanges];
}
