/** Shows the results of links and the form without loading the whole page. */
import { type Control, controlsIn, copyControls, editedControls } from "../../ui/form_controls.ts";
import { loadDocument } from "../../ui/load_document.ts";
import { replacePart } from "./replace_part.ts";

/** Ids of the parts of the page that depend on the search, besides FILTER_FORM. */
const PARTS = ["run-filter", "run-charts", "run-results"] as const;

/** A typed change is sent after this many milliseconds without another one. */
const TYPING_MS = 250;

/** Fields of a new condition: they are only sent by the button or by Enter. */
const ADDED = /^new-/;

export interface RunNavigationEvents {
  /** Another view is shown; the text says how many runs match. */
  readonly onShown: (url: URL, text: string) => void;
  readonly onBusy: () => void;
  readonly onFailed: (retry: () => void) => void;
  readonly onExport: (format: string) => void;
}

/** How the form was sent: by the reader, or because a field changed. */
type Sending = "submitted" | "changed";

/**
 * Starts to handle links and the form. Returns a function that stops it. A new request cancels
 * earlier ones. Fields edited since the form was last sent keep their values whatever the answer
 * says.
 */
export function createRunNavigation(
  { onShown, onBusy, onFailed, onExport }: RunNavigationEvents,
) {
  let latest = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let { search } = location;
  /** Edits and submits are numbered: how many there were, and the last sent and shown. */
  let edits = 0;
  let due = 0;
  let shown = 0;
  /** The last submit. Until it is shown, requests that replace it count as submits too. */
  let submitted = 0;
  /** The last edit of each field, by name. */
  const edited = new Map<string, number>();
  const end = new AbortController();
  const { signal } = end;

  async function show(address: string, how: "push" | "replace", sending?: Sending) {
    clearTimeout(timer);
    latest.abort();
    const { signal } = latest = new AbortController();
    onBusy();
    const form = sending && formData(sending);
    const sent = edits;
    const answer = await loadDocument(address, { ...(form && { form }), signal });
    if (signal.aborted) return;
    const { responseXML: page, responseURL, status } = answer;
    if (!page?.getElementById("run-filter") || (status !== 200 && status !== 400)) {
      // Such as the sign-in page, after the session has ended.
      if (responseURL && page && status === 200) location.assign(responseURL);
      else onFailed(() => void show(address, how, sending));
      return;
    }
    const url = new URL(responseURL);
    if (status === 200 || !form) history[`${how}State`](null, "", url.pathname + url.search);
    search = location.search;
    if (form) shown = sent;
    const isKept = ({ name }: Control) =>
      edited.get(name)! > shown || (sending !== "submitted" && ADDED.test(name));
    copyControls(controlsIn(filterForm()).filter(isKept), filterForm(page));
    const isAsTyped = ({ name }: Control) => !!form && name !== "recipient" && !ADDED.test(name);
    for (const part of PARTS) replacePart(part, page, isAsTyped);
    onShown(url, page.getElementById("run-result")?.textContent ?? "");
    // Somebody followed a link before the form was sent or answered.
    if (due > shown) sendSoon();
  }

  function send() {
    due = edits;
    if (submitted > shown) void show(location.pathname, "push", "submitted");
    else void show(location.pathname, "replace", "changed");
  }

  function sendSoon() {
    due = edits;
    clearTimeout(timer);
    timer = setTimeout(send, TYPING_MS);
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
    submitted = ++edits;
    send();
  }, { signal });
  const onInput = ({ type, target }: Event) => {
    const { form, name, type: kind } = target as HTMLInputElement;
    // A recipient is sent when it is complete: on Enter, or on leaving the field.
    const isSentWhileTyped = /^(text|search|date)$/.test(kind) && name !== "recipient";
    const isChange = type === "change";
    // Leaving a field does not edit it again.
    if (form?.id !== "run-filter" || (isChange && isSentWhileTyped)) return;
    edited.set(name, ++edits);
    if (ADDED.test(name)) return;
    if (isChange) send();
    else if (isSentWhileTyped) sendSoon();
  };
  document.addEventListener("input", onInput, { signal });
  document.addEventListener("change", onInput, { signal });
  addEventListener("popstate", () => {
    // An anchor within the page leads to the same runs.
    if (location.search === search) return;
    shown = edits;
    void show(location.pathname + location.search, "replace");
  }, { signal });
  // Edits from before this code could listen.
  for (const { name } of editedControls(filterForm())) {
    edited.set(name, ++edits);
    if (!ADDED.test(name)) sendSoon();
  }
  return () => {
    clearTimeout(timer);
    latest.abort();
    end.abort();
  };
}

function filterForm(page = document): HTMLFormElement {
  return page.getElementById("run-filter") as HTMLFormElement;
}

function formData(sending: Sending): URLSearchParams {
  const data = new FormData(filterForm());
  if (sending === "changed") {
    for (const name of [...data.keys()]) if (ADDED.test(name)) data.delete(name);
  }
  return new URLSearchParams(data as never);
}
