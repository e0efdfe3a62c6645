import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** The search's form: its query, and what else it sends. */
export function QueryBox({ query, children }: {
  /** The search as a query. */
  readonly query: string;
  readonly children: ComponentChildren;
}) {
  const input = useRef<HTMLInputElement>(null);
  const shown = useRef(query);
  useLayoutEffect(() => {
    // What is being typed stays until it is sent.
    if (input.current!.value === shown.current) input.current!.value = query;
    shown.current = query;
  }, [query]);
  return (
    <form
      method="get"
      action="/filesets"
      class="search"
      onSubmit={() => shown.current = input.current!.value}
    >
      <div class="quick">
        <label for="q">Query</label>
        <input
          ref={input}
          id="q"
          name="q"
          type="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="payroll owner:Finance updated:last-month"
          defaultValue={query}
        />
        <button type="submit">Search</button>
      </div>
      {children}
    </form>
  );
}
