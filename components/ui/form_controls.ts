/** An input, select or text area. The last two are never checked. */
export type Control = HTMLInputElement;

export function controlsIn(root: Element): readonly Control[] {
  return [...root.querySelectorAll<Control>(":is(input, select, textarea)[name]")];
}

/** The same control in another copy of a form: by name, and check boxes also by value. */
export function findCounterpart(control: Control, root: Element): Control | undefined {
  const { id, name, type, value } = control;
  const isOneOfSeveral = /^(checkbox|radio)$/.test(type);
  return controlsIn(root).find((other) =>
    other.id === id && other.name === name && (!isOneOfSeveral || other.value === value) &&
    other.form?.getAttribute("action") === control.form?.getAttribute("action")
  );
}

export function copyControls(controls: readonly Control[], to: Element): void {
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
