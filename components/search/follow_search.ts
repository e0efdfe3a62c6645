/** Follows links and sends forms of a search in place: the server renders the parts that change. */
import { type Control, controlsIn, editedControls } from "../ui/form_controls.ts";
import { formsIn, isOfOtherVersion, loadDocument, replaceParts } from "../ui/replace_parts.ts";

/** Says what is shown. It gets the focus when the focused element is gone. */
const STATUS = "search-result";
export const SEARCH_PARTS: readonly string[] = [
  ...["search-form", STATUS, "search-tools", "search-found"],
];
const LINKS = SEARCH_PARTS.map((id) => `#${id}`).join();

interface SearchOptions {
  readonly ids?: readonly string[];
  readonly texts: { readonly busy: string; readonly failed: string };
  readonly onExport: (href: string) => void;
  /** The target of a click that is not a plain link's; null for other clicks. */
  readonly findTarget?: (event: MouseEvent) => Target | null;
  readonly onShown?: (shown: Shown) => void;
}

export type Target = (shown: URL) => string | Promise<string>;

export interface Shown {
  readonly before: URL;
  readonly url: URL;
}

/** Whether to add an entry to the browser's history, or to replace the current one. */
type Step = "push" | "replace";

interface Request {
  readonly address: string;
  readonly step: Step;
  readonly form?: { readonly id: string; readonly data: URLSearchParams; readonly isPost: boolean };
  /** Whether the reader went back or forward, which drops what was typed. */
  readonly isHistory?: boolean;
}

/**
 * Handles the links and forms of the parts until the returned function is called. The URL always
 * describes what is shown. What is asked for during loading takes the place of what loads.
 */
export function followSearch(
  { ids = SEARCH_PARTS, texts, onExport, ...options }: SearchOptions,
): () => void {
  const end = new AbortController();
  const { signal } = end;
  let loading = new AbortController();
  let shown = new URL(location.href);
  let isError = false;

  async function show(request: Request): Promise<void> {
    const { address, step, form, isHistory } = request;
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    const sent = new Map(
      (form ? controlsIn(element(form.id)) : []).map((control) => [control, controlValue(control)]),
    );
    setBusy(true);
    element(STATUS).textContent = texts.busy;
    const answer = await loadDocument(address, {
      ...(form?.isPost && { form: form.data }),
      signal,
    });
    if (signal.aborted) return;
    const { responseXML: page, responseURL } = answer;
    const focused = document.activeElement;
    const edited = isHistory ? [] : forms().flatMap(editedControls)
      .filter((control) => sent.get(control) !== controlValue(control));
    // The errors of a form sent by POST have no address of their own.
    const hasAddress = answer.status === 200 || !form?.isPost;
    if (!replaceParts(ids, page, edited)) {
      // Such as the sign-in page, after the session has ended, or the errors of another version.
      const isWhole = answer.status === 200 || isOfOtherVersion(page);
      if (responseURL && page && isWhole && hasAddress) location.assign(responseURL);
      else fail(request);
      return;
    }
    const before = shown;
    if (hasAddress) {
      enter(new URL(responseURL), step);
      isError = answer.status !== 200;
    }
    if (!focused?.isConnected && document.activeElement === document.body) {
      element(STATUS).focus({ preventScroll: true });
    }
    moveFocus();
    options.onShown?.({ before, url: shown });
  }

  /** Shows an address in the browser, in place of one that led to an error. */
  function enter(url: URL, step: Step): void {
    shown = url;
    const isSame = pathAndSearch(url) === pathAndSearch(location);
    const how = isSame || isError ? "replace" : step;
    history[`${how}State`](null, "", pathAndSearch(url));
  }

  function fail(request: Request): void {
    setBusy(false);
    // What is shown is not what was asked for.
    for (const id of ids) if (id !== STATUS) element(id).dataset.stale = "";
    const retry = document.createElement("button");
    retry.type = "button";
    retry.className = "quiet";
    retry.textContent = "Try again";
    retry.onclick = () => void show(request);
    const status = element(STATUS);
    // Unlike that all rows are shown, everybody has to see this.
    status.className = "result help";
    status.replaceChildren(`${texts.failed} `, retry);
  }

  function send(form: HTMLFormElement, submitter: HTMLElement | null): void {
    const fields = new FormData(form);
    const { name, value } = (submitter ?? {}) as Partial<HTMLButtonElement>;
    if (name) fields.append(name, value!);
    const data = new URLSearchParams([...fields] as string[][]);
    const { pathname } = new URL(form.action);
    const isPost = form.method === "post";
    const address = isPost ? pathname : `${pathname}?${data}`;
    void show({ address, step: "push", form: { id: form.id, data, isPost } });
  }

  function follow(event: MouseEvent): void {
    const clicked = event.target as Element;
    if (!clicked.closest(LINKS)) return;
    const link = clicked.closest("a");
    const step: Step = link?.rel ? "replace" : "push";
    const target = options.findTarget?.(event);
    if (target) {
      event.preventDefault();
      void showTarget(target, step);
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
    void show({ address: pathAndSearch(link), step });
  }

  async function showTarget(target: Target, step: Step): Promise<void> {
    try {
      await show({ address: await target(shown), step });
    } catch {
      // Its code went with an update, and the browser requests it again only after a reload.
      element(STATUS).textContent = `${texts.failed} Reload the page.`;
    }
  }

  function forms(): readonly HTMLFormElement[] {
    return ids.flatMap((id) => formsIn(element(id)));
  }

  function setBusy(isBusy: boolean): void {
    for (const id of ids) {
      if (id === STATUS) continue;
      if (isBusy) element(id).setAttribute("aria-busy", "true");
      else element(id).removeAttribute("aria-busy");
    }
  }

  document.addEventListener("click", follow, { signal });
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const isOurs = forms().includes(form) && new URL(form.action).pathname === location.pathname;
    if (!isOurs) return;
    event.preventDefault();
    send(form, event.submitter);
  }, { signal });
  document.addEventListener("input", completeQuery, { signal });
  addEventListener("keydown", onEscape, { signal });
  addEventListener("popstate", () => {
    // A link to an anchor of this page loads nothing.
    if (pathAndSearch(location) === pathAndSearch(shown)) return;
    void show({ address: pathAndSearch(location), step: "replace", isHistory: true });
  }, { signal });
  return () => {
    loading.abort();
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

function controlValue({ value, checked }: Control): string {
  return `${checked} ${value}`;
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
