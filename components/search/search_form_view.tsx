import { DATE_RANGES } from "../../lib/search/date_ranges.ts";
import type { QueryTable } from "../../lib/search/query_table.ts";
import { quotePart } from "../../lib/search/search_query_tokens.ts";
import type { ErrorMessage } from "../ui/error_notice.tsx";
import { Chips } from "./chips.tsx";
import { ConditionEditor, type EditorProps } from "./condition_editor.tsx";
import { formatPageView, type ShownSearch } from "./page_view.ts";
import { PresentView } from "./present_view.tsx";
import { SearchError, type UsableSearch } from "./search_error.tsx";

export interface FormTarget {
  readonly action: string;
  readonly method: "get" | "post";
}

/** A search: its query, what is wrong with it, its conditions one by one, and the editor of one. */
export function SearchForm(
  { query, target, format = formatPageView, all, example, words, error, usable, place, ...editor }:
    & EditorProps
    & {
      readonly query: string;
      readonly target: FormTarget;
      readonly format?: (view: ShownSearch) => URLSearchParams;
      readonly all: string;
      readonly example: string;
      /** What the browser offers to complete; see {@linkcode queryWords}. */
      readonly words: readonly string[];
      readonly error: ErrorMessage | null;
      readonly usable?: UsableSearch;
      /** Where the first error of the query begins and ends. Scripts select it. */
      readonly place?: readonly [start: number, end: number];
    },
) {
  const { view, href } = editor.page;
  const { q: _q, ...options } = view;
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
          data-error={place?.join("-")}
        />
        <datalist id="query-words">
          {words.map((word) => <option key={word} value={word} />)}
        </datalist>
        <button type="submit">Search</button>
      </div>
      {error && <SearchError {...{ error, usable, all }} href={href(view)} />}
      <PresentView view={{ ...options, body: {} }} format={format} />
      <Chips page={editor.page} />
      <ConditionEditor {...editor} />
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
