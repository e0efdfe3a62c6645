import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { reasonText } from "../../../lib/mod.ts";
import type { ReasonCode, ReasonOf } from "../../../lib/judgement/reason.ts";
import { endingText } from "../../../lib/judgement/reason_text.ts";
import { sampleReason, SINCE as AT } from "../../sample_reasons.ts";

const zone = "Europe/Berlin";

const slow = { before: MINUTE, after: 3 * MINUTE };
const ofSales = { scheduleId: 1, name: "Sales", schedules: 1 };
const almost = { field: "attachmentSize", before: 514_000, after: 700 } as const;
const refused = "The service refused OBSERVER_TOKEN";
const impossible = { impossibleStarts: 1, endsBeforeStart: 1 };

/** What differs from the sample of each code, and what is said of it. */
const CASES: {
  readonly [Code in ReasonCode]: readonly (readonly [Partial<ReasonOf<Code>>, text: string])[];
} = {
  failing: [
    [{ count: 7 }, "failing for 7 runs"],
    [{ count: 1, lastGood: null }, "failing for at least 1 run"],
  ],
  overdue: [
    [{}, "due Wed 18 Nov 06:00, not started"],
    [{ count: 2 }, "2 runs due since Wed 18 Nov 06:00 have not started"],
  ],
  missed: [
    [{}, "missed the run of Wed 18 Nov 06:00"],
    [
      { count: 9, latest: AT + 8 * DAY },
      "9 runs missed, from Wed 18 Nov 06:00 to Thu 26 Nov 06:00",
    ],
  ],
  late: [
    [{ due: AT, lateMs: 5 * MINUTE }, "due Wed 18 Nov 06:00, not started yet"],
    [{ count: 2, lateMs: HOUR }, "2 runs started late, the last one by 1 h"],
    [{ count: 1, lateMs: HOUR }, "1 run started 1 h late"],
  ],
  // However long ago that is by now.
  stuck: [[
    { since: AT, usualMs: 2 * MINUTE },
    "a run open since Wed 18 Nov 06:00 (runs usually take 2 min)",
  ]],
  slower: [
    [slow, "slower (3 min, usually 1 min)"],
    [{ ...slow, slowly: true }, "gradually slower (3 min, usually 1 min)"],
  ],
  "outside-recipient": [
    [{ domain: "a.example" }, "sent to an outside address at a.example"],
    [
      { domain: "examp1e.com", count: 2, resembles: "example.com" },
      "sent to 2 outside addresses at examp1e.com, which looks like example.com",
    ],
  ],
  "leaver-recipient": [[{ count: 2 }, "sent to 2 people who left"]],
  // People are counted whole.
  "recipients-dropped": [[{ before: 39.5, after: 6.4 }, "sent to 6 instead of 40 people"]],
  "sent-to-nobody": [[{}, "sent to nobody"], [{ count: 3 }, "sent to nobody, 3 runs"]],
  "empty-delivery": [
    [{ gone: ["cardCount"] }, "sent without cards"],
    [{ gone: ["attachmentCount", "attachmentSize"] }, "sent without attachments"],
    [
      { gone: ["attachmentCount", "cardCount"], count: 2 },
      "sent without cards or attachments, 2 runs",
    ],
    [{ gone: ["emailSize", "attachmentSize"] }, "sent an empty email"],
    [{ gone: [] }, "sent without content"],
    [{ almost }, "attachments almost empty (700 bytes, usually 514 KB)"],
  ],
  "size-jump": [
    [{ before: 4000, after: 1000 }, "attachments 75 % less (1.0 KB, usually 4.0 KB)"],
    [{ field: "emailSize", after: 10_400 }, "email 10.4 times larger (10.4 KB, usually 1.0 KB)"],
  ],
  "unknown-status": [
    [{ statuses: [""] }, "1 run ended with no status, so the result is unknown"],
    [
      { count: 4, statuses: ["ada@example.com", "odd"] },
      "4 runs ended with a…@example.com or odd, so the result is unknown",
    ],
    [{ of: ofSales }, "Sales finished with odd, so the result is unknown"],
    [
      { of: { ...ofSales, schedules: 3 }, statuses: ["a", "b", "c", "d", "e", "f"] },
      "Sales and 2 more schedules finished with a or b or c or d or e or others, " +
      "so the result is unknown",
    ],
  ],
  "sent-twice": [[
    { count: 2, times: 3 },
    "2 planned runs in a row sent more than once, " +
    "the last one 3 times for Wed 18 Nov 06:00 to 1 person",
  ]],
  "started-by-hand": [[{}, "2 of the last 40 runs had to be started by hand"]],
  flaky: [
    [{ failed: 4, of: 1000 }, "4 of the last 1,000 runs failed"],
    [{ rerun: 3 }, "3 of the last 40 runs failed and went out after a rerun by hand"],
    [{ rerun: 1 }, "3 of the last 40 runs failed; 1 of them went out after a rerun by hand"],
  ],
  clock: [
    [{ impossibleStarts: 2 }, "2 runs have no possible start"],
    [impossible, "1 run has no possible start, 1 run ends before it starts"],
    [{ impossibleStarts: 0, offsetMs: -90_000 }, "its clock is 1 min 30 s behind Docket's"],
    [{ impossibleStarts: 0, offsetMs: 90_000 }, "its clock is 1 min 30 s ahead of Docket's"],
  ],
  stale: [[{}, "gives stale answers (it lacks 2 runs)"]],
  behind: [[{}, "checks schedules 10 min 42 s late"]],
  "channel-failing": [[
    { names: ["mail of A", "mail of B"] },
    "can't send by mail of A, mail of B",
  ]],
  unreadable: [
    [{}, "newer runs could not be loaded"],
    [{ failure: refused }, "can't be read: the service refused OBSERVER_TOKEN"],
  ],
  "never-ran": [[{}, "has never run"]],
};

Deno.test("reasonText: what a person would say of each reason", () => {
  for (const [code, cases] of Object.entries(CASES)) {
    for (const [more, text] of cases) {
      assertEquals(reasonText(sampleReason(code as ReasonCode, more as object), { zone }), text);
    }
  }
  const other = { ...sampleReason("never-ran"), code: "of-another-version" } as never;
  assertEquals(reasonText(other), "of another version");
});

Deno.test("reasonText: times in the zone and the locale, and UTC by its name", () => {
  const reason = sampleReason("overdue");
  assertEquals(reasonText(reason), "due Wed 18 Nov 05:00 UTC, not started");
  const inTokyo = reasonText(reason, { zone: "Asia/Tokyo", locale: "en-US" });
  assertEquals(inTokyo, "due Wed, Nov 18 14:00, not started");
  const written = reason.due + 44 * DAY;
  assertEquals(reasonText(reason, { written }), "due Wed 18 Nov 2026 05:00 UTC, not started");
  const german = reasonText(reason, { zone, written, locale: "de" });
  assertEquals(german, "due Mi., 18. Nov. 2026 06:00, not started");
  const now = reason.due + HOUR;
  const days = ["", "yesterday ", "Wed 18 Nov "];
  assertEquals(
    days.map((_, later) => reasonText(reason, { zone, now: now + later * DAY })),
    days.map((day) => `due ${day}06:00, not started`),
  );
});

Deno.test("endingText: of a gap of several runs, says how its first ended", () => {
  const reason = sampleReason("overdue");
  const ending = { how: "started", due: reason.due, at: reason.due + HOUR, isGood: true } as const;
  const inWords = (count: number) => endingText(ending, 0, { ...reason, count }, { zone });
  assertEquals([1, 3].map(inWords), [
    "it went out Wed 18 Nov 07:00, 1 h late",
    "the first went out Wed 18 Nov 07:00, 1 h late",
  ]);
});
