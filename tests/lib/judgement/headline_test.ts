import { assertEquals } from "@std/assert";
import { headlineOfCode } from "../../../lib/judgement/headline.ts";
import { headline, type Reason, type Verdict } from "../../../lib/mod.ts";
import { sampleReason } from "../../sample_reasons.ts";

function reasonOf(code: Reason["code"], severity: Reason["severity"]) {
  return sampleReason(code, { severity });
}

Deno.test("headline: the worst of the reasons, whatever their order", () => {
  const of = (state: Verdict["state"], ...codes: Reason["code"][]) =>
    headline({ state, reasons: codes.map((code) => reasonOf(code, "warning")) });
  assertEquals(of("up", "flaky", "size-jump", "missed"), "missed");
  assertEquals(of("down", "outside-recipient", "failing"), "failing");
  assertEquals(of("up", "missed", "leaver-recipient"), "outside");
  assertEquals(of("down", "sent-to-nobody", "overdue"), "overdue");
  assertEquals(of("up", "outside-recipient", "empty-delivery"), "empty");
  assertEquals(of("up", "recipients-dropped", "stuck"), "changed");
  assertEquals(of("up", "sent-twice", "flaky"), "changed");
  assertEquals(of("late", "started-by-hand"), "flaky");
  assertEquals([of("up", "stuck"), of("late")], ["late", "late"]);
  assertEquals([of("up", "clock"), of("up")], ["healthy", "healthy"]);
  assertEquals([of("up", "unknown-status"), of("unknown", "unreadable")], ["unknown", "unknown"]);
  assertEquals([of("new"), of("unknown")], ["new", "unknown"]);
});

Deno.test("headline: what only informs does not change it", () => {
  for (const code of ["missed", "size-jump", "slower", "late"] as const) {
    assertEquals(headline({ state: "up", reasons: [reasonOf(code, "info")] }), "healthy", code);
  }
});

Deno.test("headlineOfCode: codes of another version have none", () => {
  assertEquals([headlineOfCode("missed"), headlineOfCode("toString")], ["missed", null]);
});
