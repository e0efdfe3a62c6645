import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Control, controlsIn, copyControls, counterpartOf } from "../../ui/form_controls.ts";

/** The search's form: its query, and what else it sends. */
export function QueryBox({ query, editor, children }: {
  readonly query: string;
  /** Which condition is edited. What is typed stays until it is another one. */
  readonly editor: string;
  readonly children: ComponentChildren;
}) {
  const input = useRef<HTMLInputElement>(null);
  const shown = useRef(query);
  useLayoutEffect(() => {
    // What is being typed stays until it is sent.
    if (input.current!.value === shown.current) input.current!.value = query;
    shown.current = query;
  }, [query]);
  const form = useRef<HTMLFormElement>(null);
  const edited = useRef(editor);
  const before = form.current && controlsIn(form.current);
  const focused = before && document.activeElement as Control;
  useLayoutEffect(() => {
    const replaced = before?.filter(({ isConnected }) => !isConnected) ?? [];
    if (edited.current === editor) copyControls(replaced, form.current!);
    if (replaced.includes(focused!)) counterpartOf(focused!, form.current!)?.focus();
    edited.current = editor;
  });
  return (
    <form
      ref={form}
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
          placeholder="payroll -permission:READ updated:last-month"
          defaultValue={query}
        />
        <button type="submit">Search</button>
      </div>
      {children}
    </form>
  );
}
