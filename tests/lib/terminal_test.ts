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

Deno.test("layOutRows: never cuts a letter in half", () => {
  const cases: readonly [text: string, width: number, cut: string][] = [
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["東京都", 5, "東京…"],
    ["東京都", 6, "東京都"],
    ["e\u0301e\u0301e", 2, "e\u0301…"],
  ];
  for (const [text, width, cut] of cases) {
    const { fit, lineOf } = layOutRows([[text]], { width });
    assertEquals(lineOf(fit([text])), cut);
  }
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

Deno.test("layOutRows: cuts texts, not numbers and times, drops last columns, fills lines", () => {
  const rows = [
    ["name", "id", "started"],
    ["a".repeat(40), "101900000", "2026-11-23T06:00:13Z"],
  ];
  const isWhole = [false, true, true];
  const { widths, fit, lineOf } = layOutRows(rows, { width: 50, isWhole });
  assertEquals(widths, [17, 9, 20]);
  assertEquals(lineOf(fit(rows[1])), `${"a".repeat(16)}…  101900000  2026-11-23T06:00:13Z`);
  assertEquals(layOutRows(rows, { width: 30, isWhole }).widths, [19, 9]);
  assertEquals(layOutRows(rows, { width: 8, isWhole }).widths, [8]);
  assertEquals(layOutRows([["n", ""], ["1", ""]]).widths, [1, 1]);
  // A wider later cell is cut only if its line is full.
  const later = layOutRows([["name", "n"], ["abc", "1"]], { width: 20 });
  assertEquals(later.lineOf(later.fit(["a longer name", "2"])), "a longer name  2");
  assertEquals(later.lineOf(later.fit(["a name that is too long", "2"])), "a n…  2");
});
