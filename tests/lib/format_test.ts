import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  formatBytes,
  formatChange,
  formatCount,
  formatDuration,
  wholeNumber,
} from "../../lib/format.ts";

Deno.test("formatBytes: three figures at most, in the unit that fits", () => {
  const written = [0, 1, 999, 1000, 1449, 99_949, 99_950, 999_499, 999_500, 1e9, 2.5e13]
    .map(formatBytes).join(", ");
  const small = "0 bytes, 1 byte, 999 bytes, 1.0 KB, 1.4 KB, 99.9 KB, 100 KB, 999 KB";
  assertEquals(written, `${small}, 1.0 MB, 1.0 GB, 25.0 TB`);
});

Deno.test("formatDuration: seconds, minutes, hours, and an end before its start", () => {
  const times = [0, 499, 59_499, 59_500, 125_000, 3_600_000, 86_400_000, -5000];
  const written = times.map(formatDuration).join(", ");
  assertEquals(written, "0 s, 0 s, 59 s, 1 min, 2 min 05 s, 1 h, 24 h, −5 s");
});

Deno.test("formatCount: separates thousands as Intl does", () => {
  const counts = [0, 7, 999, 1000, -1000, 12_345, 999_999, 1_000_000, 2 ** 53 - 1, 0.1, 1234.5];
  const { format } = new Intl.NumberFormat("en");
  assertEquals(counts.map(formatCount), counts.map((count) => format(count)));
});

Deno.test("formatChange: factors from two on, percentages below", () => {
  const changes = [[5, 5], [0, 3], [0, -1], [2, 20], [4, 9], [3, 4], [1000, 1001], [4, 3]];
  const written = changes.map(([before, after]) => formatChange(before, after)).join(", ");
  const larger = "unchanged, more, less, 10 times larger, 2.3 times larger";
  assertEquals(written, `${larger}, 33 % more, almost unchanged, 25 % less`);
});

Deno.test("wholeNumber: reads back every exact number, with zeros before it, and no other text", () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (number) => wholeNumber(String(number)) === number));
  assertEquals([wholeNumber("007"), wholeNumber("-12")], [7, -12]);
  // Not by assertEquals, which takes -0 for 0.
  assert(Object.is(wholeNumber("-0"), 0));
  const texts = ["", " ", "1e3", "0x10", "1.0", "+1", "1_000", " 1", "1\n", "Infinity", "١", "--1"];
  for (const text of [...texts, "9007199254740992", "-9007199254740992", "9".repeat(400)]) {
    assertEquals(wholeNumber(text), null, text);
  }
});
