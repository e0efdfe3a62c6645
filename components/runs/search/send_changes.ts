/** Sends the form of the runs whenever a field changes. */
import { editedControls } from "../../ui/form_controls.ts";
import type { followInPlace, Shown } from "../../ui/page_parts.ts";

/** A typed change is sent after this many milliseconds without another one. */
const TYPING_MS = 250;

/** Fields of a new condition: they are only sent by the button or by Enter. */
const ADDED = /^new-/;

/** Listens to the fields until `signal` aborts. Returns what must be called when parts are shown. */
export function sendChanges(
  { send }: Pick<ReturnType<typeof followInPlace>, "send">,
  signal: AbortSignal,
): (shown: Shown) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether a submit is not answered yet. Until then, changes are sent with its new condition. */
  let isSubmitted = false;

  function sendNow(): void {
    clearTimeout(timer);
    if (isSubmitted) send(filterForm());
    else send(filterForm(), { step: "replace", isSent: (name) => !ADDED.test(name) });
  }

  function sendSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(sendNow, TYPING_MS);
  }

  function onInput({ type, target }: Event): void {
    const { form, name, type: kind } = target as HTMLInputElement;
    // A recipient is sent when it is complete: on Enter, or on leaving the field.
    const isSentWhileTyped = /^(text|search|date)$/.test(kind) && name !== "recipient";
    const isChange = type === "change";
    // Leaving a field does not edit it again.
    if (form?.id !== "run-filter" || ADDED.test(name) || (isChange && isSentWhileTyped)) return;
    if (isChange) sendNow();
    else if (isSentWhileTyped) sendSoon();
  }

  document.addEventListener("input", onInput, { signal });
  document.addEventListener("change", onInput, { signal });
  document.addEventListener("submit", ({ target }) => {
    if (target !== filterForm()) return;
    isSubmitted = true;
    clearTimeout(timer);
  }, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  // Edits from before this code could listen.
  if (editedControls(filterForm()).some(({ name }) => !ADDED.test(name))) sendSoon();
  return ({ edited }) => {
    isSubmitted = false;
    clearTimeout(timer);
    if (edited.some(({ name }) => !ADDED.test(name) && name !== "recipient")) sendSoon();
  };
}

function filterForm(): HTMLFormElement {
  return document.getElementById("run-filter") as HTMLFormElement;
}
