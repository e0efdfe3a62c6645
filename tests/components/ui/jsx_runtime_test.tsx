import { assertEquals } from "@std/assert";
import { renderToString } from "preact-render-to-string";
import { jsxEscape, jsxTemplate } from "../../../components/ui/jsx_runtime.ts";

Deno.test("jsxEscape: escapes each text of a list once, and leaves the list as it was", () => {
  const list = ["a & b", <b key="b">{"<c>"}</b>, null, false, 3, ["nested & again"]];
  const html = renderToString(jsxTemplate(["<p>", "</p>"], jsxEscape(list)));
  assertEquals(html, "<p>a &amp; b<b>&lt;c></b>3nested &amp; again</p>");
  assertEquals(list[0], "a & b");
});

Deno.test("jsxEscape: escapes a text, and shows nothing for a missing one", () => {
  const texts = ["a & b", undefined, 0];
  assertEquals(
    texts.map((text) => renderToString(jsxTemplate(["", ""], jsxEscape(text)))),
    ["a &amp; b", "", "0"],
  );
});
