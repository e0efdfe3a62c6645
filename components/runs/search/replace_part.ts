/** Replaces parts of the page with those of another page. */
import { type Control, counterpartOf } from "../../ui/form_controls.ts";

/**
 * Replaces a part with that of another page. Open details and the focus stay, and also the text of a
 * focused control to which `isAsTyped` applies.
 */
export function replacePart(
  id: string,
  page: Document,
  isAsTyped: (control: Control) => boolean,
): void {
  const present = document.getElementById(id);
  const next = page.getElementById(id);
  if (!present || !next) return;
  const focused = present.contains(document.activeElement)
    ? document.activeElement as Control
    : null;
  const wasOpen = [...present.querySelectorAll("details")].map(({ open }) => open);
  const counterpart = focused && counterpartOf(focused, next);
  if (counterpart) {
    replaceAround(present, next, focused, counterpart);
    updateFocused(focused, counterpart, isAsTyped(focused));
  } else present.replaceChildren(...next.childNodes);
  present.querySelectorAll("details").forEach((details, at) => details.open ||= wasOpen[at]);
  if (focused && !counterpart) {
    const sameName = focused.matches("a")
      ? [...present.querySelectorAll<HTMLElement>("a[href]")]
        .find((link) => nameOf(link) === nameOf(focused))
      : undefined;
    (sameName ?? document.getElementById("run-result"))?.focus({ preventScroll: true });
  }
}

/** Replaces all but one element, which would lose the focus and a half-typed date. */
function replaceAround(present: Element, next: Element, kept: Element, counterpart: Element) {
  const child = [...present.children].find((node) => node.contains(kept))!;
  const nextChild = [...next.children].find((node) => node.contains(counterpart))!;
  const nodes = [...next.childNodes];
  const at = nodes.indexOf(nextChild);
  for (const node of [...present.childNodes]) if (node !== child) node.remove();
  child.before(...nodes.slice(0, at));
  child.after(...nodes.slice(at + 1));
  if (child !== kept) replaceAround(child, nextChild, kept, counterpart);
}

/** Updates the focused control. What was typed stays as typed, such as `2 min`. */
function updateFocused(control: Control, next: Control, isAsTyped: boolean) {
  for (const name of ["aria-invalid", "aria-describedby"]) {
    const value = next.getAttribute(name);
    if (value === null) control.removeAttribute(name);
    else control.setAttribute(name, value);
  }
  control.checked = next.checked;
  if (!isAsTyped && control.value !== next.value) control.value = next.value;
}

/** The text of a link, without its sort arrow. */
function nameOf(link: Element): string {
  return (link.getAttribute("aria-label") ?? link.textContent ?? "").replace(/[↑↓\s]/g, "");
}
