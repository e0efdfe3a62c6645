import { assertEquals } from "@std/assert";
import {
  defaultStatusDictionary,
  judgeSchedule,
  type Recipient,
  type ReportRun,
} from "../../../lib/mod.ts";

const ada = { userId: 1, displayName: "Ada", emailAddress: "ada@example.com" };

/** Daily runs; age 0 is the newest. */
function runsOf(count: number, recipientsAt: (age: number) => Recipient[]): ReportRun[] {
  return Array.from({ length: count }, (_, day) => ({
    id: day,
    status: "success",
    startTime: new Date(Date.UTC(2026, 0, 1 + day, 6)).toISOString(),
    recipients: recipientsAt(count - 1 - day),
  }));
}

function newcomersOf(runs: ReportRun[]): string[] {
  const now = Date.parse(runs.at(-1)!.startTime!) + 60_000;
  return judgeSchedule({ runs }, { now, statuses: defaultStatusDictionary() }).newcomers.map((
    { domain, recipient },
  ) => `${recipient.displayName} ${domain}`);
}

Deno.test("newcomers: somebody outside stays new while the newest good run lists them", () => {
  const eve = { userId: 3, displayName: "Eve", emailAddress: "eve@rival.example" };
  const runs = runsOf(200, (age) => age < 60 ? [ada, eve] : [ada]);
  assertEquals(newcomersOf(runs), ["Eve rival.example"]);
  const failed = { ...runs[199], status: "failure", recipients: [ada] };
  assertEquals(newcomersOf([...runs.slice(0, 199), failed]), ["Eve rival.example"]);
  assertEquals(newcomersOf([...runs.slice(0, 199), { ...failed, status: "success" }]), []);
});
