import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { type Plan, planSlots } from "../../../lib/judgement/plans/plan.ts";
import { withWorld } from "./world.ts";

/** Seconds after its slot at which each run starts: spread evenly over two minutes. */
const LATE = [112, 89, 98, 53, 48, 96, 98, 118, 65, 88, 58, 6, 115, 60, 5, 110, 103, 10, 119, 82];

const CHANGES = {
  "2026-03-29": ["Europe/Berlin", "UTC"],
  "2026-10-25": ["Europe/Berlin", "UTC"],
  "2026-11-01": ["America/New_York", "America/New_York"],
};

const CRONS = ["0 6 * * *", "30 7 * * 1-5", "0 5 * * 1", "0 6-9 * * *"];

/** What the outlets are sent of inferred plans around a night, if nothing runs from `end` on. */
async function sentAbout(
  change: number,
  zones: readonly string[],
  { crons = CRONS, days = 35, end = Infinity, byHand = null as number | null } = {},
): Promise<readonly string[]> {
  const plans = zones.flatMap((zone): Plan[] =>
    crons
      .map((cron) => ({ cron: [cron], zone, graceMs: 20 * MINUTE, since: 0 }))
  );
  const sent: string[] = [];
  await withWorld([...plans.keys()], async (world) => {
    for (const [id, plan] of plans.entries()) {
      const slots = planSlots(plan, change - days * DAY, Math.min(end, change + 2 * DAY));
      for (const [at, slot] of slots.entries()) {
        const start = slot + LATE[at % LATE.length] * 1000;
        const endTime = new Date(start + 5 * MINUTE).toISOString();
        world.run(id, start, { endTime, automated: true });
      }
      if (byHand !== null) {
        const endTime = new Date(byHand + MINUTE).toISOString();
        world.run(id, byHand, { endTime, automated: false });
      }
    }
    world.sleepUntil(change - DAY);
    await world.until(Math.min(end, change) + 2 * DAY);
    for (const { at, message: { event: { data: { incident, schedule } } } } of world.sent) {
      sent.push(`${incident.code} ${schedule?.id} ${new Date(at).toISOString().slice(0, 16)}`);
    }
  }, { plans: () => null, real: true });
  return sent;
}

for (const [night, zones] of Object.entries(CHANGES)) {
  Deno.test(`createObserver: no inferred plan invents an incident where clocks change on ${night}`, async () => {
    assertEquals(await sentAbout(Date.parse(night), zones), []);
  });
}

Deno.test("createObserver: where clocks went back, a run by hand does not end the wait", async () => {
  const night = Date.parse("2026-10-25");
  const options = { crons: ["0 6 * * *"], byHand: night + 3 * HOUR };
  assertEquals(await sentAbout(night, ["Europe/Berlin"], options), []);
});

Deno.test("createObserver: what was due before clocks went back does not wait", async () => {
  const end = Date.parse("2026-11-01T05:00Z");
  const options = { crons: ["30 5 * * *", "55 5 * * *"], end };
  assertEquals(await sentAbout(end, ["UTC"], options), [
    "overdue 0 2026-11-01T05:40",
    "overdue 1 2026-11-01T06:05",
  ]);
});

Deno.test("createObserver: where clocks went back, what stops is sent when its latest possible grace ends", async () => {
  const end = Date.parse("2026-10-25T01:00Z");
  const zones = ["Europe/Berlin"];
  assertEquals(await sentAbout(end, zones, { crons: ["0 6 * * *", "30 7 * * 1-5"], end }), [
    "overdue 0 2026-10-25T05:10",
    "overdue 1 2026-10-26T06:40",
  ]);
  // Every hour is the same in all zones.
  assertEquals(await sentAbout(end, zones, { crons: ["0 * * * *"], days: 7, end }), [
    "overdue 0 2026-10-25T01:10",
  ]);
});
