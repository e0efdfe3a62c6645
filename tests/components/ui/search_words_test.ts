import { assertEquals } from "@std/assert";
import { formatTimes, lookUp, operatorLabels } from "../../../components/ui/search_words.ts";

Deno.test("operatorLabels: each operator as one says it, and negated", () => {
  const operators = "EQUALS LIKE IN IS_NULL GREATER_THAN GREATER_THAN_OR_EQUAL LESS_THAN " +
    "LESS_THAN_OR_EQUAL DURING SOUNDS_LIKE toString";
  assertEquals(operators.split(" ").map((operator) => operatorLabels(operator).join(" / ")), [
    "is / is not",
    "contains / does not contain",
    "is one of / is none of",
    "has no value / has a value",
    "is over / is not over",
    "is at least / is not at least",
    "is under / is not under",
    "is at most / is not at most",
    "is in / is not in",
    "SOUNDS_LIKE / not SOUNDS_LIKE",
    "toString / not toString",
  ]);
  assertEquals(lookUp({ a: 1 }, "toString"), undefined);
});

Deno.test("formatTimes: whole days in the reader's zone, the last included; else exact times", () => {
  const text = (start?: string, end?: string, zone = "UTC") =>
    formatTimes({ field: "x", start, end }, zone);
  assertEquals(text("2026-01-31T00:00:00Z", "2026-02-01T00:00:00Z"), "on 2026-01-31");
  assertEquals(
    text("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
    "from 2026-01-01 to 2026-01-31",
  );
  assertEquals(text("2026-01-01T00:00:00Z"), "from 2026-01-01");
  assertEquals(text(undefined, "2026-02-01T00:00:00Z"), "until 2026-01-31");
  assertEquals(text(), "at any time");
  assertEquals(
    text("2026-01-30T23:00:00Z", "2026-01-31T23:00:00Z", "Europe/Berlin"),
    "on 2026-01-31",
  );
  assertEquals(
    text("2026-01-01T05:30:00Z", "2026-02-01T00:00:00Z"),
    "from 2026-01-01 05:30 and before 2026-02-01 00:00",
  );
  assertEquals(text(undefined, "2026-02-01T05:30:00Z"), "before 2026-02-01 05:30");
});
