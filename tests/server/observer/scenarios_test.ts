/** Scenarios from the service's answers to what is sent, by the real judgement. */
import { assertEquals, assertMatch } from "@std/assert";
import { HttpStatusError } from "../../../lib/errors.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { actOnIncident } from "../../../server/actions/act_on_incident.ts";
import { summaryOf } from "../../../server/observer/words.ts";
import { ADA as ACTOR } from "../../actors.ts";
import { GRACE, HOURLY, START, withWorld, type World } from "./world.ts";

const ADA = { userId: 1, displayName: "Ada", emailAddress: "ada@example.com" };
const ROWAN = { userId: 9, displayName: "Rowan", emailAddress: "rowan@partner.example.net" };
const KIM = { userId: 10, displayName: "Kim", emailAddress: "kim@partner.example.net" };

/** Plays a scenario with one schedule that ran well for two days, each hour. */
function scenario(
  name: string,
  play: (world: World) => Promise<void>,
  more: Partial<ReportRun> = {},
): void {
  Deno.test(`scenario: ${name}`, () =>
    withWorld([1], async (world) => {
      for (let hour = -48; hour < 0; hour++) {
        world.run(1, START + hour * HOUR, { automated: true, ...more });
      }
      await world.until(START - 1);
      await play(world);
    }));
}

/** Lets the run of an hour start, and time pass until shortly before the next hour. */
async function pass(world: World, hour: number, more: Partial<ReportRun> = {}): Promise<void> {
  world.run(1, START + hour * HOUR, { automated: true, ...more });
  await world.until(START + (hour + 1) * HOUR - 1);
}

/** The sentences that were sent. */
function sentences({ sent }: World): string[] {
  return sent.map(({ message }) => summaryOf(message.event));
}

scenario("a refusal that comes and goes within the hour is one incident", async (world) => {
  await pass(world, 0);
  for (const minute of [0, 20]) {
    world.fault = () => new HttpStatusError(403, "x", {});
    await world.until(START + HOUR + (minute + 11) * MINUTE);
    world.fault = null;
    if (minute === 0) world.run(1, START + HOUR, { automated: true });
    await world.until(START + HOUR + (minute + 19) * MINUTE);
  }
  const once = ["opened unreadable 1", "resolved unreadable 1"];
  assertEquals(world.notified(), [...once, ...once]);
  assertEquals(new Set(world.sent.map(({ message }) => message.event.data.incident.id)).size, 1);
});

scenario("of two gaps, each is an incident, and the first passes", async (world) => {
  await world.until(START + HOUR - 1);
  await pass(world, 1);
  await world.until(START + 2 * HOUR + 20 * MINUTE);
  assertEquals(world.notified(), ["opened overdue 1", "passed missed 1", "opened overdue 1"]);
  assertEquals(new Set(world.sent.map(({ message }) => message.event.data.incident.id)).size, 2);
});

scenario("what is over when its muting ends was never sent", async (world) => {
  await world.records.watches.change(1, { mutedUntil: START + 3 * HOUR }, START - 1);
  await pass(world, 0, { status: "failure" });
  await pass(world, 1);
  for (const hour of [2, 3]) await pass(world, hour);
  assertEquals(world.notified(), []);
  const { items: [{ code, resolved }] } = await world.records.incidents.list({ limit: 1 });
  assertEquals([code, resolved === null], ["failing", false]);
});

scenario(
  "an outsider is sent; another one at the domain, though acknowledged, after an hour",
  async (world) => {
    await pass(world, 0, { recipients: [ADA, ROWAN] });
    const [incident] = await world.records.incidents.open(1);
    const origin = "https://docket.example.com";
    const action = { incidentId: incident.id, kind: "acknowledged" } as const;
    await actOnIncident({ records: world.records, origin }, action, {
      actor: ACTOR,
      now: world.now(),
    });
    await pass(world, 1, { recipients: [ADA, ROWAN, KIM] });
    assertEquals(world.notified(), [
      "opened outside-recipient 1",
      "acknowledged outside-recipient 1",
      "grew outside-recipient 1",
    ]);
    assertEquals((await world.records.incidents.get(incident.id))?.acknowledged, null);
  },
  { recipients: [ADA] },
);

scenario("an outsider who leaves resolves it, and who returns opens another", async (world) => {
  for (const hour of [0, 3]) {
    await pass(world, hour, { recipients: [ADA, ROWAN] });
    for (const after of [1, 2]) await pass(world, hour + after, { recipients: [ADA] });
  }
  const once = ["opened outside-recipient 1", "resolved outside-recipient 1"];
  assertEquals(world.notified(), [...once, ...once]);
}, { recipients: [ADA] });

scenario("a gap that is listed late resolves, and says when its run went out", async (world) => {
  await world.until(START + 30 * MINUTE);
  world.run(1, START, { automated: true });
  await world.until(START + 45 * MINUTE);
  assertEquals(world.notified(), ["opened overdue 1", "resolved overdue 1"]);
  assertMatch(
    sentences(world)[1],
    /it went out on 10 Mar, 00:00 UTC, and was listed on 10 Mar, 00:3\d UTC/,
  );
});

Deno.test("scenario: a level that returns partly is another level", () =>
  withWorld([1], async (world) => {
    const runs = async (from: number, to: number, attachmentSize: number) => {
      for (let day = from; day < to; day++) {
        world.run(1, START + day * DAY, { automated: true, attachmentSize: attachmentSize + day });
      }
      await world.until(START + (to - 1) * DAY + HOUR);
    };
    await runs(-40, 0, 1_000_000);
    await runs(0, 3, 9_000_000);
    assertEquals(world.notified(), ["opened size-jump 1"]);
    await runs(3, 8, 4_000_000);
    const { items } = await world.records.incidents.list({ scheduleId: 1, limit: 9 });
    assertEquals(items.map(({ code, resolved }) => [code, resolved === null]), [
      ["size-jump", true],
      ["size-jump", false],
    ]);
  }, { plans: () => ({ ...HOURLY, cron: ["0 0 * * *"] }) }));

scenario(
  "a service that can't be read while a run is overdue leaves that as it is",
  async (world) => {
    await world.until(START + 10 * MINUTE);
    world.fault = () => new HttpStatusError(500, "x", {});
    await world.until(START + 3 * HOUR);
    assertEquals(world.notified(), ["opened overdue 1", "opened unreadable service"]);
    world.fault = null;
    for (let hour = 0; hour < 4; hour++) world.run(1, START + hour * HOUR, { automated: true });
    await world.until(START + 3 * HOUR + 15 * MINUTE);
    const after = world.notified().slice(2).toSorted();
    assertEquals(after, ["resolved overdue 1", "resolved unreadable service"]);
  },
);

for (const jump of [DAY, -DAY]) {
  const name = jump > 0 ? "forward" : "back";
  scenario(`a clock that jumps a day ${name} and returns invents nothing`, async (world) => {
    await pass(world, 0);
    const before = world.now();
    world.sleepUntil(before + jump);
    // The service's clock did not jump.
    world.clockOffset = -jump;
    await world.observer.pollDue();
    await world.observer.doDuties();
    world.sleepUntil(before);
    world.clockOffset = 0;
    for (const hour of [1, 2]) await pass(world, hour);
    const codes = world.notified().filter((each) => !each.includes("clock"));
    assertEquals(codes, []);
    world.run(1, START + 3 * HOUR, { automated: true, status: "failure" });
    await world.until(START + 3 * HOUR + 12 * MINUTE);
    assertEquals(world.notified().at(-1), "opened failing 1");
  });
}

Deno.test("scenario: a first poll of 300 schedules with old trouble sends what is critical alone", () => {
  const ids = Array.from({ length: 300 }, (_, at) => at + 1);
  return withWorld(ids, async (world) => {
    for (const id of ids) {
      for (let hour = -40; hour < 0; hour++) {
        if (hour === -5 && id % 3 === 0) continue;
        const status = hour === -1 && id % 100 === 1 ? "failure" : "success";
        world.run(id, START + hour * HOUR, { automated: true, status });
      }
    }
    await world.until(START);
    assertEquals(world.notified().toSorted(), [1, 101, 201].map((id) => `opened failing ${id}`));
    const open = await world.records.incidents.allOpen();
    assertEquals(open.filter(({ code }) => code === "missed").length, 100);
  });
});

scenario(
  "a plan that is changed while a run is overdue ends that with this reason",
  async (world) => {
    await world.until(START + 20 * MINUTE);
    const plan = { ...HOURLY, cron: ["30 * * * *"], since: START + 20 * MINUTE };
    await world.records.watches.change(1, { plan }, world.now());
    await world.until(START + 25 * MINUTE);
    assertEquals(world.notified(), ["opened overdue 1", "resolved overdue 1"]);
    assertMatch(sentences(world)[1], /no run is planned for then any more/);
    await world.until(START + 30 * MINUTE + GRACE + 5 * MINUTE);
    assertEquals(world.notified().slice(2), ["opened overdue 1"]);
  },
);
