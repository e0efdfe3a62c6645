import { assertEquals } from "@std/assert";
import { meaningOf } from "../../../lib/runs/status.ts";

Deno.test("meaningOf: ignores case, and takes whatever it does not know as neutral", () => {
  const dictionary = { success: "good", failure: "bad" } as const;
  const statuses = ["SUCCESS", "Failure", "paused", "", "__proto__", "toString", null, undefined];
  assertEquals(statuses.map((status) => meaningOf(status, dictionary)), [
    "good",
    "bad",
    ...Array(6).fill("neutral"),
  ]);
});
