/** What the build turns the server's JSX into: Preact's own functions, but for lists of children. */
import { type ComponentChildren, Fragment } from "preact";
import { jsx, jsxEscape as escapeText } from "preact/jsx-runtime";

export { jsx, jsxAttr, jsxs, jsxTemplate } from "preact/jsx-runtime";

/** Escapes a child of a template. Preact's own would escape the texts in a list twice. */
export function jsxEscape(child: ComponentChildren) {
  return Array.isArray(child) ? jsx(Fragment, { children: child }) : escapeText(child);
}
