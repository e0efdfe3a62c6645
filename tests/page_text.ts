/** A page's words as they stand in its HTML: a line for each block, with bars between cells. */

import { assertEquals } from "@std/assert";
import { Window } from "happy-dom";

/** The words of some markup, and then its links, forms and fields. */
export async function describeMarkup(
  html: string,
): Promise<readonly [words: string, tags: string]> {
  const window = new Window();
  window.document.body.innerHTML = html;
  const body = window.document.body as unknown as Element;
  const description = [linesOf(body), tagsOf(body)] as const;
  await window.happyDOM.close();
  return description;
}

/** Compares a text with that of a file, line by line, or writes it there. */
export async function assertWritten(file: URL, text: string): Promise<void> {
  if (Deno.env.get("DOCKET_STORY_PAGES") === "renew") await Deno.writeTextFile(file, text);
  const before = await Deno.readTextFile(file);
  const message = `${file.pathname}: if this is right, run deno task story-pages`;
  assertEquals(text.split("\n"), before.split("\n"), message);
}

const LEFT_OUT = "script, style, svg, template, datalist, dialog:not([open]), [hidden]";
const INLINE = new Set(
  "A ABBR B BUTTON CODE EM I KBD LABEL MARK S SMALL SPAN STRONG SUB SUP TIME".split(" "),
);

/** What a person reads of an element, without empty lines. */
function linesOf(element: Element): string {
  return piecesOf(element).join("").split("\n")
    .map((line) => line.replaceAll("\u200b", "").replace(/[\s\u00a0]+/g, " ").trim())
    .filter((line) => /[^|\s]/.test(line))
    .join("\n");
}

const TOLD =
  "[href], form, button, input:not([name=form_key]), select, option, textarea, [role], [aria-label]" +
  ", .bad, .drift, .late, .done, [data-announced], [data-busy], [data-late], [data-refreshed]";

/** What its links, forms and fields do, and which parts are marked, but for those in drawings. */
function tagsOf(element: Element): string {
  const tags = [...element.querySelectorAll(TOLD)].filter((tag) => !tag.closest("svg")).map((tag) =>
    (tag.cloneNode(tag.matches("option")) as Element).outerHTML
      .replace(/ (style|id)="[^"]*"|<\/.*>$/g, "")
  );
  return [...new Set(tags)].join("\n");
}

function piecesOf(node: Node): string[] {
  if (node.nodeType === 3 /* text */) return [node.textContent!.replaceAll("\n", " ")];
  if (node.nodeType !== 1 /* element */) return [];
  const element = node as HTMLInputElement;
  if (element.matches(LEFT_OUT)) return [];
  const pieces = () => [...element.childNodes].flatMap(piecesOf);
  switch (element.tagName) {
    case "INPUT":
      return fieldOf(element);
    case "SELECT":
      return [` [${chosenIn(element).textContent}] `];
    case "TD":
    case "TH":
      return [...pieces().map((piece) => piece.replaceAll("\n", " ")), " | "];
  }
  return INLINE.has(element.tagName) ? pieces() : ["\n", ...pieces(), "\n"];
}

function chosenIn(select: Element): Element {
  return select.querySelector("option[selected]") ?? select.querySelector("option")!;
}

function fieldOf(field: HTMLInputElement): string[] {
  if (field.type === "hidden") return [];
  if (/^(checkbox|radio)$/.test(field.type)) return [field.checked ? " [x] " : " [ ] "];
  return [` [${field.value}] `];
}
