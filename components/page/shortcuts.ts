/** Keyboard shortcuts. Pages load this with the first shortcut key that is pressed. */

export function runShortcut(key: string): void {
  switch (key) {
    case "j":
      step("next", 1);
      break;
    case "k":
      step("prev", -1);
      break;
    case "?":
      document.querySelector<HTMLDialogElement>("#shortcut-help")?.showModal();
  }
}

function step(rel: "next" | "prev", by: 1 | -1): void {
  const link = document.querySelector<HTMLElement>(`.drawer [rel="${rel}"]`);
  if (link) link.click();
  else moveRow(by);
}

/** Focuses the next or previous row of the first table, or opens its next page. */
function moveRow(step: 1 | -1): void {
  const found = [...document.querySelectorAll<HTMLElement>(
    "main .scroll table, main:not(:has([aria-busy])) [data-page=Next]",
  )];
  const at = found.findIndex((each) => each.matches("table"));
  const links = [...found[at]?.querySelectorAll<HTMLElement>("tbody th a") ?? []];
  const current = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  // The next element may be another table.
  const page = found[at + 1];
  if (step > 0 && current >= 0 && current === links.length - 1 && page?.dataset.page) page.click();
  const next = current < 0 && step < 0 ? links.length - 1 : current + step;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}
