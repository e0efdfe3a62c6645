import { assertEquals } from "@std/assert";
import { defaultStatusDictionary, type Recipient, type ReportRun } from "../../../lib/mod.ts";
import { outsideNewcomers } from "../../../lib/runs/newcomers.ts";
import {
  recipientDomains,
  recipientHistories,
  recipientTimeline,
} from "../../../lib/runs/recipients.ts";

const ada = { userId: 1, displayName: "Ada", emailAddress: "ada@example.com" };
const ben = { userId: 2, displayName: "Ben", emailAddress: "ben@gmail.com" };

/** Daily runs; age 0 is the newest. */
function runsOf(count: number, recipientsAt: (age: number) => Recipient[]): ReportRun[] {
  return Array.from({ length: count }, (_, day) => ({
    id: day,
    startTime: new Date(Date.UTC(2026, 0, 1 + day, 6)).toISOString(),
    recipients: recipientsAt(count - 1 - day),
  }));
}

function newcomersOf(runs: ReportRun[]): string[] {
  return outsideNewcomers(runs, defaultStatusDictionary()).map(({ domain, history }) =>
    `${history.recipient.displayName} ${domain}`
  );
}

Deno.test("recipientDomains: how many recipients each has, and since when", () => {
  const eve = { userId: 3, displayName: "Eve", emailAddress: "Eve@Example.com" };
  const runs = runsOf(3, (age) => [[ada, ben, eve], [ben, eve], [eve]][age]);
  const domainsOf = (runs: readonly ReportRun[]) =>
    recipientDomains(recipientHistories(runs, defaultStatusDictionary()));
  assertEquals(domainsOf(runs), [
    { domain: "example.com", recipients: 2, firstSeen: Date.UTC(2026, 0, 1, 6) },
    { domain: "gmail.com", recipients: 1, firstSeen: Date.UTC(2026, 0, 2, 6) },
  ]);
  assertEquals(domainsOf([{ id: 1, recipients: [ben] }])[0].firstSeen, null);
  const zoe = { userId: 4, emailAddress: "zoe@gmail.com" };
  const both = domainsOf([{ id: 1, recipients: [ada, ben, zoe] }]);
  assertEquals(both.map(({ domain }) => domain), ["gmail.com", "example.com"]);
});

Deno.test("outsideNewcomers: a second address at a private mail host is news, with a known user too", () => {
  const own = { ...ada, emailAddress: "ada.private@gmail.com" };
  assertEquals(newcomersOf(runsOf(90, (age) => age < 3 ? [ada, ben, own] : [ada, ben])), [
    "Ada gmail.com",
  ]);
  assertEquals(newcomersOf(runsOf(90, () => [ada, ben])), []);
});

Deno.test("outsideNewcomers: new is counted in days, not in runs", () => {
  const eve = { userId: 3, displayName: "Eve", emailAddress: "eve@rival.example" };
  const hourly = Array.from({ length: 24 * 60 }, (_, hour) => ({
    id: hour,
    startTime: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
    recipients: hour > 24 * 45 ? [ada, eve] : [ada],
  }));
  assertEquals(newcomersOf(hourly), ["Eve rival.example"]);
  assertEquals(newcomersOf(runsOf(200, (age) => age < 60 ? [ada, eve] : [ada])), []);
});

Deno.test("outsideNewcomers: a colleague's new address within the house is none", () => {
  const other = { ...ada, emailAddress: "ada@mail.example.com" };
  assertEquals(newcomersOf(runsOf(90, (age) => age < 3 ? [other] : [ada])), []);
});

Deno.test("recipientTimeline: who came and who went, with the run, and a change of address", () => {
  const moved = { ...ada, emailAddress: "ada@example.org" };
  const runs = runsOf(10, (age) => age > 6 ? [ada] : age > 2 ? [ada, ben] : [moved, ben]);
  assertEquals(recipientTimeline(runs).map(({ run, came, went }) => [run.id, came, went]), [
    [7, [moved], [ada]],
    [3, [ben], []],
  ]);
});
