/** Follows links and sends forms of a search in place: the server renders the parts that change. */
import { type Control, formsIn, loadDocument, replaceParts } from "../ui/replace_parts.ts";

/** Says what is shown. It gets the focus when the focused element is gone. */
const STATUS = "search-result";
export const SEARCH_PARTS: readonly string[] = [
  ...["search-form", STATUS, "search-tools", "search-found"],
];
const LINKS = SEARCH_PARTS.map((id) => `#${id}`).join();

interface SearchOptions {
  readonly ids?: readonly string[];
  readonly onExport: (href: string) => void;
  /** The target of a click that is not a plain link's; null for other clicks. */
  readonly findTarget?: (event: MouseEvent) => Target | null;
  readonly onShown?: (shown: Shown) => void;
}

export type Target = (shown: URL) => string;

export interface Shown {
  readonly before: URL;
  readonly url: URL;
}

/**
 * Handles the links and forms of the parts until the returned function is called. The URL always
 * describes what is shown. What is asked for during loading takes the place of what loads. Errors
 * are opened as pages, and forms that are sent by POST are left to the browser.
 */
export function followSearch(
  { ids = SEARCH_PARTS, onExport, findTarget, onShown }: SearchOptions,
): () => void {
  const end = new AbortController();
  const { signal } = end;
  let loading = new AbortController();
  let shown = new URL(location.href);

  async function show(address: string): Promise<void> {
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    const typed: Control[] = [];
    document.addEventListener("input", ({ target }) => typed.push(target as Control), { signal });
    for (const id of ids) element(id).setAttribute("aria-busy", "true");
    const { status, responseURL, responseXML } = await loadDocument(address, signal);
    if (signal.aborted) return;
    const focused = document.activeElement;
    if (status !== 200 || !replaceParts(ids, responseXML, typed)) return location.assign(address);
    const before = shown;
    shown = new URL(responseURL);
    if (pathAndSearch(shown) !== pathAndSearch(location)) {
      history.pushState(null, "", pathAndSearch(shown));
    }
    if (!focused?.isConnected && document.activeElement === document.body) {
      element(STATUS).focus({ preventScroll: true });
    }
    onShown?.({ before, url: shown });
  }

  function send(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement;
    const isOurs = ids.some((id) => formsIn(element(id)).includes(form));
    if (!isOurs || form.method === "post") return;
    event.preventDefault();
    const fields = new URLSearchParams([...new FormData(form)] as string[][]);
    void show(`${new URL(form.action).pathname}?${fields}`);
  }

  function follow(event: MouseEvent): void {
    const clicked = event.target as Element;
    if (!clicked.closest(LINKS)) return;
    const link = clicked.closest("a");
    const target = findTarget?.(event);
    if (target) {
      event.preventDefault();
      void show(target(shown));
      return;
    }
    if (!link || !isPlainClick(event)) return;
    if (link.matches("a[download]")) {
      event.preventDefault();
      onExport(link.href);
      return;
    }
    if (link.pathname !== location.pathname) return;
    event.preventDefault();
    link.focus();
    void show(pathAndSearch(link));
  }

  document.addEventListener("click", follow, { signal });
  document.addEventListener("submit", send, { signal });
  document.addEventListener("input", completeQuery, { signal });
  addEventListener("keydown", onEscape, { signal });
  addEventListener("popstate", () => {
    // A link to an anchor of this page loads nothing.
    if (pathAndSearch(location) !== pathAndSearch(shown)) {
      void show(pathAndSearch(location));
    }
  }, { signal });
  return () => {
    loading.abort();
    end.abort();
  };
}

function onEscape(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  const isInField = (target as Element).closest?.("input, select, textarea");
  if (!isInField) find("main [data-close]")?.click();
}

/** Lets the browser complete the last word of the query; by itself, it completes only the first. */
function completeQuery({ target }: Event): void {
  const { id, value, list } = target as HTMLInputElement;
  if (id !== "q" || !list) return;
  const before = /^(?:[^\s"]|"[^"]*"|\s)*[\s]-?|^-?/.exec(value)![0];
  for (const option of (list as HTMLDataListElement).options) {
    option.dataset.word ??= option.value;
    option.value = before + option.dataset.word;
  }
}

function element(id: string): HTMLElement {
  return document.getElementById(id)!;
}

function pathAndSearch({ pathname, search }: Pick<URL, "pathname" | "search">): string {
  return pathname + search;
}

/** Whether a click follows a link here, and not in a new tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  const { button, metaKey, ctrlKey, altKey, shiftKey } = event;
  return button === 0 && !(metaKey || ctrlKey || altKey || shiftKey);
}

export function find<Found extends HTMLElement = HTMLElement>(selector: string): Found | null {
  return document.querySelector<Found>(selector);
}
