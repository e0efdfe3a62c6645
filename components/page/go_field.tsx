import { MAX_TEXT } from "../../lib/filter_text.ts";

/** The field that finds pages, schedules and people: in the header, or on the page `/go`. */
export function GoField({ text = "", isFocused }: {
  readonly text?: string;
  readonly isFocused?: boolean;
}) {
  return (
    <input
      type="search"
      name="q"
      aria-label="Go to"
      placeholder="Search or go to…"
      maxLength={MAX_TEXT}
      autocomplete="off"
      value={text}
      autofocus={isFocused}
      data-go
    />
  );
}
