import { DATE_RANGES } from "../../lib/search/date_ranges.ts";
import { quotePart } from "../../lib/search/search_query_values.ts";
import { PageError } from "../page/page_header.tsx";
import type { ErrorMessage } from "../ui/error_notice.tsx";
import { AddCondition, type AddConditionProps } from "./add_condition.tsx";
import { Chips } from "./chips.tsx";
import { formatPageView, type SearchPage, type ShownSearch } from "./page_view.ts";
import { INPUTS } from "./new_condition.ts";

export interface UsableSearch {
  readonly href: string;
  readonly text: string;
}

export interface FormTarget {
  readonly action: string;
  readonly method: "get" | "post";
}

export function SearchForm(
  { page, query, target, format = formatPageView, all, example, error, usable, place, ...adding }:
    & AddConditionProps
    & {
      readonly page: SearchPage;
      readonly query: string;
      readonly target: FormTarget;
      readonly format?: (view: ShownSearch) => URLSearchParams;
      readonly all: string;
      readonly example: string;
      readonly error: ErrorMessage | null;
      readonly usable?: UsableSearch;
      readonly place?: readonly [start: number, end: number];
    },
) {
  const { view, table } = page;
  const { q: _q, ...options } = view;
  const values = { ...valuesOfKind(page), ...adding.values };
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
          {Object.entries(table.fields).flatMap(([field, { name }]) =>
            ["", ...values[field] ?? []].map((value) => (
              <option key={name + value} value={`${name}:${value && quotePart(value)}`} />
            ))
          )}
        </datalist>
        <button type="submit">Search</button>
      </div>
      {error && (
        <PageError
          error={error}
          actions={
            <>
              {usable && (
                <>
                  <a href={usable.href}>{usable.text}</a>
                  {" · "}
                </>
              )}
              <a href={all}>Start over</a>
            </>
          }
        />
      )}
      <PresentView view={{ ...options, body: {} }} format={format} />
      <Chips page={page}>
        <AddCondition {...adding} table={table} values={values} />
      </Chips>
    </form>
  );
}

function valuesOfKind({ table: { fields } }: SearchPage) {
  const values: Record<string, readonly string[]> = {};
  for (const [field, { kind, choices }] of Object.entries(fields)) {
    if (choices) values[field] = Object.keys(choices);
    if (kind === "date-time") values[field] = DATE_RANGES;
  }
  return values;
}

export function PresentView({ view, format = formatPageView }: {
  readonly view: ShownSearch;
  readonly format?: (view: ShownSearch) => URLSearchParams;
}) {
  const { offset: _offset, skip: _skip, open: _open, ...kept } = view;
  return (
    <>
      <input type="hidden" name={INPUTS.form} value="1" />
      {[...format(kept)].map(([name, value], index) => (
        <input key={`${name}${index}`} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
