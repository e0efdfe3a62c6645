/** What single keys do. Pages load it with the first key that is pressed outside a text. */

/** Does what a key stands for; says whether it stands for anything here. */
export function runShortcut(key: string): boolean {
  switch (key) {
    case "/":
      return focusOn(document.querySelector<HTMLElement>('main input[type="search"]'));
    case "j":
      return moveRow(1);
    case "k":
      return moveRow(-1);
    case "?": {
      const help = document.querySelector<HTMLDialogElement>("#shortcuts");
      help?.showModal();
      return help !== null;
    }
    default:
      return false;
  }
}

/** Goes to the link of the next row of the first table, or of the one before. */
function moveRow(step: 1 | -1): boolean {
  const table = document.querySelector("main .scroll table");
  const links = [...table?.querySelectorAll<HTMLElement>("tbody th a") ?? []];
  const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  const next = at < 0 ? (step === 1 ? 0 : links.length - 1) : at + step;
  return focusOn(links[Math.min(Math.max(next, 0), links.length - 1)] ?? null);
}

function focusOn(element: HTMLElement | null): boolean {
  element?.focus();
  return element !== null;
}
