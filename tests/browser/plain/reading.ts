/** What people read on a page: the roles, names, labels and texts of its elements. */

const FROM_CONTENT = new Set(
  ["link", "button", "heading", "cell", "row", "rowheader", "columnheader", "checkbox", "option"],
);
const ROLES: Readonly<Record<string, string>> = {
  alert: "[role=alert]",
  button: "button, [role=button]",
  cell: "td",
  checkbox: "input[type=checkbox]",
  columnheader: "th[scope=col], thead th:not([scope])",
  combobox: "select, input[list], [role=combobox]",
  definition: "dd",
  dialog: "dialog, [role=dialog]",
  group: "fieldset, details, [role=group]",
  heading: "h1, h2, h3, h4",
  link: "a[href], area[href], a[role=link]",
  listitem: "li",
  main: "main",
  navigation: "nav",
  region: "section, [role=region]",
  row: "tr",
  rowheader: "th[scope=row]",
  searchbox: "input[type=search]:not([list])",
  status: "[role=status], output",
  table: "table",
  time: "time",
};
const INLINE = new Set(
  "A ABBR B CODE EM I KBD LABEL MARK S SMALL SPAN STRONG SUB SUP TIME".split(" "),
);

/** A text that is looked for: part of it in any case, all of it, or a pattern. */
export type Wanted = string | RegExp;

export function isWanted(text: string, wanted: Wanted, exact = false): boolean {
  const said = words(text);
  if (wanted instanceof RegExp) return wanted.test(said);
  return exact ? said === words(wanted) : said.toLowerCase().includes(words(wanted).toLowerCase());
}

export function words(text: string): string {
  return text.replaceAll("\u200b", "").replace(/[\s\u00a0]+/g, " ").trim();
}

/** What has a role and is not hidden. */
export function withRole(within: ParentNode, role: string): Element[] {
  const selector = ROLES[role];
  if (!selector) throw new Error(`Which elements are of the role ${role}?`);
  return [...within.querySelectorAll(selector)].filter((element) => {
    const given = element.getAttribute("role");
    if (given && given !== role) return false;
    if (role === "region" && nameOf(element, role) === "") return false;
    return isShown(element) && !element.closest("[aria-hidden=true]");
  });
}

/** Whether HTML alone shows an element. What styles hide is for a real browser to tell. */
export function isShown(element: Element): boolean {
  if (element.closest("[hidden], template, script, dialog:not([open])")) return false;
  const closed = element.closest("details:not([open])");
  if (!closed) return true;
  const summary = element.closest("summary");
  return summary?.parentElement === closed &&
    (!closed.parentElement || isShown(closed.parentElement));
}

/** The accessible name. */
export function nameOf(element: Element, role: string): string {
  const root = element.ownerDocument;
  const labelledBy = element.getAttribute("aria-labelledby");
  if (labelledBy) {
    return words(labelledBy.split(" ").map((id) => contentOf(root.getElementById(id)!)).join(" "));
  }
  const given = element.getAttribute("aria-label");
  if (given) return words(given);
  const own = element.querySelector(":scope > caption, :scope > legend");
  if (own) return words(contentOf(own));
  const labels = labelsOf(element);
  if (labels.length > 0) return words(labels.join(" "));
  const content = FROM_CONTENT.has(role) ? words(contentOf(element)) : "";
  return content || words(element.getAttribute("title") ?? "");
}

/** What an element says, as a part of a name. */
function contentOf(node: Node): string {
  if (node.nodeType === 3) return node.textContent ?? "";
  if (node.nodeType !== 1) return "";
  const element = node as Element;
  if (element.getAttribute("aria-hidden") === "true" || element.hasAttribute("hidden")) return "";
  const content = element.getAttribute("aria-label") ||
    [...element.childNodes].map(contentOf).join("");
  return INLINE.has(element.tagName) ? content : ` ${content} `;
}

/** The texts of a field's labels. */
export function labelsOf(element: Element): string[] {
  if (!/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName)) return [];
  const around = element.closest("label");
  const beside = element.id
    ? [...element.ownerDocument.querySelectorAll(`label[for="${element.id}"]`)]
    : [];
  return [...new Set([...beside, ...around ? [around] : []])].map((label) => label.textContent!);
}

/** What a label names: fields, and whatever has a label for those who do not see. */
export function withLabel(within: ParentNode, wanted: Wanted, exact?: boolean): Element[] {
  return [...within.querySelectorAll("input, select, textarea, [aria-label], [aria-labelledby]")]
    .filter((element) => {
      const isNamed = element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby");
      const labels = isNamed ? [nameOf(element, "")] : labelsOf(element);
      return labels.some((label) => isWanted(label, wanted, exact));
    });
}

/** The innermost elements that say it, which can be the one that is searched. */
export function withText(within: Element, wanted: Wanted, exact?: boolean): Element[] {
  const says = (element: Element) =>
    !/^(SCRIPT|STYLE|NOSCRIPT|HEAD)$/.test(element.tagName) &&
    isWanted(element.textContent ?? "", wanted, exact);
  return [within, ...within.querySelectorAll("*")].filter((element) =>
    says(element) && !element.closest("head") && ![...element.children].some(says)
  );
}
