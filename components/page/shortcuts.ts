/** Keyboard shortcuts. Pages load this with the first shortcut key that is pressed. */

/** Runs the shortcut of a key. */
export function runShortcut(key: string): void {
  switch (key) {
    case "/":
      document.querySelector<HTMLElement>('main input[type="search"]')?.focus();
      break;
    case "j":
      moveRow(1);
      break;
    case "k":
      moveRow(-1);
      break;
    case "?":
      document.querySelector<HTMLDialogElement>("#shortcuts")?.showModal();
  }
}

/** Focuses the link of the next or previous row of the first table, counted from the open row. */
function moveRow(step: 1 | -1): void {
  const table = document.querySelector("main .scroll table");
  const links = [...table?.querySelectorAll<HTMLElement>("tbody th a") ?? []];
  const rows = links.map((link) => link.closest("tr"));
  const focused = rows.findIndex((row) => row?.contains(document.activeElement));
  const current = focused >= 0 ? focused : rows.findIndex((row) => row?.classList.contains("open"));
  const next = current < 0 && step < 0 ? links.length - 1 : current + step;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}
