import type { ComponentChildren } from "preact";
import { DATE_RANGES } from "../../lib/search/date_ranges.ts";
import type { QueryTable } from "../../lib/search/query_table.ts";
import { quotePart } from "../../lib/search/search_query_tokens.ts";

/** Where a form of a search leads. */
export interface FormTarget {
  readonly action: string;
  readonly method: "get" | "post";
}

/** The search's form: its query, and what else it sends. */
export function QueryBox({ query, target, example, words, error, children }: {
  readonly query: string;
  readonly target: FormTarget;
  readonly example: string;
  /** What the browser offers to complete; see {@linkcode queryWords}. */
  readonly words: readonly string[];
  /** Where the first error of the query begins and ends. Scripts select it. */
  readonly error?: readonly [start: number, end: number];
  readonly children: ComponentChildren;
}) {
  return (
    <form id="query-form" {...target} class="search">
      <div class="quick">
        <label for="q">Query</label>
        <input
          id="q"
          name="q"
          type="search"
          list="query-words"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder={example}
          value={query}
          data-error={error?.join("-")}
        />
        <datalist id="query-words">
          {words.map((word) => <option key={word} value={word} />)}
        </datalist>
        <button type="submit">Search</button>
      </div>
      {children}
    </form>
  );
}

/** What may be typed next in a query: its fields, and the known values of some. */
export function queryWords(
  { fields }: QueryTable,
  values: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(fields).flatMap(([field, { name, kind, choices }]) => {
    const known = kind === "date-time"
      ? DATE_RANGES
      : choices
      ? Object.keys(choices)
      : values[field]?.map(quotePart) ?? [];
    return [`${name}:`, ...known.map((value) => `${name}:${value}`)];
  });
}
