import { assertEquals } from "@std/assert";
import { headlineOfCode } from "../../../lib/judgement/headline.ts";
import { headline, type Reason, type Verdict } from "../../../lib/mod.ts";
import { sampleReason } from "../../sample_reasons.ts";

Deno.test("headline: the worst of the reasons, in any order, and not what only informs", () => {
  const of = (state: Verdict["state"], codes: string, severity: Reason["severity"] = "warning") => {
    const all = codes.split(" ").filter(Boolean) as Reason["code"][];
    return headline({ state, reasons: all.map((code) => sampleReason(code, { severity })) });
  };
  const cases: readonly [state: Verdict["state"], codes: string, Verdict["headline"]][] = [
    ["up", "flaky size-jump missed", "missed"],
    ["down", "outside-recipient failing", "failing"],
    ["up", "missed leaver-recipient", "outside"],
    ["down", "sent-to-nobody overdue", "overdue"],
    ["up", "outside-recipient empty-delivery", "empty"],
    ["up", "recipients-dropped stuck", "changed"],
    ["up", "sent-twice flaky", "changed"],
    ["late", "started-by-hand", "flaky"],
    ["up", "stuck", "late"],
    ["late", "", "late"],
    ["up", "clock", "healthy"],
    ["up", "unknown-status", "unknown"],
    ["unknown", "", "unknown"],
    ["new", "", "new"],
  ];
  for (const [state, codes, expected] of cases) assertEquals(of(state, codes), expected, codes);
  assertEquals(of("up", "missed size-jump slower late", "info"), "healthy");
  // Codes of another version have none.
  assertEquals([headlineOfCode("missed"), headlineOfCode("toString")], ["missed", null]);
});
