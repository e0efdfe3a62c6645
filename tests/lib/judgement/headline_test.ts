import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { headlineOfCode } from "../../../lib/judgement/headline.ts";
import {
  defaultStatusDictionary,
  headline,
  judgeSchedule,
  type Reason,
  type ReportRun,
  type Verdict,
} from "../../../lib/mod.ts";
import { sampleReason } from "../../sample_reasons.ts";

const FIRST = Date.UTC(2026, 0, 5, 6);
const statuses = defaultStatusDictionary();

function reasonOf(code: Reason["code"], severity: Reason["severity"]) {
  return sampleReason(code, { severity });
}

/** A good run each so often, but for some. */
function runsEach(ms: number, count: number, without: readonly number[]): ReportRun[] {
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    status: "success",
    startTime: new Date(FIRST + at * ms).toISOString(),
    endTime: new Date(FIRST + at * ms + 60_000).toISOString(),
    recipientCount: 3,
  })).filter((_, at) => !without.includes(at));
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

/** Twenty good days, and then runs with these statuses. */
function headlineAfter(...newest: readonly (string | null)[]) {
  const runs = runsEach(DAY, 20 + newest.length, [])
    .map((run, at) => at < 20 ? run : { ...run, status: newest[at - 20] });
  const verdict = judgeSchedule({ runs }, { now: FIRST + (runs.length - 0.5) * DAY, statuses });
  return { ...verdict, headline: headline(verdict) };
}

Deno.test("headline: a newest run with a status that nobody knows is unknown, and never healthy", () => {
  for (const newest of ["ARCHIVED", null]) {
    const { headline, state, unknownStatuses } = headlineAfter(newest);
    assertEquals([headline, state], ["unknown", "unknown"]);
    assertEquals(unknownStatuses, [{ status: newest, runs: 1 }]);
  }
  assertEquals(headlineAfter("ARCHIVED", "success").headline, "healthy");
});
