import { assertEquals } from "@std/assert";
import { formatIssue, formatWait } from "../../../components/page/error_message.ts";

Deno.test("formatWait: seconds, from two minutes on whole minutes, or a moment", () =>
  assertEquals([undefined, 0, 1, 119, 120, 121, 600].map(formatWait), [
    ...["a moment", "a moment", "1 s", "119 s", "2 minutes", "3 minutes", "10 minutes"],
  ]));

Deno.test("formatIssue: names the place, counted from one", () => {
  const cases = [
    [{}, "is odd"],
    [{ parameter: "limit", pointer: "/x" }, "limit: is odd"],
    [{ pointer: "/filters/0/field" }, "condition 1 field: is odd"],
    [{ pointer: "/dateFilters/9" }, "date condition 10: is odd"],
    [{ pointer: "/fieldSort" }, "sort key: is odd"],
    [{ parameter: "limit", detail: "limit must be 1 or more" }, "limit must be 1 or more"],
  ] as const;
  for (const [issue, text] of cases) {
    assertEquals(formatIssue({ detail: "is odd", ...issue }), text);
  }
});
