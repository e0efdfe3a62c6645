/** What muting an incident or a schedule keeps from being sent, and what follows when it ends. */
import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { actOnIncident } from "../../../server/actions/act_on_incident.ts";
import { OutletError } from "../../../server/observer/outlets/outlet.ts";
import { ADA } from "../../actors.ts";
import { SLACK, WEBHOOK, withOwners } from "./owners_world.ts";
import { failOnce, outletOf, runWell, START, withWorld, type World } from "./world.ts";

/** How somebody mutes what is open of the schedule: the incident, or the whole schedule. */
const MUTINGS = {
  async incident({ services, records, now }: World, until: number) {
    const [{ id: incidentId }] = await records.incidents.open(1);
    const action = { incidentId, kind: "muted", until } as const;
    await actOnIncident(services, action, { actor: ADA, now: now() });
  },
  async schedule({ records, now }: World, mutedUntil: number) {
    await records.watches.change(1, { mutedUntil }, now());
  },
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

for (const [which, mute] of Object.entries(MUTINGS)) {
  Deno.test(`queueUnsent: a new channel is sent a muted ${which}'s incident when the muting ends`, () =>
    withOwners([1], async (world) => {
      await world.own("First", [1]);
      await failOnce(world, [1]);
      world.run(1, START + HOUR, { status: "failure" });
      world.run(1, START + 2 * HOUR, { status: "failure" });
      await watchUntil(world, START + 5 * MINUTE);
      await mute(world, START + 2 * HOUR);
      await world.own("Second", [1]);
      await watchUntil(world, START + 2 * HOUR - 1);
      const channels = () => world.slack.map(({ url }) => url.slice(SLACK.length));
      assertEquals(channels(), ["First"]);
      await watchUntil(world, START + 2 * HOUR + 3 * MINUTE);
      assertEquals(channels(), ["First", "Second"]);
      await watchUntil(world, START + 2 * HOUR + 30 * MINUTE);
      assertEquals(channels(), ["First", "Second"]);
    }));
}

Deno.test("overSince: after a time without Docket, a muted end is sent once, after the muting", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 30 * HOUR, 30);
    await watchUntil(world, START + 10 * MINUTE);
    await MUTINGS.incident(world, START + 2 * HOUR + 10 * MINUTE);
    for (const late of [20 * MINUTE, HOUR, 2 * HOUR]) world.run(1, START + late);
    await watchUntil(world, START + 30 * MINUTE);
    world.sleepUntil(START + 45 * MINUTE);
    await watchUntil(world, START + 3 * HOUR);
    const sent = world.sent.map((
      { at, message: { event } },
    ) => [Math.round((at - START) / MINUTE), event.type]);
    assertEquals(sent, [[5, "incident.opened"], [130, "incident.resolved"]]);
  }));

for (const [which, mute] of Object.entries(MUTINGS)) {
  Deno.test(`createOutbox: what waits for a retry is sent when the muting of its ${which} ends`, () =>
    withOwners([1], async (world) => {
      await world.own("First", [1]);
      world.answers.set(`${SLACK}First`, 500);
      await failOnce(world, [1]);
      await world.until(START + 3 * MINUTE);
      await mute(world, START + 20 * MINUTE);
      world.answers.clear();
      await watchUntil(world, START + 20 * MINUTE - 1);
      assertEquals(world.slack, []);
      await watchUntil(world, START + 21 * MINUTE);
      const words = () => world.slack.map(({ text }) => text.split(" (")[0].split(":")[0]);
      assertEquals(words(), ["Schedule 1"]);
    }));
}

Deno.test("createOutbox: what waits while muted is sent before its end", () => {
  const { outlet, sent } = createMail();
  const outlets = [outletOf("pager"), outlet];
  return withWorld([1], async (world) => {
    await world.observer.share();
    outlets.pop();
    await failOnce(world, [1]);
    await MUTINGS.incident(world, START + 40.5 * MINUTE);
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
    const [{ id: incidentId }] = await world.records.incidents.open(1);
    const act = (kind: "resolved" | "reopened") =>
      actOnIncident(world.services, { incidentId, kind }, { actor: ADA, now: world.now() });
    mail.refuses = true;
    await act("resolved");
    await watchUntil(world, START + 4 * MINUTE);
    await act("reopened");
    await MUTINGS.incident(world, START + 40 * MINUTE);
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
    await MUTINGS.incident(world, START + 40 * MINUTE);
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
    await MUTINGS.incident(world, START + 3 * HOUR);
    for (const hour of [1, 2]) {
      for (const id of [1, 2]) world.run(id, START + hour * HOUR, { status: "failure" });
    }
    world.run(2, START + 3 * HOUR, { status: "failure" });
    await watchUntil(world, START + 2 * HOUR + 30 * MINUTE);
    for (const minute of [150, 180]) world.run(1, START + minute * MINUTE);
    await watchUntil(world, START + 3 * HOUR + 4 * MINUTE);
    // Both channels were sent that of the other schedule.
    assertEquals(world.slack.map(({ all }) => all.includes("Schedule 1")), [false, false]);
    assertEquals(world.slack.map(({ all }) => all.includes("Schedule 2")), [true, true]);
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
    await MUTINGS.incident(world, START + 9 * HOUR + MINUTE);
    await watchUntil(world, START + 9 * HOUR);
    assertEquals(words(), told);
    await watchUntil(world, START + 9 * HOUR + 2 * MINUTE);
    assertEquals(words(), [...told, "Schedule 1: missed the run of Tue 10 Mar 01:00"]);
  }));
