import { assert, assertEquals } from "@std/assert";
import { withShortTexts } from "../../../lib/runs/load_runs.ts";

Deno.test("withShortTexts: long texts are cut, and nothing is left of a long address", () => {
  const long = "x".repeat(1001);
  const recipients = [
    { userId: 1, displayName: long, emailAddress: `${long}@example.com` },
    { userId: 2, displayName: "Bob", emailAddress: "bob@example.com" },
  ];
  const run = { id: 1, reportTitle: long, cardCount: 7, recipients };
  const cut = `${"x".repeat(1000)}…`;
  const masked = { userId: 1, displayName: "…", emailAddress: "…" };
  const short = { ...run, reportTitle: cut, recipients: [masked, recipients[1]] };
  assertEquals(withShortTexts(run), short);
  assertEquals(run.reportTitle, long, "the run itself is unchanged");
  const sensible = { id: 1, reportTitle: "x".repeat(1000), recipients: [recipients[1]] };
  assert(withShortTexts(sensible) === sensible);
});
