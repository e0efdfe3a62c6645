import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { reasonText } from "../../../lib/mod.ts";
import type { ReasonCode, ReasonOf } from "../../../lib/judgement/reason.ts";
import { sampleReason, SINCE as AT } from "../../sample_reasons.ts";

const zone = "Europe/Berlin";

function text<Code extends ReasonCode>(code: Code, more: Partial<ReasonOf<Code>> = {}): string {
  return reasonText(sampleReason(code, more), { zone });
}

Deno.test("reasonText: failing, overdue and missed runs, with when they were due", () => {
  assertEquals(text("failing", { count: 7 }), "failing for 7 runs");
  assertEquals(text("failing", { count: 1, lastGood: null }), "failing for at least 1 run");
  assertEquals(text("overdue"), "due Wed 18 Nov 06:00, not started");
  assertEquals(
    text("overdue", { count: 2 }),
    "2 runs due since Wed 18 Nov 06:00 have not started",
  );
  assertEquals(text("missed"), "missed on Wed 18 Nov");
  const some = text("missed", { count: 9, latest: AT + 8 * DAY });
  assertEquals(some, "9 runs missed, from Wed 18 Nov to Thu 26 Nov");
  const twiceDaily = { everyMs: DAY / 2, latest: AT + DAY / 2, count: 2 };
  assertEquals(
    text("missed", twiceDaily),
    "2 runs missed, from Wed 18 Nov 06:00 to Wed 18 Nov 18:00",
  );
  assertEquals(text("missed", { everyMs: DAY / 2 }), "missed the run of Wed 18 Nov 06:00");
  // One planned run shows no rhythm.
  assertEquals(text("missed", { everyMs: 0 }), "missed on Wed 18 Nov");
});

Deno.test("reasonText: times in the zone and the locale, and UTC by its name", () => {
  const reason = sampleReason("overdue");
  assertEquals(reasonText(reason), "due Wed 18 Nov 05:00 UTC, not started");
  const inTokyo = reasonText(reason, { zone: "Asia/Tokyo", locale: "en-US" });
  assertEquals(inTokyo, "due Wed, Nov 18 14:00, not started");
  const now = reason.due + HOUR;
  assertEquals(reasonText(reason, { zone, now }), "due 06:00, not started");
  assertEquals(reasonText(reason, { zone, now: now + DAY }), "due yesterday 06:00, not started");
  const later = now + 2 * DAY;
  assertEquals(reasonText(reason, { zone, now: later }), "due Wed 18 Nov 06:00, not started");
});

Deno.test("reasonText: late, open and slower runs say by how much", () => {
  const due = text("late", { due: AT, lateMs: 5 * MINUTE });
  assertEquals(due, "due Wed 18 Nov 06:00, 5 min late so far");
  const late = (count: number) => text("late", { count, lateMs: HOUR });
  assertEquals(late(2), "2 runs started late, the last one by 1 h");
  assertEquals(late(1), "1 run started 1 h late");
  const stuck = text("stuck", { openMs: 3 * HOUR, usualMs: 2 * MINUTE });
  assertEquals(stuck, "a run has been open for 3 h (runs usually take 2 min)");
  const slower = (more: Partial<ReasonOf<"slower">> = {}) =>
    text("slower", { before: MINUTE, after: 3 * MINUTE, ...more });
  assertEquals(slower(), "slower (3 min, usually 1 min)");
  assertEquals(slower({ slowly: true }), "gradually slower (3 min, usually 1 min)");
});

Deno.test("reasonText: recipients are counted whole, and outsiders named by their domain", () => {
  const outside = (more: Partial<ReasonOf<"outside-recipient">>) => text("outside-recipient", more);
  assertEquals(outside({ domain: "a.example" }), "sent to an outside address at a.example");
  assertEquals(
    outside({ domain: "examp1e.com", count: 2, resembles: "example.com" }),
    "sent to 2 outside addresses at examp1e.com, which looks like example.com",
  );
  assertEquals(text("leaver-recipient", { count: 2 }), "sent to 2 people who left");
  const dropped = text("recipients-dropped", { before: 39.5, after: 6.4 });
  assertEquals(dropped, "sent to 6 instead of 40 people");
  assertEquals(text("sent-to-nobody"), "sent to nobody");
  assertEquals(text("sent-to-nobody", { count: 3 }), "sent to nobody, 3 runs");
});

Deno.test("reasonText: empty deliveries say what is missing", () => {
  type Gone = ReasonOf<"empty-delivery">["gone"];
  const gone = (fields: Gone, count = 1) => text("empty-delivery", { gone: fields, count });
  assertEquals(gone(["cardCount"]), "sent without cards");
  assertEquals(gone(["attachmentCount", "attachmentSize"]), "sent without attachments");
  const both = gone(["attachmentCount", "cardCount"], 2);
  assertEquals(both, "sent without cards or attachments, 2 runs");
  assertEquals(gone(["emailSize", "attachmentSize"]), "sent an empty email");
  assertEquals(gone([]), "sent without content");
  const almost = { field: "attachmentSize", before: 514_000, after: 700 } as const;
  assertEquals(
    text("empty-delivery", { almost }),
    "attachments almost empty (700 bytes, usually 514 KB)",
  );
});

Deno.test("reasonText: sizes that changed", () => {
  const size = (before: number, after: number, more: Partial<ReasonOf<"size-jump">> = {}) =>
    text("size-jump", { field: "emailSize", before, after, ...more });
  assertEquals(size(1000, 40_000), "email 40 times larger (40.0 KB, usually 1.0 KB)");
  assertEquals(size(1000, 10_400), "email 10.4 times larger (10.4 KB, usually 1.0 KB)");
  assertEquals(size(1000, 2000), "email 2 times larger (2.0 KB, usually 1.0 KB)");
  assertEquals(size(4000, 2000), "email 50 % less (2.0 KB, usually 4.0 KB)");
  assertEquals(size(1000, 2500), "email 2.5 times larger (2.5 KB, usually 1.0 KB)");
  assertEquals(size(1000, 1500), "email 50 % more (1.5 KB, usually 1.0 KB)");
  assertEquals(size(4000, 3000), "email 25 % less (3.0 KB, usually 4.0 KB)");
  const attachments = size(4000, 1000, { field: "attachmentSize" });
  assertEquals(attachments, "attachments 75 % less (1.0 KB, usually 4.0 KB)");
});

Deno.test("reasonText: statuses, of a schedule or of the service", () => {
  const status = (more: Partial<ReasonOf<"unknown-status">>) => text("unknown-status", more);
  assertEquals(status({ status: "odd" }), "1 run ended with odd, so the result is unknown");
  assertEquals(status({ status: "" }), "1 run ended with no status, so the result is unknown");
  const statuses = ["ada@example.com", "odd"];
  assertEquals(
    status({ count: 4, status: "ada@example.com", statuses }),
    "4 runs ended with 2 statuses, the last one a…@example.com, so the result is unknown",
  );
  const of = (schedules: number) => ({ scheduleId: 1, name: "Sales", schedules });
  assertEquals(
    status({ of: of(1), statuses: ["odd"] }),
    "Sales finished with odd, so the result is unknown",
  );
  assertEquals(
    status({ of: of(3), statuses: ["a", "b", "c", "d", "e", "f"] }),
    "Sales and 2 more schedules finished with a or b or c or d or e or others, " +
      "so the result is unknown",
  );
});

Deno.test("reasonText: repairs, clocks and the rest", () => {
  const again = text("sent-twice", { count: 2, times: 3 });
  const last = "the last one 3 times for Wed 18 Nov 06:00 to 1 person";
  assertEquals(again, `2 planned runs in a row sent more than once, ${last}`);
  const byHand = text("started-by-hand", { count: 2, of: 40 });
  assertEquals(byHand, "2 of the last 40 runs had to be started by hand");
  assertEquals(text("flaky", { failed: 4, of: 1000 }), "4 of the last 1,000 runs failed");
  const clock = (more: Partial<ReasonOf<"clock">>) =>
    text("clock", { impossibleStarts: 0, ...more });
  assertEquals(clock({ impossibleStarts: 2 }), "2 runs have an impossible start");
  assertEquals(
    clock({ impossibleStarts: 1, endsBeforeStart: 1 }),
    "1 run has an impossible start, 1 run ends before it starts",
  );
  assertEquals(clock({ offsetMs: -90_000 }), "its clock is 1 min 30 s behind Docket's");
  assertEquals(clock({ offsetMs: 90_000 }), "its clock is 1 min 30 s ahead of Docket's");
  const stale = text("stale", { failure: "The answer is stale: it lacks 2 runs" });
  assertEquals(stale, "gives stale answers (it lacks 2 runs)");
  assertEquals(
    text("behind", { lateMs: 642_000 }),
    "checks schedules 10 min 42 s late: the service answers too slowly for this many, " +
      "or asks for pauses",
  );
  const channels = text("channel-failing", { names: ["slack of Finance", "mail of Sales"] });
  assertEquals(channels, "can't send by slack of Finance, mail of Sales");
  assertEquals(text("unreadable"), "newer runs could not be loaded");
  assertEquals(text("never-ran"), "has never run");
  const unreadable = text("unreadable", { failure: "The service refused OBSERVER_TOKEN" });
  assertEquals(unreadable, "can't be read: the service refused OBSERVER_TOKEN");
  assertEquals(
    reasonText({ ...sampleReason("never-ran"), code: "of-another-version" } as never),
    "of another version",
  );
});
