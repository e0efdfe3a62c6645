import { assertEquals } from "@std/assert";
import {
  fitTerminal,
  padTerminal,
  suggestion,
  terminalText,
  terminalWidth,
} from "../../lib/terminal.ts";

Deno.test("terminalWidth: two columns for wide letters and emoji, none for accents", () => {
  const widths = [
    "",
    "abc",
    "é",
    "e\u0301",
    "東京",
    "ｶﾅ",
    "한국",
    "ＡＢ",
    "👍🏽",
    "🇵🇱",
    "❤️",
    "⚠",
    "🏴‍☠️",
  ]
    .map(terminalWidth);
  assertEquals(widths, [0, 3, 1, 1, 4, 2, 4, 4, 2, 2, 2, 1, 2]);
});

Deno.test("fitTerminal: never half of a letter", () => {
  const texts = [["abc", 3], ["abcd", 3], ["東京都", 5], ["東京都", 6], [
    "e\u0301e\u0301e",
    2,
  ]] as const;
  assertEquals(texts.map(([text, columns]) => fitTerminal(text, columns)), [
    "abc",
    "ab…",
    "東京…",
    "東京都",
    "e\u0301…",
  ]);
});

Deno.test("padTerminal: on either side, up to the width", () => {
  assertEquals([padTerminal("東", 4), padTerminal("7", 3, true), padTerminal("long", 2)], [
    "東  ",
    "  7",
    "long",
  ]);
});

Deno.test("terminalText: replaces line breaks, escapes and characters that turn text around", () => {
  assertEquals(
    terminalText("a\tb\n\x1b[2J\u2028\u202ec\u2069 é€"),
    "a\ufffdb\ufffd\ufffd[2J\ufffd\ufffdc\ufffd é€",
  );
});

Deno.test("suggestion: the nearest word, when it is near", () => {
  const known = ["limit", "filter", "format"];
  assertEquals(suggestion("limti", known), ' (did you mean "limit"?)');
  assertEquals(suggestion("FILTR", known), ' (did you mean "filter"?)');
  assertEquals(suggestion("colour", known), "");
  assertEquals(suggestion("x", []), "");
});
