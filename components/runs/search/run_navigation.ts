/** Shows the result of the runs' links and form in place. */
import { loadDocument } from "../../ui/load_document.ts";

/** Ids of the parts of the page that follow the search. The form is FILTER_FORM. */
const PARTS = ["run-filter", "run-charts", "run-results"] as const;

/** A change of a text is sent after so many milliseconds without another one. */
const TYPING_MS = 250;

/** Fields that are only sent when they are complete: by Enter, by a button, or on leaving them. */
const WHEN_COMPLETE = /^(recipient|new-.*)$/;

/** What happens meanwhile. */
export interface RunNavigationEvents {
  /** Another view is shown; the text says how many runs match. */
  readonly onShown: (url: URL, text: string) => void;
  readonly onBusy: () => void;
  readonly onFailed: (retry: () => void) => void;
  /** An export is asked for. */
  readonly onExport: (format: string) => void;
}

/** Begins to handle links and the form. Returns a function that ends it. */
export function createRunNavigation(
  { onShown, onBusy, onFailed, onExport }: RunNavigationEvents,
) {
  let latest = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The query of what is shown. */
  let { search } = location;
  const end = new AbortController();
  const { signal } = end;

  async function show(address: string, how: "push" | "replace", form?: URLSearchParams) {
    clearTimeout(timer);
    latest.abort();
    const { signal } = latest = new AbortController();
    onBusy();
    const answer = await loadDocument(address, { ...(form && { form }), signal });
    if (signal.aborted) return;
    const { responseXML: page, responseURL, status } = answer;
    if (!page?.getElementById("run-filter") || (status !== 200 && status !== 400)) {
      // Such as the sign-in page, after the session has ended.
      if (responseURL && page && status === 200) location.assign(responseURL);
      else onFailed(() => void show(address, how, form));
      return;
    }
    const url = new URL(responseURL);
    if (status === 200 || !form) history[`${how}State`](null, "", url.pathname + url.search);
    search = location.search;
    for (const part of PARTS) replacePart(part, page, form !== undefined);
    onShown(url, page.getElementById("run-result")?.textContent ?? "");
  }

  function send(how: "push" | "replace") {
    const form = document.getElementById("run-filter") as HTMLFormElement;
    const data = new URLSearchParams(new FormData(form) as never);
    void show(location.pathname, how, data);
  }

  document.addEventListener("click", (event) => {
    const { button, metaKey, ctrlKey, altKey, shiftKey } = event;
    const link = (event.target as Element).closest("a");
    const href = link?.getAttribute("href");
    if (!href || !link!.closest("#run-results")) return;
    if (button !== 0 || metaKey || ctrlKey || altKey || shiftKey) return;
    const { format } = link!.dataset;
    if (!format && !href.startsWith("?")) return;
    event.preventDefault();
    if (format) onExport(format);
    else void show(location.pathname + href.replace(/#.*/, ""), "push");
  }, { signal });
  document.addEventListener("submit", (event) => {
    if ((event.target as Element).id !== "run-filter") return;
    event.preventDefault();
    send("push");
  }, { signal });
  const onInput = ({ type, target }: Event) => {
    const control = target as HTMLInputElement;
    if (control.form?.id !== "run-filter" || control.name.startsWith("new-")) return;
    const isTyping = control.type === "text" || control.type === "search";
    if (type === "change") {
      return isTyping && !WHEN_COMPLETE.test(control.name) ? 0 : send("replace");
    }
    if (!isTyping || WHEN_COMPLETE.test(control.name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => send("replace"), TYPING_MS);
  };
  document.addEventListener("input", onInput, { signal });
  document.addEventListener("change", onInput, { signal });
  addEventListener("popstate", () => {
    // An anchor of the page leads to the same runs.
    if (location.search !== search) void show(location.pathname + location.search, "replace");
  }, { signal });
  return () => {
    clearTimeout(timer);
    latest.abort();
    end.abort();
  };
}

/** Replaces a part by that of another page. Focus, open details, and what is being typed stay. */
function replacePart(id: string, page: Document, isTyping: boolean) {
  const present = document.getElementById(id);
  const next = page.getElementById(id);
  if (!present || !next) return;
  const focused = present.contains(document.activeElement)
    ? document.activeElement as HTMLElement
    : null;
  const wasOpen = [...present.querySelectorAll("details")].map(({ open }) => open);
  present.replaceChildren(...next.childNodes);
  present.querySelectorAll("details").forEach((details, at) => details.open ||= wasOpen[at]);
  if (focused) restoreFocus(present, focused, isTyping);
}

function restoreFocus(part: HTMLElement, focused: HTMLElement, isTyping: boolean) {
  const sameId = focused.id ? document.getElementById(focused.id) : null;
  const sameValue = focused instanceof HTMLInputElement && !focused.id
    ? [...part.querySelectorAll("input")]
      .find(({ name, value }) => name === focused.name && value === focused.value)
    : undefined;
  const sameName = [...part.querySelectorAll<HTMLElement>("a[href]")]
    .find((link) => nameOf(link) === nameOf(focused));
  const next = sameId ?? sameValue ?? (focused.matches("a") ? sameName : undefined) ??
    document.getElementById("run-result");
  if (next instanceof HTMLInputElement && focused instanceof HTMLInputElement && sameId) {
    const isText = focused.type === "text" || focused.type === "search";
    const isSent = next.value === "" && focused.name.startsWith("new-");
    if (isTyping && isText && !isSent && focused.name !== "recipient") {
      next.value = focused.value;
      next.setSelectionRange(focused.selectionStart, focused.selectionEnd);
    }
  }
  next?.focus({ preventScroll: true });
}

/** What a link is called, without the arrow of its order. */
function nameOf(link: Element): string {
  return (link.getAttribute("aria-label") ?? link.textContent ?? "").replace(/[↑↓\s]/g, "");
}
