import type { ComponentChildren } from "preact";

/** The search's form: its query, and what else it sends. */
export function QueryBox({ query, error, children }: {
  readonly query: string;
  /** Where the first error of the query begins and ends. Scripts select it. */
  readonly error?: readonly [start: number, end: number];
  readonly children: ComponentChildren;
}) {
  return (
    <form id="query-form" method="get" action="/filesets" class="search">
      <div class="quick">
        <label for="q">Query</label>
        <input
          id="q"
          name="q"
          type="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="payroll -permission:READ updated:last-month"
          value={query}
          data-error={error?.join("-")}
        />
        <button type="submit">Search</button>
      </div>
      {children}
    </form>
  );
}
