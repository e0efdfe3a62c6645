/** The functions that the server's JSX is compiled to: Preact's, except for lists of children. */
import { type ComponentChildren, Fragment } from "preact";
import { jsx, jsxEscape as escapeText } from "preact/jsx-runtime";

export { jsx, jsxAttr, jsxs, jsxTemplate } from "preact/jsx-runtime";

/** Escapes a child of a template. Preact's own function would escape the texts in a list twice. */
export function jsxEscape(child: ComponentChildren) {
  return Array.isArray(child) ? jsx(Fragment, { children: child }) : escapeText(child);
}
