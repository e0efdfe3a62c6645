/** A control of a form: an input, or a select, which is never checked. */
export type Control = HTMLInputElement;

export function controlsIn(root: Element): readonly Control[] {
  return [...root.querySelectorAll<Control>("[name]")];
}

/** The control that has the same name elsewhere, and where several have it, the same value. */
export function counterpartOf({ id, name, value }: Control, root: Element): Control | undefined {
  return controlsIn(root).find((other) => other.name === name && (id || other.value === value));
}

/** Copies what is typed and chosen to the controls of the same names. */
export function copyControls(controls: readonly Control[], to: Element): void {
  for (const control of controls) {
    const counterpart = counterpartOf(control, to);
    if (!counterpart) continue;
    counterpart.value = control.value;
    counterpart.checked = control.checked;
  }
}

/** The controls that are no longer as the form was served. */
export function editedControls(form: HTMLFormElement): readonly Control[] {
  const served = form.cloneNode(true) as HTMLFormElement;
  served.reset();
  const before = controlsIn(served);
  return controlsIn(form).filter(({ value, checked }, at) =>
    value !== before[at].value || checked !== before[at].checked
  );
}
