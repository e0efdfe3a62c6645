import { assertEquals } from "@std/assert";
import { addDays, dayIn, startOfDay } from "../../../lib/days.ts";
import { checkRuns } from "../../../lib/runs/findings.ts";
import { defaultStatusDictionary, type ReportRun } from "../../../lib/mod.ts";
import { judgeHealth } from "../../../lib/runs/health.ts";
import { timeOf } from "../../../lib/runs/times.ts";

const dictionary = defaultStatusDictionary();
const NOW = Date.UTC(2026, 0, 10);

function at(day: number, hour = 6): string {
  return new Date(Date.UTC(2026, 0, day, hour)).toISOString();
}

function kindsIn(...runs: ReportRun[]): string[] {
  return checkRuns(runs, { dictionary, now: NOW }).map(({ kind, run }) => `${run.id} ${kind}`);
}

const fine = { startTime: at(1), endTime: at(1, 7) };

Deno.test("timeOf: a time without a zone is UTC, a day is its first moment, all else is none", () => {
  assertEquals(timeOf("2026-01-01T06:00:00"), Date.UTC(2026, 0, 1, 6));
  assertEquals(timeOf("2026-01-01T06:00:00.5+02:00"), Date.UTC(2026, 0, 1, 4) + 500);
  assertEquals(timeOf("2026-01-01"), Date.UTC(2026, 0, 1));
  assertEquals([timeOf(""), timeOf(null), timeOf("soon")], [undefined, undefined, undefined]);
});

Deno.test("timeOf: a time without a zone is that of the service's zone, with a blank as well", () => {
  assertEquals(timeOf("2026-01-01 06:00:00"), Date.UTC(2026, 0, 1, 6));
  assertEquals(timeOf("2026-06-01 06:00:00", "Europe/Berlin"), Date.UTC(2026, 5, 1, 4));
  assertEquals(timeOf("2026-06-01", "Europe/Berlin"), Date.UTC(2026, 4, 31, 22));
  assertEquals(timeOf("2026-06-01T06:00:00Z", "Europe/Berlin"), Date.UTC(2026, 5, 1, 6));
  assertEquals(timeOf("2026-03-29T02:30:00", "Europe/Berlin"), Date.UTC(2026, 2, 29, 1, 30));
  assertEquals(timeOf("2026-10-25T02:30:00", "Europe/Berlin"), Date.UTC(2026, 9, 25, 0, 30));
});

Deno.test("startOfDay: whole days of the zone, also where clocks change at midnight", () => {
  const zones = "UTC Europe/Berlin America/New_York Pacific/Kiritimati America/Santiago";
  for (const zone of zones.split(" ")) {
    for (const day of ["2026-03-29", "2026-09-06", "2026-10-25", "2026-11-01", "2026-12-31"]) {
      const start = startOfDay(day, zone)!;
      assertEquals([dayIn(zone)(start), dayIn(zone)(start - 1)], [day, addDays(day, -1)], zone);
    }
  }
  assertEquals([startOfDay("2026-02-30", "UTC"), startOfDay("today", "UTC")], [
    undefined,
    undefined,
  ]);
});

Deno.test("judgeHealth: a run without a start is counted, and is nobody's latest", () => {
  const runs = [{ id: 9, status: "success" }, { id: 1, status: "failure", startTime: at(1) }];
  const { latest, lastGood, counts } = judgeHealth(runs, dictionary);
  assertEquals([latest?.id, lastGood, counts.good], [1, null, 1]);
});

Deno.test("checkRuns: times that are missing, wrong or can't be", () => {
  assertEquals(kindsIn({ id: 1, ...fine }), []);
  assertEquals(kindsIn({ id: 1, endTime: at(1) }), ["1 no-start"]);
  assertEquals(kindsIn({ id: 1, startTime: "soon", endTime: at(1) }), ["1 no-start"]);
  assertEquals(kindsIn({ id: 1, startTime: at(1) }), ["1 no-end"]);
  assertEquals(kindsIn({ id: 1, startTime: at(9, 12) }), [], "may still be going");
  const instant = [2, 3, 4].map((day) => ({ id: day, startTime: at(day), endTime: at(day) }));
  assertEquals(kindsIn({ id: 1, startTime: at(9, 12) }, ...instant), ["1 no-end"]);
  assertEquals(kindsIn({ id: 1, startTime: at(2), endTime: at(1) }), ["1 end-before-start"]);
  const messages = [null, "soon"].map((text) =>
    checkRuns([{ id: 1, startTime: text, endTime: text }], { dictionary, now: NOW })
      .map(({ message }) => message)
  );
  assertEquals(messages, [
    ["No start time", "No end time"],
    ["The start time is not a date and time", "The end time is not a date and time"],
  ]);
});

Deno.test("checkRuns: runs that overlap, also past a short one in between", () => {
  const long = { id: 1, startTime: at(1, 1), endTime: at(1, 9) };
  const short = { id: 2, startTime: at(1, 2), endTime: at(1, 3) };
  const later = { id: 3, startTime: at(1, 5), endTime: at(1, 6) };
  assertEquals(kindsIn(long, short, later), ["3 overlap", "2 overlap"]);
  assertEquals(kindsIn(long, { id: 4, startTime: at(1, 9), endTime: at(1, 10) }), []);
});

Deno.test("checkRuns: recipients that don't agree with their count", () => {
  assertEquals(kindsIn({ id: 1, ...fine, recipientCount: 2, recipients: [{ userId: 7 }] }), [
    "1 recipient-count",
  ]);
  assertEquals(kindsIn({ id: 1, ...fine, recipientCount: 2 }), [], "no list, nothing to compare");
  assertEquals(kindsIn({ id: 1, ...fine, recipients: [{ userId: 7 }, { userId: 7 }] }), [
    "1 repeated-recipient",
  ]);
  const atTwo = ["a@firm.example", "a@home.example"].map((emailAddress) => ({
    userId: 7,
    emailAddress,
  }));
  assertEquals(kindsIn({ id: 1, ...fine, recipients: atTwo }), [], "one person at two addresses");
});

Deno.test("checkRuns: ids that repeat", () => {
  const run = { id: 1, ...fine };
  const messages = checkRuns([run, { ...run }, { ...run, status: "failure" }], {
    dictionary,
    now: NOW,
  }).map(({ message }) => message);
  assertEquals(messages, [
    "Id 1 occurs twice, with the same content",
    "Id 1 occurs twice, with different content",
  ]);
});

Deno.test("checkRuns: a number of attachments that contradicts their size", () => {
  const run = { ...fine, id: 20, attachmentCount: 0 };
  assertEquals(kindsIn({ ...run, attachmentSize: 5 }), ["20 attachment-size"]);
  assertEquals(kindsIn({ ...run, attachmentSize: 0 }), []);
  const sized = { ...run, attachmentCount: 2, attachmentSize: 0 };
  assertEquals(kindsIn(sized), ["20 attachment-size"]);
  assertEquals(kindsIn({ ...sized, status: "failure" }), []);
  assertEquals(kindsIn({ ...sized, attachmentSize: undefined }), []);
  assertEquals(kindsIn({ ...sized, attachmentCount: undefined }), []);
});
