import { assertEquals } from "@std/assert";
import { createClient, judge } from "../../../lib/mod.ts";
import { loadBefore } from "../../../lib/judgement/judge.ts";
import { createTestService, makeRuns } from "../../../lib/testing/mod.ts";

/** After a daily run at 06:00. */
const NOW = Date.UTC(2025, 0, 1300, 7);
const runs = makeRuns(1300).map((run) => ({ ...run, status: "success" }));

function clientOf(options: Partial<Parameters<typeof createTestService>[0]> = {}) {
  const { fetch } = createTestService({ runs: { 101: runs }, ...options });
  return createClient({ baseUrl: "https://service.example", token: "secret", fetch });
}

Deno.test("judge: judges what it loads, and says how much that is", async () => {
  const some = await judge(clientOf(), 101, { now: NOW, runs: 60 });
  assertEquals(some.seen, { runs: 60, olderUnread: true, newerUnread: false });
  const { seen, state, health } = await judge(clientOf(), 101, { now: NOW, statuses: undefined });
  assertEquals([seen.runs, state, health.counts.good], [1000, "up", 999]);
});

Deno.test("judge: a schedule is not young for ever where 1,000 runs are of four days", async () => {
  // It ran every five minutes for some days, until 05:55 on a Sunday.
  const end = Date.UTC(2026, 10, 29, 5, 55);
  const people = ["house.example", "house.example", "partner.example"]
    .map((domain, at) => ({ userId: at, emailAddress: `person${at}@${domain}` }));
  const codesAfter = async (days: number) => {
    const frequent = Array.from({ length: days * 288 }, (_, at) => {
      const startTime = new Date(end - at * 300_000).toISOString();
      return { ...runs[0], id: at + 1, startTime, endTime: startTime, recipients: people };
    });
    const client = clientOf({ runs: { 101: frequent } });
    return (await judge(client, 101, { now: end + 3_600_000 })).reasons.map(({ code }) => code);
  };
  // Nobody is new at an address outside, as the oldest of these runs list all.
  assertEquals([await codesAfter(30), await codesAfter(5)], [["overdue", "late"], ["late"]]);
  // It asks no further where the oldest came first, or loading took too long.
  const some = runs.slice(0, 10);
  for (const [olderUnread, stopped] of [[false, "enough"], [true, "time"]] as const) {
    const loaded = { runs: some, olderUnread, newerUnread: true, stopped };
    assertEquals(await loadBefore(clientOf(), 101, loaded), {});
  }
});
