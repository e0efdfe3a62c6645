import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { type Reason, reasonText } from "../../../lib/mod.ts";

/** 06:00 in Berlin. */
const AT = Date.UTC(2026, 10, 18, 5);
const zone = "Europe/Berlin";

function text(code: string, evidence: Reason["evidence"] = {}, since: number | null = AT): string {
  return reasonText({ code, since, evidence }, { zone });
}

Deno.test("reasonText: failing, overdue and missed runs, with when they were due", () => {
  assertEquals(text("failing", { count: 7 }), "failing for 7 runs");
  assertEquals(text("failing", { count: 1, reachesBack: true }), "failing for at least 1 run");
  assertEquals(text("overdue", { count: 1, confirmed: true }), "overdue, was due on 18 Nov, 06:00");
  const inferred = text("overdue", { count: 2, confirmed: false });
  assertEquals(inferred, "2 runs overdue, the first was due on 18 Nov, 06:00 (inferred plan)");
  assertEquals(text("overdue", { count: 2 }, null), "2 runs overdue");
  const daily = { latest: AT, planned: 395, spanMs: 395 * DAY };
  assertEquals(text("missed", { ...daily, count: 1 }), "missed on 18 Nov");
  assertEquals(text("missed", { ...daily, count: 9 }), "missed on 18 Nov; 9 times in 13 months");
  const hourly = { count: 1200, latest: AT, planned: 9000, spanMs: 9000 * HOUR };
  assertEquals(text("missed", hourly), "missed on 18 Nov, 06:00; 1,200 times in 12 months");
  const twiceDaily = { count: 1, latest: AT, planned: 20, spanMs: 10 * DAY };
  assertEquals(text("missed", twiceDaily), "missed on 18 Nov, 06:00");
  // One planned run shows no rhythm, two do.
  const young = { count: 1, latest: AT, planned: 1, spanMs: HOUR };
  assertEquals(text("missed", young), "missed on 18 Nov");
  assertEquals(text("missed", { ...young, planned: 2 }), "missed on 18 Nov, 06:00");
  assertEquals(text("missed", { count: 3, latest: AT }), "missed on 18 Nov; 3 times");
  assertEquals(text("missed", { count: 3 }), "3 runs missed");
});

Deno.test("reasonText: spans in the largest unit that still says enough", () => {
  const span = (days: number) =>
    text("missed", { count: 2, latest: AT, planned: days, spanMs: days * DAY }).split(" in ")[1];
  const spans = [0.01, 1, 2, 27, 28, 35, 87, 88, 715, 718].map(span);
  assertEquals(
    spans.join(", "),
    "1 hour, 24 hours, 2 days, 27 days, 4 weeks, 5 weeks, 12 weeks, 3 months, 23 months, 2 years",
  );
});

Deno.test("reasonText: times in the zone and the locale, and UTC by its name", () => {
  const reason = { code: "overdue", since: AT, evidence: { count: 1 } };
  assertEquals(reasonText(reason), "overdue, was due on 18 Nov, 05:00 UTC");
  const inTokyo = reasonText(reason, { zone: "Asia/Tokyo", locale: "en-US" });
  assertEquals(inTokyo, "overdue, was due on Nov 18, 14:00");
});

Deno.test("reasonText: late, open and slower runs say by how much", () => {
  const late = (evidence: Reason["evidence"]) => text("late", evidence);
  assertEquals(late({ due: AT, lateMs: 5 * MINUTE }), "due on 18 Nov, 06:00, 5 min late so far");
  assertEquals(late({ count: 2, lateMs: HOUR }), "2 runs started late, the last one by 1 h");
  assertEquals(late({ count: 1, lateMs: HOUR }), "1 run started 1 h late");
  const stuck = text("stuck", { openMs: 3 * HOUR, usualMs: 2 * MINUTE });
  assertEquals(stuck, "a run has been open for 3 h; runs usually take 2 min");
  const levels = { before: MINUTE, after: 3 * MINUTE, factor: 3 };
  const slower = (evidence: Reason["evidence"]) => text("slower", { ...levels, ...evidence });
  assertEquals(slower({ slowly: false }), "slower (3 min, usually 1 min)");
  assertEquals(slower({ slowly: true, usual: false }), "gradually slower (3 min, usually 1 min)");
  assertEquals(slower({ usual: true }), "slower (3 min, 1 min before 18 Nov)");
  const outliers = slower({ outliers: 11, of: 400, usualMs: MINUTE, longestMs: 9 * MINUTE });
  assertEquals(outliers, "11 of 400 runs took unusually long, up to 9 min (usually 1 min)");
});

Deno.test("reasonText: recipients are counted whole, and outsiders named by their domains", () => {
  const outside = (count: number, domains: string, more: Reason["evidence"] = {}) =>
    text("outside-recipient", { count, domains, ...more });
  assertEquals(outside(1, "a.example"), "sent to an outside address at a.example");
  const two = "sent to 2 outside addresses at a.example, ";
  assertEquals(outside(2, "a.example, b.example"), two + "b.example");
  const alike = { lookAlike: "examp1e.com", resembles: "example.com" };
  assertEquals(
    outside(1, "examp1e.com", alike),
    "sent to an outside address at examp1e.com, which looks like example.com",
  );
  assertEquals(
    outside(2, "a.example, examp1e.com", alike),
    two + "examp1e.com; examp1e.com looks like example.com",
  );
  const dropped = text("recipients-dropped", { before: 39.5, after: 6.4 });
  assertEquals(dropped, "sent to 6 instead of 40 people");
  assertEquals(text("sent-to-nobody", { count: 1 }), "sent to nobody");
  assertEquals(text("sent-to-nobody", { count: 3 }), "sent to nobody, 3 runs");
});

Deno.test("reasonText: empty deliveries say what is missing", () => {
  const gone = (fields: string, count = 1) => text("empty-delivery", { gone: fields, count });
  assertEquals(gone("cardCount"), "sent without cards");
  assertEquals(gone("attachmentCount, attachmentSize"), "sent without attachments");
  assertEquals(gone("attachmentCount, cardCount", 2), "sent without cards or attachments, 2 runs");
  assertEquals(gone("emailSize, attachmentSize"), "sent an empty email");
  assertEquals(text("empty-delivery", { count: 1 }), "sent without content");
  const small = { field: "attachmentSize", before: 514_000, after: 700, count: 1 };
  const almost = "attachments almost empty (700 bytes, usually 514 KB)";
  assertEquals(text("empty-delivery", small), almost);
});

Deno.test("reasonText: sizes that changed", () => {
  const size = (before: number, after: number, more = {}) =>
    text("size-jump", { field: "emailSize", before, after, ...more });
  assertEquals(size(1000, 40_000), "email 40 times larger (40.0 KB, usually 1.0 KB)");
  assertEquals(size(1000, 10_400), "email 10 times larger (10.4 KB, usually 1.0 KB)");
  assertEquals(size(1000, 2000), "email 2 times larger (2.0 KB, usually 1.0 KB)");
  assertEquals(size(4000, 2000), "email much smaller (2.0 KB, usually 4.0 KB)");
  assertEquals(size(1000, 2500), "email 2.5 times larger (2.5 KB, usually 1.0 KB)");
  assertEquals(size(1000, 1500), "email larger (1.5 KB, usually 1.0 KB)");
  assertEquals(size(4000, 3000), "email smaller (3.0 KB, usually 4.0 KB)");
  assertEquals(size(4000, 1000), "email much smaller (1.0 KB, usually 4.0 KB)");
  const usual = size(4000, 1000, { field: "attachmentSize", usual: true });
  assertEquals(usual, "attachments much smaller (1.0 KB, 4.0 KB before 18 Nov)");
});

Deno.test("reasonText: statuses, repairs, clocks and the rest", () => {
  const status = text("unknown-status", { count: 1, status: "odd", statuses: 1 });
  assertEquals(status, "1 run ended with odd, which Docket does not know");
  const several = text("unknown-status", { count: 4, status: "ada@example.com", statuses: 2 });
  assertEquals(
    several,
    "4 runs ended with 2 statuses that Docket does not know, the last one a…@example.com",
  );
  const none = text("unknown-status", { count: 1, status: "", statuses: 1 });
  assertEquals(none, "1 run ended with no status, which Docket does not know");
  const byHand = text("started-by-hand", { count: 2, of: 40 });
  assertEquals(byHand, "2 of the last 40 runs had to be started by hand");
  assertEquals(text("flaky", { failed: 4, of: 1000 }), "4 of the last 1,000 runs failed");
  const clock = (evidence: Reason["evidence"]) => text("clock", evidence);
  assertEquals(clock({ impossibleStarts: 2 }), "2 runs have an impossible start");
  assertEquals(
    clock({ impossibleStarts: 1, endsBeforeStart: 1 }),
    "1 run has an impossible start, 1 run ends before it starts",
  );
  assertEquals(clock({ serviceIsAheadBySeconds: -90 }), "its clock is 1 min 30 s behind Docket's");
  assertEquals(clock({ serviceIsAheadBySeconds: 90 }), "its clock is 1 min 30 s ahead of Docket's");
  assertEquals(clock({ aheadMs: 5 * MINUTE }), "runs start 5 min in the future");
  const stale = text("stale", { failure: "The answer is stale: it lacks 2 runs" });
  assertEquals(stale, "gives stale answers (it lacks 2 runs)");
  assertEquals(text("stale"), "gives stale answers");
  assertEquals(
    text("behind", { lateMs: 642_000 }),
    "checks schedules 10 min 42 s late: the service answers too slowly for this many",
  );
  assertEquals(text("inconsistent", { count: 1 }), "1 inconsistency in recent runs");
  assertEquals(text("unread"), "newer runs could not be loaded");
  assertEquals(text("never-ran"), "has never run");
  const unreadable = text("unreadable", { failure: "The service refused OBSERVER_TOKEN" });
  assertEquals(unreadable, "can't be read: the service refused OBSERVER_TOKEN");
  assertEquals(text("of-another-version"), "of another version");
});
