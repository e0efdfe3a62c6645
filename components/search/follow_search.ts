import { find, followInPlace, type PageParts } from "../ui/page_parts.ts";

export const SEARCH_PARTS: readonly string[] = [
  "search-form",
  "search-result",
  "search-tools",
  "search-found",
];

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
      moveFocus();
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

function onEscape(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  const isInField = (target as Element).closest?.("input, select, textarea");
  if (!isInField) find("main [data-close]")?.click();
}

function moveFocus(): void {
  find("main .search [aria-invalid=true]")?.focus();
  const query = find<HTMLInputElement>("#q[data-error]");
  const [start, end] = query?.dataset.error?.split("-") ?? [];
  query?.focus();
  query?.setSelectionRange(Number(start), Number(end));
}

/** Lets the browser complete the last word of the query; by itself, it completes only the first. */
export function completeQuery({ target }: Event): void {
  const { id, value, list } = target as HTMLInputElement;
  if (id !== "q" || !list) return;
  const before = /^(?:[^\s"]|"[^"]*"|\s)*[\s]-?|^-?/.exec(value)![0];
  for (const option of (list as HTMLDataListElement).options) {
    option.dataset.word ??= option.value;
    option.value = before + option.dataset.word;
  }
}
