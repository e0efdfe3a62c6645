/** What a browser sends when a form is submitted. */

/** The request of a form's button, or of Enter in a field. */
export function submission(form: HTMLFormElement, button: Element | null, page: URL): Request {
  const isUnchecked = form.hasAttribute("novalidate") || button?.hasAttribute("formnovalidate");
  if (!isUnchecked && !form.checkValidity()) throw new Error("A browser does not send this form");
  const setting = (name: string) => button?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  const url = new URL(setting("action") ?? page.href, page);
  const sent = new URLSearchParams(entriesOf(form, button));
  if (setting("method")?.toLowerCase() === "post") {
    return new Request(url, { method: "POST", body: sent, headers: { origin: page.origin } });
  }
  url.search = sent.toString();
  return new Request(url);
}

function entriesOf(form: HTMLFormElement, button: Element | null): [string, string][] {
  const outside = form.id ? [...form.ownerDocument.querySelectorAll(`[form="${form.id}"]`)] : [];
  const inside = [...form.querySelectorAll("input, select, textarea, button")].filter((field) =>
    !field.hasAttribute("form")
  );
  const all = [...inside, ...outside].sort((a, b) =>
    a.compareDocumentPosition(b) & 4 /* following */ ? -1 : 1
  ) as HTMLInputElement[];
  return all.filter((field) => {
    if (!field.getAttribute("name") || field.closest(":disabled, fieldset[disabled]")) return false;
    if (field.tagName === "BUTTON") return field === button;
    return !/^(checkbox|radio)$/.test(field.type) || field.checked;
  }).map((field) => [field.getAttribute("name")!, field.value]);
}

/** The button that Enter presses. */
export function defaultButton(form: HTMLFormElement): Element | null {
  const buttons = [...form.ownerDocument.querySelectorAll("button:not([type=button])")];
  return buttons.find((button) => formOf(button) === form) ?? null;
}

/** The form that a field or a button belongs to. */
export function formOf(element: Element): HTMLFormElement | null {
  const named = element.getAttribute("form");
  const form = named ? element.ownerDocument.getElementById(named) : element.closest("form");
  return form as HTMLFormElement | null;
}
