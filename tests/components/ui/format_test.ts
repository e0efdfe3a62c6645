import { assertEquals } from "@std/assert";
import { formatRelative } from "../../../components/ui/format.ts";

Deno.test("formatRelative: the largest whole unit, before and after now", () => {
  const texts = [0, 59_999, -60_000, 3_599_999, -7_200_000, 86_400_000 * 1200].map(formatRelative);
  assertEquals(texts, ["now", "now", "1 min ago", "in 59 min", "2 h ago", "in 1,200 d"]);
});
