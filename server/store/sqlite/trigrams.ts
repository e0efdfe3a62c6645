/**
 * The table of trigrams: the three characters that begin at each place of a text. It finds which file
 * sets contain a text without looking at every one.
 */
import type { Field } from "../fields.ts";
import type { Condition, SearchPlan } from "../search/plan.ts";
import type { Sql } from "../sql.ts";
import { foldCase, hasTrigram } from "../text.ts";

/** A query for the table, and what it takes. */
export interface Lookup {
  readonly query: string;
  /** About how many file sets it finds. */
  readonly rows: number;
  /** How many entries of the table it walks. */
  readonly entries: number;
}

/** How many trigrams of one text are looked at, and of how many texts. */
const MOST_TRIGRAMS = 10;
const MOST_TEXTS = 10;

/** Reading a row to check its content takes as long as walking this many entries. */
const ENTRIES_A_ROW = 30;

/** Of how many trigrams it is kept how often they are there. */
const MOST_KEPT = 10_000;

/** Trigrams that are in more than a tenth of the rows, or in so many, are not counted to the end. */
const MOST_COUNTED = 50_000;

/**
 * Finds the lookup for a search of so many file sets, if it has any. `count` counts how many file sets
 * each query finds, up to a number: once while the data is of that version. With a number that is too
 * old, a long search would be taken for a short one.
 */
export function createLookups(): (
  plan: SearchPlan,
  data: { readonly all: number; readonly version: string },
  count: (queries: readonly string[], most: number) => Promise<readonly number[]>,
) => Promise<Lookup | undefined> {
  let known = new Map<string, number>();
  let versionThen: string | undefined;
  return async (plan, { all, version }, count) => {
    if (version !== versionThen) {
      known = new Map();
      versionThen = version;
    }
    // Another search may see a newer version meanwhile.
    const frequencies = known;
    const unknown = trigramsOf(plan).filter((trigram) => !frequencies.has(trigram));
    if (unknown.length > 0) {
      const most = Math.min(Math.ceil(all / 10), MOST_COUNTED);
      const counts = await count(unknown, most);
      if (frequencies.size > MOST_KEPT) frequencies.clear();
      unknown.forEach((trigram, at) =>
        frequencies.set(trigram, counts[at] === most ? all : counts[at])
      );
    }
    return narrowQuery(plan, frequencies, all);
  };
}

/** The query that finds all of a search and nothing else, when the table can answer it. */
export function exactQuery({ conditions, dateRanges }: SearchPlan): string | undefined {
  if (conditions.length === 0 || dateRanges.length > 0) return undefined;
  const queries = conditions.map((condition) =>
    isFindable(condition) ? textsQuery(condition.field, textsOf(condition)) : undefined
  );
  return queries.includes(undefined) ? undefined : queries.join(" AND ");
}

/** The query for any of several texts in a field, when each is long enough. */
export function textsQuery(field: Field, values: readonly string[]): string | undefined {
  if (!field.hasTrigrams || !values.every(hasTrigram)) return undefined;
  return within(field, values.map(quoted).join(" OR "));
}

/**
 * A query that finds all of a search and more, by its rarest trigrams: that takes less than comparing
 * where all of them are. Nothing for a search without texts that are long enough.
 */
function narrowQuery(
  plan: SearchPlan,
  frequencies: ReadonlyMap<string, number>,
  all: number,
): Lookup | undefined {
  const lookups = findableOf(plan).map((condition) => {
    const texts = textsOf(condition).map((text) => {
      const lookups = trigramsIn(text).map(({ trigram, at }) => {
        const query = trigramQuery(condition.field, trigram);
        const rows = frequencies.get(query) ?? all;
        return { query, rows, entries: rows, at };
      });
      const rarest = lookups.reduce((one, other) => other.rows < one.rows ? other : one);
      // Those that share characters with it leave hardly anything out.
      return allOf(
        lookups.filter((other) => other === rarest || Math.abs(other.at - rarest.at) >= 3),
        all,
      );
    });
    return {
      query: `(${texts.map(({ query }) => query).join(" OR ")})`,
      rows: texts.reduce((sum, { rows }) => sum + rows, 0),
      entries: texts.reduce((sum, { entries }) => sum + entries, 0),
    };
  });
  return lookups.length === 0 ? undefined : allOf(lookups, all);
}

/** The queries for each trigram of a search. */
function trigramsOf(plan: SearchPlan): readonly string[] {
  const queries = findableOf(plan).flatMap((condition) =>
    textsOf(condition).flatMap((text) =>
      trigramsIn(text).map(({ trigram }) => trigramQuery(condition.field, trigram))
    )
  );
  return [...new Set(queries)];
}

/** Counts how many file sets each query finds, up to a number. */
export function countEach(
  queries: readonly string[],
  most: number,
  guard: (key: string) => string,
): Sql {
  const found = "SELECT 1 FROM file_set_pieces WHERE file_set_pieces MATCH ? AND " +
    `${guard("rowid")} LIMIT ${most}`;
  return {
    text: `SELECT ${queries.map(() => `(SELECT count(*) FROM (${found}))`).join(", ")}`,
    values: queries,
  };
}

/** That all of several lookups hold: the rarest, and others as long as they leave out more than they take. */
function allOf(lookups: readonly Lookup[], all: number): Lookup {
  const [rarest, ...others] = lookups.toSorted((a, b) => a.rows - b.rows);
  return others.reduce(
    (found, { query, rows, entries }) =>
      entries > found.rows * ENTRIES_A_ROW ? found : {
        query: `${found.query} AND ${query}`,
        rows: found.rows * rows / Math.max(all, 1),
        entries: found.entries + entries,
      },
    rarest,
  );
}

function findableOf({ conditions }: SearchPlan): readonly Condition[] {
  let texts = 0;
  return conditions.filter((condition) =>
    isFindable(condition) && textsOf(condition).every(hasTrigram) &&
    (texts += condition.values.length) <= MOST_TEXTS
  );
}

function isFindable({ comparison, not, field, values }: Condition): boolean {
  return comparison === "contains" && !not && field.hasTrigrams && values.length > 0;
}

function textsOf({ values }: Condition): string[] {
  return values.map((value) => foldCase(String(value)));
}

/** Trigrams of a text with their places, from all over it where it has many. */
function trigramsIn(text: string): { readonly trigram: string; readonly at: number }[] {
  const characters = [...text];
  const last = characters.length - 3;
  const step = last < MOST_TRIGRAMS ? 1 : 3 * Math.ceil(last / 3 / (MOST_TRIGRAMS - 1));
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, n) => {
    const at = n * step;
    return { trigram: characters.slice(at, at + 3).join(""), at };
  });
}

function trigramQuery(field: Field, trigram: string): string {
  return within(field, quoted(trigram));
}

function within({ folded }: Field, query: string): string {
  return `{${folded}} : (${query})`;
}

/** A text as the table finds it: all its trigrams, one after the other. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
