/**
 * What the build turns the server's JSX into: calls of these functions. They are Preact's own, but a
 * template without components becomes text at once. So a table of 500 cells is one text instead of 700
 * virtual nodes.
 */
import { type ComponentChild, Fragment, type VNode } from "preact";
import {
  jsx,
  jsxAttr as attributeOf,
  jsxEscape as escapeText,
  jsxs,
  jsxTemplate as nodeOf,
} from "preact/jsx-runtime";

export { jsx, jsxs };

/** What `jsxEscape` gives: null, escaped text, a node, or several of these. */
type Escaped = null | string | VNode | readonly Escaped[];

/** A node that is finished text. */
interface TextNode {
  readonly props: { readonly tpl: readonly [string]; readonly exprs: null };
}

/** Attributes that the rows of a table repeat, by their values. */
const REPEATED: Readonly<Record<string, Map<string, string>>> = {
  class: new Map(),
  "data-label": new Map(),
};

const MOST_KEPT = 500;

/** An attribute as text; empty if it is left out. */
export function jsxAttr(name: string, value: unknown): string {
  if (name === "key") return "";
  if (typeof value !== "string") return attributeOf(name, value) ?? "";
  const kept = Object.hasOwn(REPEATED, name) ? REPEATED[name] : undefined;
  const known = kept?.get(value);
  if (known !== undefined) return known;
  const text = attributeOf(name, value) ?? "";
  if (kept && kept.size < MOST_KEPT) kept.set(value, text);
  return text;
}

/** A template: its static parts, and what stands between them. */
export function jsxTemplate(parts: readonly string[], ...between: readonly Escaped[]): VNode {
  let text = parts[0];
  for (let index = 0; index < between.length; index++) {
    const joined = textOf(between[index]);
    if (joined === null) {
      return nodeOf(parts as string[], ...between.map((child): unknown => textOf(child) ?? child));
    }
    text += joined + parts[index + 1];
  }
  return textNode(text);
}

/** Prepares a child: text is escaped, and nodes stay as they are. */
export function jsxEscape(child: ComponentChild | readonly ComponentChild[]): Escaped {
  if (!Array.isArray(child)) return escapeText(child) as Escaped;
  return child.map((each) => {
    const escaped = jsxEscape(each);
    // Preact would escape a text in a list once more.
    return typeof escaped === "string" ? textNode(escaped) : escaped;
  });
}

/** The text of a child, or null if a component has to be rendered first. */
function textOf(child: Escaped): string | null {
  if (child === null) return "";
  if (typeof child === "string") return child;
  if (!Array.isArray(child)) return isText(child) ? child.props.tpl[0] : null;
  const texts: string[] = [];
  for (const each of child) {
    const text = textOf(each);
    if (text === null) return null;
    texts.push(text);
  }
  // Copied at once: a page that is concatenated from thousands of pieces takes longer to put together.
  return texts.join("");
}

function isText(node: unknown): node is TextNode {
  return (node as TextNode).props?.exprs === null;
}

/** A node that Preact renders without telling its hooks, which have nothing to do with a text. */
function textNode(text: string): VNode {
  const props = { tpl: [text], exprs: null };
  return {
    type: Fragment,
    props,
    key: null,
    ref: null,
    constructor: undefined,
  } as unknown as VNode;
}
