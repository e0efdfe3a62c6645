import { assertEquals } from "@std/assert";
import type { Reason, ReasonCode } from "../../../lib/judgement/reason.ts";
import { reasonWords } from "../../../lib/judgement/reason_words.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function words(code: ReasonCode, evidence: Reason["evidence"] = {}): string {
  return reasonWords({ code, evidence });
}

Deno.test("reasonWords: failing, overdue and missed runs are counted, and it says what is inferred", () => {
  assertEquals(words("failing", { count: 7 }), "failing for 7 runs");
  assertEquals(
    words("failing", { count: 1, reachesBack: true }),
    "failing for at least 1 run",
  );
  assertEquals(words("overdue", { count: 2 }), "2 runs overdue (inferred)");
  assertEquals(words("overdue", { count: 1, confirmed: true }), "1 run overdue");
  assertEquals(words("missed", { count: 3 }), "3 runs missed (inferred)");
  assertEquals(
    words("missed", { count: 3, recent: 0 }),
    "3 runs missed, none of them recently (inferred)",
  );
  assertEquals(
    words("missed", { count: 1, recent: 0, confirmed: true }),
    "1 run missed, but not recently",
  );
  assertEquals(
    words("missed", { count: 1, recent: 1, confirmed: true }),
    "1 run missed recently",
  );
  assertEquals(
    words("missed", { count: 1200, recent: 2 }),
    "1,200 runs missed, 2 of them recently (inferred)",
  );
});

Deno.test("reasonWords: late and open runs say by how much", () => {
  assertEquals(
    words("late", { due: 1, lateMs: 5 * MINUTE }),
    "due, 5 min late so far",
  );
  assertEquals(
    words("late", { count: 2, lateMs: HOUR }),
    "2 runs late, the last one by 1 h",
  );
  assertEquals(words("late", { count: 1, lateMs: HOUR }), "1 run late, by 1 h");
  assertEquals(
    words("stuck", { openMs: 3 * HOUR, usualMs: 2 * MINUTE }),
    "a run has been open for 3 h; runs usually take 2 min",
  );
  assertEquals(
    words("slower", { before: MINUTE, after: 3 * MINUTE }),
    "slower: 1 min → 3 min",
  );
  assertEquals(
    words("slower", { before: MINUTE, after: 3 * MINUTE, slowly: true }),
    "gradually slower: 1 min → 3 min",
  );
  assertEquals(
    words("slower", { outliers: 11, of: 400 }),
    "11 of 400 runs took much longer than usual",
  );
});

Deno.test("reasonWords: recipients are counted, before and after, and where they are", () => {
  assertEquals(
    words("outside-recipient", { count: 1, domains: "a.example" }),
    "a new external recipient at a.example",
  );
  assertEquals(
    words("outside-recipient", { count: 2, domains: "a.example" }),
    "2 new external recipients at a.example",
  );
  assertEquals(
    words("recipients-dropped", { before: 40, after: 6 }),
    "sent to 6 instead of 40 recipients",
  );
  assertEquals(words("sent-to-nobody"), "sent to nobody");
});

Deno.test("reasonWords: content, statuses and repairs", () => {
  assertEquals(
    words("empty-delivery", { count: 2 }),
    "2 runs successful, but without content",
  );
  assertEquals(
    words("size-jump", { field: "emailSize", before: 1000, after: 40_000 }),
    "email 40 times larger: 1.0 KB → 40.0 KB",
  );
  assertEquals(
    words("size-jump", { field: "attachmentSize", before: 4000, after: 1000 }),
    "attachments 75 % less: 4.0 KB → 1.0 KB",
  );
  assertEquals(
    words("unknown-status", { count: 1, status: "odd" }),
    "1 run with the unknown status odd",
  );
  assertEquals(
    words("unknown-status", { count: 4, status: "odd", statuses: 2 }),
    "4 runs with 2 unknown statuses, the last one odd",
  );
  assertEquals(
    words("started-by-hand", { count: 2, of: 40 }),
    "2 of the last 40 runs had to be repaired by hand",
  );
  assertEquals(words("flaky", { failed: 4, of: 1000 }), "4 of the last 1,000 runs failed");
  assertEquals(words("clock", { count: 1 }), "1 run with impossible times");
  assertEquals(words("inconsistent", { count: 1 }), "1 recent inconsistency");
  assertEquals(words("inconsistent", { count: 2 }), "2 recent inconsistencies");
  assertEquals(words("unread"), "newer runs could not be loaded");
  assertEquals(words("never-ran"), "has never run");
});
