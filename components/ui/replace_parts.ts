/** Replaces parts of the page with those of a newly loaded one. */

/**
 * Replaces the parts with these ids, or returns false and replaces none if one is missing, or the page
 * is of another version of Docket. Controls in `preserved`, by default the edited ones, keep their
 * values.
 */
export function replaceParts(
  ids: readonly string[],
  page: Document | null,
  preserved?: readonly Control[],
): boolean {
  if (isOfOtherVersion(page)) return false;
  const pairs = ids.map((id) => [document.getElementById(id), page?.getElementById(id)] as const);
  if (!pairs.every(([present, next]) => present && next)) return false;
  for (const [present, next] of pairs) {
    copyControls(preserved ?? formsIn(present!).flatMap(editedControls), next!);
    replacePart(present!, next!);
  }
  return true;
}

/** Whether a page is of another version of Docket: its parts need other styles and scripts. */
export function isOfOtherVersion(page: Document | null): boolean {
  const [own, other] = [document, page].map((each) =>
    each?.querySelector<HTMLElement>("[data-version]")?.dataset.version
  );
  return other !== undefined && other !== own;
}

export function formsIn(part: Element): readonly HTMLFormElement[] {
  const own = part.matches("form") ? [part as HTMLFormElement] : [];
  return [...own, ...part.querySelectorAll("form")];
}

function replacePart(present: HTMLElement, next: HTMLElement): void {
  const { activeElement } = document;
  const focused = activeElement !== present && present.contains(activeElement)
    ? activeElement as HTMLElement
    : null;
  for (const summary of present.querySelectorAll<HTMLElement>("details[open] > summary")) {
    findTwin(summary, present, next)?.parentElement?.setAttribute("open", "");
  }
  const scrolled = [...present.querySelectorAll<HTMLElement>(".scroll")].map((frame) => ({
    frame: findTwin(frame, present, next),
    left: frame.scrollLeft,
    top: frame.scrollTop,
  }));
  const control = focused?.matches("input, select, textarea") ? focused as Control : null;
  const counterpart = control && findCounterpart(control, next);
  const twin = counterpart ?? (focused && findTwin(focused, present, next));
  const [start = null, end = null] = [control?.selectionStart, control?.selectionEnd];
  copyAttributes(next, present);
  present.replaceChildren(...next.childNodes);
  twin?.focus({ preventScroll: true });
  if (start !== null) counterpart?.setSelectionRange(start, end);
  for (const { frame, left, top } of scrolled) {
    if (!frame) continue;
    frame.scrollLeft = left;
    frame.scrollTop = top;
  }
}

function copyAttributes(from: Element, to: Element): void {
  for (const name of to.getAttributeNames()) if (!from.hasAttribute(name)) to.removeAttribute(name);
  for (const name of from.getAttributeNames()) {
    const value = from.getAttribute(name)!;
    if (to.getAttribute(name) !== value) to.setAttribute(name, value);
  }
}

/** The same link, button or frame in the new part: by name and address, or by position. */
function findTwin(element: HTMLElement, present: Element, next: Element): HTMLElement | undefined {
  const href = element.getAttribute("href");
  const isSameAddress = (each: Element) => href !== null && each.getAttribute("href") === href;
  const ofSameKind = (part: Element) => [
    ...part.querySelectorAll<HTMLElement>(`${element.localName}:not([aria-disabled])`),
  ];
  const ofSameName = (part: Element) =>
    ofSameKind(part).filter((each) => nameWithoutState(each) === nameWithoutState(element));
  const found = ofSameName(next);
  return found.find(isSameAddress) ?? found[ofSameName(present).indexOf(element)] ??
    ofSameKind(next).find(isSameAddress);
}

/** An element's name without its state, such as a sort arrow or a negation. */
function nameWithoutState(element: HTMLElement): string {
  const { dataset: { sort }, textContent } = element;
  const name = sort ?? element.getAttribute("aria-label") ?? textContent ?? "";
  return name.toLowerCase().replace(/^(do )?not /, "").replace(/[↑↓\s]/g, "");
}

/** Loads a page as a document, since the page's policy forbids scripts to parse markup. */
export function loadDocument(address: string, signal?: AbortSignal): Promise<XMLHttpRequest> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    signal?.addEventListener("abort", () => request.abort());
    request.onloadend = () => resolve(request);
    request.open("GET", address);
    request.responseType = "document";
    request.send();
  });
}

/** An input, select or text area. The last two are never checked. */
export type Control = HTMLInputElement;

function controlsIn(root: Element): readonly Control[] {
  return [...root.querySelectorAll<Control>(":is(input, select, textarea)[name]")];
}

/** The same control in another copy of a form: by name, and check boxes also by value. */
function findCounterpart(control: Control, root: Element): Control | undefined {
  const { id, name, type, value } = control;
  const isOneOfSeveral = /^(checkbox|radio)$/.test(type);
  return controlsIn(root).find((other) =>
    other.id === id && other.name === name && (!isOneOfSeveral || other.value === value) &&
    other.form?.getAttribute("action") === control.form?.getAttribute("action")
  );
}

function copyControls(controls: readonly Control[], to: Element): void {
  for (const control of controls) {
    const counterpart = findCounterpart(control, to);
    if (!counterpart) continue;
    counterpart.value = control.value;
    counterpart.checked = control.checked;
  }
}

export function editedControls(form: HTMLFormElement): readonly Control[] {
  const served = form.cloneNode(true) as HTMLFormElement;
  served.reset();
  const before = controlsIn(served);
  return controlsIn(form).filter(({ value, checked }, at) =>
    value !== before[at].value || checked !== before[at].checked
  );
}
