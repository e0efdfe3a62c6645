/** What muting an incident or a schedule keeps from being sent, and what follows when it ends. */
import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { OutletError } from "../../../server/observer/outlets/outlet.ts";
import { type OwnersWorld, SLACK, WEBHOOK, withOwners } from "./owners_world.ts";
import { failOnce, outletOf, runWell, START, withWorld, type World } from "./world.ts";

/** Ways to mute what is open of a schedule until then: the incident, or the whole schedule. */
const MUTINGS = {
  incident: (world: World, until: number, id: number) => world.act("muted", until, id),
  schedule: ({ records, now }: World, mutedUntil: number, id: number) =>
    records.watches.change(id, { mutedUntil }, now()),
};

/** An outlet, and the types of what it is sent unless it refuses all. */
function createMail() {
  const sent: string[] = [];
  const outlet = outletOf("mail", ([{ event: { type } }]) => {
    if (mail.refuses) return Promise.reject(new OutletError("No"));
    sent.push(type);
    return Promise.resolve();
  });
  const mail = { outlet, sent, refuses: false };
  return mail;
}

/** Lets time pass as a running observer does, which shares what it has in between. */
async function watchUntil(world: World, moment: number): Promise<void> {
  while (world.now() < moment) {
    await world.until(Math.min(moment, world.now() + MINUTE));
    await world.observer.share();
  }
}

/** The channels that were sent something, in the order of their names. */
const channels = ({ slack }: OwnersWorld) =>
  slack.map(({ url }) => url.slice(SLACK.length)).toSorted();

for (const [which, mute] of Object.entries(MUTINGS)) {
  Deno.test(`queueUnsent: a new channel and a retry wait until the muting of the ${which} ends`, () =>
    withOwners([1, 2], async (world) => {
      await world.own("First", [1]);
      await world.own("Broken", [2]);
      world.answers.set(`${SLACK}Broken`, 500);
      await failOnce(world, [1, 2]);
      for (const id of [1, 2]) {
        for (const hour of [1, 2]) world.run(id, START + hour * HOUR, { status: "failure" });
      }
      await watchUntil(world, START + 5 * MINUTE);
      for (const id of [1, 2]) await mute(world, START + 2 * HOUR, id);
      await world.own("Second", [1]);
      world.answers.clear();
      await watchUntil(world, START + 2 * HOUR - 1);
      assertEquals(channels(world), ["First"]);
      for (const minutes of [3, 30]) {
        await watchUntil(world, START + 2 * HOUR + minutes * MINUTE);
        assertEquals(channels(world), ["Broken", "First", "Second"]);
      }
    }));
}

Deno.test("overSince: after a time without Docket, a muted end is sent once, after the muting", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 30 * HOUR, 30);
    await watchUntil(world, START + 10 * MINUTE);
    await world.act("muted", START + 2 * HOUR + 10 * MINUTE);
    for (const late of [20 * MINUTE, HOUR, 2 * HOUR]) world.run(1, START + late);
    await watchUntil(world, START + 30 * MINUTE);
    world.sleepUntil(START + 45 * MINUTE);
    await watchUntil(world, START + 3 * HOUR);
    assertEquals(world.notified(), ["opened overdue 1", "resolved overdue 1"]);
    assertEquals(Math.round((world.sent[1].at - START) / MINUTE), 130);
  }));

Deno.test("createOutbox: what waits while muted is sent before its end", () => {
  const { outlet, sent } = createMail();
  const outlets = [outletOf("pager"), outlet];
  return withWorld([1], async (world) => {
    await world.observer.share();
    outlets.pop();
    await failOnce(world, [1]);
    await world.act("muted", START + 40.5 * MINUTE);
    outlets.push(outlet);
    world.run(1, START + 30 * MINUTE);
    await watchUntil(world, START + 40 * MINUTE);
    assertEquals(sent, []);
    await watchUntil(world, START + 45 * MINUTE);
    assertEquals(sent, ["incident.opened", "incident.resolved"]);
  }, { outlets });
});

Deno.test("createOutbox: an end that one outlet awaits is not lost when a reopening is muted", () => {
  const mail = createMail();
  return withWorld([1], async (world) => {
    await world.observer.share();
    await failOnce(world, [1]);
    mail.refuses = true;
    await world.act("resolved");
    await watchUntil(world, START + 4 * MINUTE);
    await world.act("reopened");
    await world.act("muted", START + 40 * MINUTE);
    mail.refuses = false;
    world.run(1, START + 30 * MINUTE);
    await watchUntil(world, START + 40 * MINUTE - 1);
    assertEquals(mail.sent, ["incident.opened"]);
    await watchUntil(world, START + 45 * MINUTE);
    assertEquals(mail.sent, ["incident.opened", "incident.resolved"]);
  }, { outlets: [outletOf("pager"), mail.outlet] });
});

Deno.test("createOutbox: what a person sends again is sent though it is muted", () =>
  withWorld([1], async (world) => {
    const { messages } = world.records;
    await failOnce(world, [1]);
    await world.act("muted", START + 40 * MINUTE);
    const { items: [{ id }] } = await messages.list({ limit: 1 });
    await messages.sendAgain(id, world.now());
    await watchUntil(world, START + 5 * MINUTE);
    assertEquals(world.notified(), ["opened failing 1", "opened failing 1"]);
  }));

Deno.test("createOutbox: what quiet hours hold is not sent if it ends while muted", () =>
  withOwners([1, 2], async (world) => {
    const quiet = { from: "22:00", to: "02:00", zone: "UTC", holdsCritical: true };
    await world.own("First", [1, 2], { quiet, webhook: WEBHOOK });
    await failOnce(world, [1, 2]);
    await world.act("muted", START + 3 * HOUR);
    for (const hour of [1, 2]) {
      for (const id of [1, 2]) world.run(id, START + hour * HOUR, { status: "failure" });
    }
    world.run(2, START + 3 * HOUR, { status: "failure" });
    await watchUntil(world, START + 2 * HOUR + 30 * MINUTE);
    for (const minute of [150, 180]) world.run(1, START + minute * MINUTE);
    await watchUntil(world, START + 3 * HOUR + 4 * MINUTE);
    // Both channels were sent that of the other schedule.
    const sent = world.slack.map(({ all }) => new Set(all.match(/Schedule \d/g)));
    assertEquals(sent, [new Set(["Schedule 2"]), new Set(["Schedule 2"])]);
  }));

Deno.test("createOutbox: what quiet hours hold of a sent incident goes out when its muting ends", () =>
  withOwners([1], async (world) => {
    const quiet = { from: "22:00", to: "07:00", zone: "UTC", holdsCritical: false };
    await world.own("First", [1], { quiet });
    runWell(world, 1, START - 30 * HOUR, 31);
    for (let hour = 2; hour < 11; hour++) world.run(1, START + hour * HOUR);
    // That it is overdue is critical, and that it has passed is held.
    await watchUntil(world, START + 2 * HOUR + 10 * MINUTE);
    const words = () => world.slack.map(({ text }) => text.split(" UTC")[0]);
    const told = ["Schedule 1: due Tue 10 Mar 01:00"];
    assertEquals(words(), told);
    await world.act("muted", START + 9 * HOUR + MINUTE);
    await watchUntil(world, START + 9 * HOUR);
    assertEquals(words(), told);
    await watchUntil(world, START + 9 * HOUR + 2 * MINUTE);
    assertEquals(words(), [...told, "Schedule 1: missed the run of Tue 10 Mar 01:00"]);
  }));
