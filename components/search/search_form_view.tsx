import type { ErrorMessage } from "../ui/error_notice.tsx";
import { Chips } from "./chips.tsx";
import { ConditionEditor, type EditorProps } from "./condition_editor.tsx";
import { formatPageView, type ShownSearch } from "./page_view.ts";
import { PresentView } from "./present_view.tsx";
import { type FormTarget, QueryBox } from "./query_box.tsx";
import { SearchError, type UsableSearch } from "./search_error.tsx";

/** A search: its query, what is wrong with it, its conditions one by one, and the editor of one. */
export function SearchForm(
  { query, target, format = formatPageView, all, example, words, error, usable, place, ...editor }:
    & EditorProps
    & {
      readonly query: string;
      readonly target: FormTarget;
      readonly format?: (view: ShownSearch) => URLSearchParams;
      /** The address of all rows. */
      readonly all: string;
      readonly example: string;
      readonly words: readonly string[];
      readonly error: ErrorMessage | null;
      readonly usable?: UsableSearch;
      readonly place?: readonly [start: number, end: number];
    },
) {
  const { view, href } = editor.page;
  const { q: _q, ...options } = view;
  return (
    <QueryBox {...{ query, target, example, words }} error={place}>
      {error && <SearchError {...{ error, usable, all }} href={href(view)} />}
      <PresentView view={{ ...options, body: {} }} format={format} />
      <Chips page={editor.page} />
      <ConditionEditor {...editor} />
    </QueryBox>
  );
}
