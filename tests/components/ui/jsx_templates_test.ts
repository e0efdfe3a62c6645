import { assertEquals } from "@std/assert";
import { type ComponentChildren, h, options, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { jsxAttr, jsxEscape, jsxTemplate } from "../../../components/ui/jsx_templates.ts";

const Bold = ({ children }: { readonly children?: ComponentChildren }) => h("b", null, children);
const cell = (value: ComponentChildren) => jsxTemplate(["<td>", "</td>"], jsxEscape(value));

/** Of how many nodes Preact's hooks hear. */
function countNodes(make: () => VNode): number {
  const before = options.vnode;
  let nodes = 0;
  options.vnode = () => void nodes++;
  try {
    make();
  } finally {
    options.vnode = before;
  }
  return nodes;
}

Deno.test("jsxTemplate: text is escaped once, alone and in lists, and the list stays as it is", () => {
  const texts = ["<i>", '"&"', null, false, 0];
  for (let time = 0; time < 2; time++) {
    assertEquals(renderToString(cell(texts)), "<td>&lt;i>&quot;&amp;&quot;0</td>");
  }
  assertEquals(texts, ["<i>", '"&"', null, false, 0]);
  assertEquals(renderToString(cell("a & b")), "<td>a &amp; b</td>");
  assertEquals(renderToString(cell(undefined)), "<td></td>");
  const named = jsxTemplate(["<p", "></p>"], ` ${jsxAttr("title", '"')}`);
  assertEquals(renderToString(named), '<p title="&quot;"></p>');
});

Deno.test("jsxAttr: an attribute that is repeated is the same, and what has no value is left out", () => {
  for (let time = 0; time < 2; time++) {
    assertEquals(jsxAttr("class", 'a"b'), 'class="a&quot;b"');
    assertEquals(jsxAttr("data-label", "Owner"), 'data-label="Owner"');
    assertEquals(jsxAttr("class", undefined), "");
  }
  const values = Array.from({ length: 1000 }, (_, at) => jsxAttr("class", `c${at}`));
  assertEquals(values.at(-1), 'class="c999"');
  assertEquals([jsxAttr("key", "k"), jsxAttr("hidden", false), jsxAttr("toString", "a")], [
    "",
    "",
    'toString="a"',
  ]);
  assertEquals([jsxAttr("colspan", 2), jsxAttr("checked", true)], ['colspan="2"', "checked"]);
});

Deno.test("jsxTemplate: templates in templates are one text, which Preact's hooks do not hear of", () => {
  const row = () =>
    jsxTemplate(["<tr>", "</tr>"], jsxEscape([cell("a"), [cell(1), cell(cell("&"))]]));
  assertEquals(
    renderToString(row()),
    "<tr><td>a</td><td>1</td><td><td>&amp;</td></td></tr>",
  );
  assertEquals(countNodes(row), 0);
});

Deno.test("jsxTemplate: a component is rendered where it stands", () => {
  const row = () =>
    jsxTemplate(
      ["<tr>", "", "</tr>"],
      jsxEscape(cell("<")),
      jsxEscape([h(Bold, null, "&"), "&", cell("a")]),
    );
  assertEquals(renderToString(row()), "<tr><td>&lt;</td><b>&amp;</b>&amp;<td>a</td></tr>");
  const nested = jsxTemplate(["<p>", "</p>"], jsxEscape(row()));
  assertEquals(
    renderToString(nested),
    "<p><tr><td>&lt;</td><b>&amp;</b>&amp;<td>a</td></tr></p>",
  );
  assertEquals(renderToString(h(Bold, null, [cell("a"), "<"])), "<b><td>a</td>&lt;</b>");
});

Deno.test("jsxTemplate: what is finished beside a component is one text", () => {
  const frame = jsxTemplate(
    ["<table>", "", "</table>"],
    jsxEscape(h(Bold, null)),
    jsxEscape([cell("a"), [cell("&"), null]]),
  );
  const { exprs } = frame.props as unknown as { readonly exprs: readonly unknown[] };
  assertEquals(exprs[1], "<td>a</td><td>&amp;</td>");
  assertEquals(renderToString(frame), "<table><b></b><td>a</td><td>&amp;</td></table>");
});

async function* pagesIn(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* pagesIn(new URL(`${encodeURIComponent(name)}/`, folder));
    else if (name.endsWith(".tsx")) yield new URL(encodeURIComponent(name), folder);
  }
}

Deno.test("jsxTemplate: no page has an HTML entity in its JSX, which the build would escape again", async () => {
  const found: string[] = [];
  for (const room of ["components", "islands", "routes"]) {
    for await (const page of pagesIn(new URL(`../../../${room}/`, import.meta.url))) {
      if (/&#?\w+;/.test(await Deno.readTextFile(page))) found.push(page.pathname);
    }
  }
  assertEquals(found, []);
});
