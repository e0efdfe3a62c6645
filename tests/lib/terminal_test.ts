import { assertEquals } from "@std/assert";
import { layOutRows, suggestion, terminalText, terminalWidth } from "../../lib/terminal.ts";

Deno.test("terminalWidth: two columns for wide letters and emoji, none for accents", () => {
  const texts = [["", "abc", "é", "e\u0301"], ["東京", "ｶﾅ", "한국", "ＡＢ"], [
    "👍🏽",
    "🇵🇱",
    "❤️",
    "⚠",
    "🏴‍☠️",
  ]];
  const widths = texts.map((row) => row.map(terminalWidth));
  assertEquals(widths, [[0, 3, 1, 1], [4, 2, 4, 4], [2, 2, 2, 1, 2]]);
});

Deno.test("layOutRows: columns are as wide as their widest cells, and nothing is cut", () => {
  const lineOf = layOutRows([["name", "n"], ["東京都", "12"]], [false, true]);
  assertEquals(lineOf(["é", "7"]), "é        7");
  assertEquals(lineOf(["a longer name", "200"]), "a longer name  200");
});

Deno.test("terminalText: replaces line breaks, escapes and characters that turn text around", () => {
  const replaced = terminalText("a\tb\n\x1b[2J\u2028\u202ec\u2069 é€");
  assertEquals(replaced, "a\ufffdb\ufffd\ufffd[2J\ufffd\ufffdc\ufffd é€");
});

Deno.test("suggestion: the nearest word, when it is near", () => {
  const known = ["limit", "filter", "format"];
  assertEquals(suggestion("limti", known), ' (did you mean "limit"?)');
  assertEquals(suggestion("FILTR", known), ' (did you mean "filter"?)');
  assertEquals(suggestion("colour", known), "");
  assertEquals(suggestion("x", []), "");
  // Of six letters, two may differ; of five, one.
  assertEquals(["firmot", "limxx"].map((typed) => suggestion(typed, known) !== ""), [true, false]);
});
