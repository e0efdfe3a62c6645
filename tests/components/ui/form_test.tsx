import { assertEquals, assertMatch } from "@std/assert";
import { Field } from "../../../components/ui/form.tsx";
import { htmlOf, textsOf } from "../rendered.ts";

Deno.test("Field: has a label, what was typed, and its error", () => {
  const right = htmlOf(<Field name="schedule" label="Schedule id" value="x" />);
  assertEquals(textsOf(right, "label"), ["Schedule id"]);
  assertMatch(right, /<label for="schedule">.*<input id="schedule" name="schedule" [^>]*value="x"/);
  assertEquals(right.includes("aria-invalid"), false);
  const wrong = htmlOf(<Field name="schedule" label="Schedule id" issue="is required" />);
  assertMatch(wrong, /aria-describedby="schedule-issue".*id="schedule-issue"/);
  assertEquals(textsOf(wrong, "p"), ["✕ Schedule id is required."]);
});
