/** A search in the browser: its links and forms, the Escape key, the focus and completion. */
import { find, followInPlace, type PageParts, type Shown } from "../ui/page_parts.ts";
import { completeQuery } from "./complete_query.ts";

export const SEARCH_PARTS: readonly string[] = [
  "search-form",
  "search-result",
  "search-tools",
  "search-found",
];

/** Shows the results of a search in place. Returns what stops that. */
export function followSearch(
  { ids = SEARCH_PARTS, onShown, ...parts }:
    & Pick<PageParts, "texts" | "onExport" | "targetOf" | "onShown">
    & { readonly ids?: readonly string[] },
): () => void {
  const end = new AbortController();
  const stop = followInPlace({
    ...parts,
    ids,
    status: "search-result",
    links: SEARCH_PARTS.map((id) => `#${id}`).join(),
    onShown(shown) {
      moveFocus(shown);
      onShown?.(shown);
    },
  });
  document.addEventListener("input", completeQuery, { signal: end.signal });
  addEventListener("keydown", onEscape, { signal: end.signal });
  return () => {
    stop();
    end.abort();
  };
}

/** Closes the editor or the drawer. In other fields and in dialogs the key has another meaning. */
function onEscape(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  const field = (target as Element).closest?.("input, select, textarea");
  // The editor comes before the drawer.
  if (!field || field.closest("[data-editor]")) find("main [data-close]")?.click();
}

/** Moves the focus to an error or an editor that was opened, or back from one that was closed. */
function moveFocus({ before, url }: Shown): void {
  const was = (name: string) => before.searchParams.get(name);
  const is = (name: string) => url.searchParams.get(name);
  const isEditorNew = (is("add") ?? is("edit")) !== null &&
    (is("add") !== was("add") || is("edit") !== was("edit"));
  if (selectError()) return;
  if (isEditorNew) find("main [data-editor] :is(a, select)")?.focus();
  else if (was("add") !== null && is("add") === null && isFocusLost()) find("main .add")?.focus();
}

/** Selects what is wrong in the query; false if nothing is. */
function selectError(): boolean {
  const query = find<HTMLInputElement>("#q[data-error]");
  const [start, end] = query?.dataset.error?.split("-") ?? [];
  query?.focus();
  query?.setSelectionRange(Number(start), Number(end));
  return query !== null;
}

function isFocusLost(): boolean {
  return document.activeElement?.id === "search-result";
}
