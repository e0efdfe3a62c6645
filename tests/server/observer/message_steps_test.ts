/** Owners and their channels: where messages go, what is sent again, and which channels fail. */
import { assertEquals, assertMatch, assertObjectMatch } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { saveOwner } from "../../../server/actions/save_owner.ts";
import { changeSteps, messageSteps, queueUnsent } from "../../../server/observer/outbox.ts";
import { registerOutlets } from "../../../server/observer/routing.ts";
import type { Outlet } from "../../../server/observer/outlets/outlet.ts";
import { set, sql } from "../../../server/store/database/sql.ts";
import { moveWaiting } from "../../../server/store/records/messages.ts";
import {
  insertIncident,
  type StoredIncident,
  updateIncident,
} from "../../../server/store/records/incidents.ts";
import { ADA } from "../../actors.ts";
import { incident } from "../store/records/stored_rows.ts";
import {
  failOnce,
  HOOK,
  onlyDuties,
  outletOf,
  SLACK,
  START,
  watchUntil,
  WEBHOOK,
  withWorld,
  type World,
} from "./world.ts";
import { sampleReason } from "../../sample_reasons.ts";

/** What was sent: the channel or outlet, what happened, and the schedule. */
function sentLines({ slack, notified }: World): string[] {
  const bySlack = slack.map(({ url, text }) =>
    `${decodeURIComponent(url.slice(SLACK.length))}: ${text.split(/[(:]/)[0].trim()}`
  );
  return [...bySlack, ...notified().map((each) => `webhook: ${each}`)];
}

/** An open incident of failing runs, which began at the start. */
function planted(id: string, scheduleId: number, severity: StoredIncident["severity"]) {
  const reason = sampleReason("failing", { severity, since: START });
  return incident(id, { scheduleId, code: "failing", severity, reason, opened: START });
}

/** Queues that an incident opened; gives all messages about it. */
async function queue({ services, records }: World, incident: StoredIncident, at = START) {
  const messages = [{ incident, type: "incident.opened" as const }];
  await records.commit(await messageSteps(services, messages, { at }));
  return (await records.messages.list({ incidentId: incident.id, limit: 9 })).items;
}

Deno.test("messageSteps: who was sent a start is sent what follows, once, whoever owns it then", async () => {
  const doing: Readonly<Record<string, (world: World) => unknown>> = {
    "goes to Sales": ({ own }) => own("Sales", [1]),
    "loses its channel": ({ own }) => own("Finance", [], { channels: { slack: null } }),
    "gets a new one": ({ own }) => own("Finance", [], { channels: { slack: `${SLACK}New` } }),
    muted: ({ records, now }) => records.watches.change(1, { mutedUntil: now() + HOUR }, now()),
    acknowledged: ({ act }) => act("acknowledged"),
    resolved: ({ act }) => act("resolved"),
    reopened: ({ act }) => act("reopened"),
  };
  const [opened, resolved] = ["Finance: Schedule 1", "Finance: Resolved"];
  const [salesOpened, salesResolved] = ["Sales: Schedule 1", "Sales: Resolved"];
  const byAda = (what: string) => `${what} by Ada`;
  const defaults = ["opened", "resolved"].map((what) => `webhook: ${what} failing 1`);
  /** What happens while a schedule of Finance fails, and who is sent what until it has ended. */
  const stories = [
    ["goes to Sales", [opened, salesOpened, resolved, salesResolved]],
    [
      "resolved, goes to Sales, reopened, acknowledged",
      [opened, byAda(resolved), salesOpened, byAda("Sales: Acknowledged"), salesResolved],
    ],
    [
      "acknowledged, goes to Sales",
      [opened, byAda("Finance: Acknowledged"), salesOpened, resolved, salesResolved],
    ],
    ["loses its channel", [opened, ...defaults]],
    ["gets a new one", [opened, "New: Schedule 1", "New: Resolved"]],
    ["muted, gets a new one", [opened]],
    ["muted", [opened, resolved]],
  ] as const;
  for (const [steps, sent] of stories) {
    await withWorld([1], async (world) => {
      const run = async (status: string) => {
        world.run(1, world.now(), { status });
        await world.poll(world.now() + MINUTE);
        await watchUntil(world, world.now() + 2 * MINUTE);
      };
      await world.own("Finance", [1]);
      await run("failure");
      for (const step of steps.split(", ")) {
        await doing[step](world);
        await watchUntil(world, world.now() + 2 * MINUTE);
      }
      await run("success");
      await watchUntil(world, world.now() + 2 * HOUR);
      assertEquals(sentLines(world), [...sent], steps);
    }, { plans: () => null });
  }
});

Deno.test("queueUnsent: a new channel and a retry are sent what outlasts its muting", () =>
  withWorld([1, 2, 3], async (world) => {
    /** The schedule of each message, and the channel that got it. */
    const sent = () =>
      world.slack.map(({ url, all }) => `${/incidents.(\d)/.exec(all)![1]} ${url}`).toSorted();
    await world.own("First", [1], { channels: { slack: `${SLACK}First`, webhook: WEBHOOK } });
    await world.own("Over", [2]);
    await world.own("Broken", [3]);
    for (const url of [HOOK, `${SLACK}Broken`]) world.answers.set(url, 500);
    await failOnce(world, [1, 2, 3]);
    for (const id of [1, 2, 3]) await world.act("muted", { of: id, until: START + 30 * MINUTE });
    world.answers.clear();
    await world.own("Second", [1, 2]);
    for (const id of [2, 3]) world.run(id, START + 10 * MINUTE);
    await watchUntil(world, START + 30 * MINUTE - 1);
    const before = [`1 ${SLACK}First`, `2 ${SLACK}Over`];
    assertEquals(sent(), before);
    await watchUntil(world, START + 50 * MINUTE);
    // Who was sent that the second began is sent its end; of the third, nothing was sent.
    const after = [`1 ${HOOK}`, `1 ${SLACK}Second`, `2 ${SLACK}Over`];
    assertEquals(sent(), [...before, ...after].toSorted());
  }));

Deno.test("queueUnsent: however many are open or over, a new or returned outlet is sent each", () =>
  withWorld([], async ({ database, records, services, observer, now, sleepUntil }) => {
    const many = Array.from({ length: 120 }, (_, id) => planted(`${id}`, id, "critical"));
    await records.commit(many.map(insertIncident));
    /** Of how many incidents this was queued, each once. */
    const count = async (type: string) => {
      const { items } = await records.messages.list({ limit: 999 });
      const all = items.filter(({ event }) => JSON.parse(event).type === `incident.${type}`);
      assertEquals(new Set(all.map(({ incidentId }) => incidentId)).size, all.length);
      return all.length;
    };
    await observer.share();
    // Two processes do it at once, and again, by a clock that is behind.
    const queueBoth = () => Promise.all([1, 2].map(() => queueUnsent(services, START - MINUTE)));
    for (let again = 0; again < 2; again++) await queueBoth();
    assertEquals(await count("opened"), 120);
    sleepUntil(now() + 3 * HOUR);
    const over = { said: "over", notified: now(), resolved: now() + 1 };
    await database.write(sql`UPDATE incidents SET ${set(over)}`);
    // A gap that has passed ends in silence; half of them have not ended yet.
    await database.write(sql`UPDATE incidents SET code = 'missed' WHERE length(id) = 3`);
    await database.write(sql`UPDATE incidents SET resolved = NULL WHERE id LIKE '10_'`);
    await observer.share();
    for (let again = 0; again < 2; again++) await queueUnsent(services, now());
    assertEquals([await count("resolved"), await count("passed")], [100, 20]);
  }));

Deno.test("createChannels: what waits for a channel is sent once its host is allowed", () =>
  withWorld([1], async (world) => {
    const { services, records, slack, now, until } = world;
    const hosts = services.settings.observer.webhookHosts;
    await world.own("Claims", [1], { channels: { webhook: WEBHOOK } });
    const [host] = hosts.splice(0);
    await failOnce(world, [1]);
    await until(now() + MINUTE);
    const { items: [{ error }] } = await records.messages.list({ state: "waiting", limit: 1 });
    const words = `it must be on a host that WEBHOOK_HOSTS names, not ${host}`;
    assertEquals([error, slack], [`This channel can't be used: ${words}`, []]);
    hosts.push(host);
    await until(now() + 10 * MINUTE);
    assertEquals(slack.map(({ url }) => url), [HOOK]);
  }));

Deno.test("changeSteps: a gap's end goes where its start went, or anywhere if nothing was sent", () =>
  withWorld([1], async ({ records, services, observer }) => {
    await observer.share();
    /** What was said of the gap, null if it was not known; how it ends, and how many are sent that. */
    const rows = [
      [null, "passed", 1],
      ["nothing", "passed", 1],
      ["open", "passed", 0],
      ["open", "resolved", 0],
    ] as const;
    for (const [said, send, count] of rows) {
      const id = `missed-${said}-${send}`;
      const missed = incident(id, { scheduleId: 1, code: "missed", subject: id, said: "over" });
      const before = said && { ...missed, said };
      if (before) await records.commit([insertIncident(before)]);
      const change = { before, incident: missed, event: null, send };
      await records.commit(await changeSteps(services, [change], { at: START }));
      const { total } = await records.messages.list({ incidentId: id, limit: 0 });
      assertEquals(total, count, id);
    }
  }));

Deno.test("checkService: a channel that fails for 15 minutes is an incident until it sends", () =>
  withWorld([1, 2], async (world) => {
    const { incidents, owners } = world.records;
    await world.own("Finance", [1]);
    await world.own("Sales", [2]);
    world.answers.set(`${SLACK}Finance`, 500);
    await failOnce(world, [1, 2]);
    await world.records.polls.makeDue([1, 2], START + 9 * HOUR);
    await watchUntil(world, START + 20 * MINUTE);
    const failing = "webhook: opened channel-failing service";
    assertEquals(sentLines(world), ["Sales: Schedule 2", failing]);
    const [{ reason, opened }] = await incidents.open(null);
    const since = (await incidents.open(1))[0].opened;
    assertObjectMatch(reason, { names: ["slack of Finance"], since });
    assertEquals(Math.floor((opened - since) / MINUTE), 15);
    world.answers.clear();
    // What waits is tried again within an hour or two.
    await watchUntil(world, START + 200 * MINUTE);
    assertEquals(sentLines(world).at(-1), failing.replace("opened", "resolved"));
    // One that gave up its messages is not said to work, unless it is removed.
    world.answers.set(`${SLACK}Finance`, 500);
    await world.act("acknowledged");
    assertEquals(await onlyDuties(world, 17), ["channel-failing"]);
    const [{ id }] = (await owners.get("Finance"))!.channels;
    await world.records.commit([moveWaiting(id, null, { error: "500", now: world.now() })]);
    assertEquals(await onlyDuties(world, 1), ["channel-failing"]);
    await owners.remove("Finance", { actor: ADA, now: world.now() });
    assertEquals(await onlyDuties(world, 1), []);
  }));

Deno.test("checkService: no channel fails that still sends, or because nothing ran for a while", () =>
  withWorld([1, 2], async (world) => {
    const { messages } = world.records;
    await failOnce(world, [1, 2]);
    await onlyDuties(world, 1);
    for (const id of [1, 2]) await world.act("acknowledged", { of: id });
    // No observer runs; then one does that does not have that outlet.
    world.sleepUntil(world.now() + HOUR);
    assertEquals(await onlyDuties(world, 15), []);
    assertEquals(await onlyDuties(world, 1), ["channel-failing"]);
    const now = world.now();
    const claim = { outlet: "webhook", holder: "x", now, leaseUntil: now + MINUTE, max: 1 };
    const [{ id }] = await messages.claim(claim);
    await messages.finish(id, "x", { due: null, sent: now, givenUp: null, error: null });
    assertEquals(await onlyDuties(world, 10), []);
    assertEquals(await onlyDuties(world, 10), ["channel-failing"]);
  }));

const QUIET = { from: "20:00", to: "07:00", zone: "Europe/Berlin", holdsCritical: false };

Deno.test("messageSteps: critical ones go to default outlets, too; quiet hours hold the others", () =>
  withWorld([1], async (world) => {
    await world.own("Finance", [1], { quiet: QUIET });
    // With NOTIFY_DEFAULT=critical.
    const webhook = { name: "webhook", receiver: "", takesCritical: true, seen: START };
    await world.records.outlets.register(webhook);
    // From the first moment to the last, by the clocks of the zone, which change in a night.
    const moments = [
      ["warning", "2026-11-21T18:59:59.999Z", null],
      ["warning", "2026-11-21T19:00:00.000Z", "2026-11-22T06:00:00.000Z"],
      ["critical", "2026-11-21T19:00:00.000Z", null],
      ["warning", "2026-11-22T05:59:59.999Z", "2026-11-22T06:00:00.000Z"],
      ["warning", "2026-11-22T06:00:00.000Z", null],
      ["warning", "2026-10-24T21:00:00.000Z", "2026-10-25T06:00:00.000Z"],
      ["warning", "2027-03-27T22:00:00.000Z", "2027-03-28T05:00:00.000Z"],
    ] as const;
    for (const [severity, at, until] of moments) {
      const incident = planted(`${severity} ${at}`, 1, severity);
      const routes = (await queue(world, incident, Date.parse(at)))
        .map(({ outlet, heldUntil }) => [outlet.split("-")[0], heldUntil]);
      const byOwner = ["slack", until && Date.parse(until)];
      const byDefault = severity === "critical" ? [["webhook", null]] : [];
      assertEquals(routes.toSorted(), [byOwner, ...byDefault], incident.id);
    }
  }));

Deno.test("saveOwner: what quiet hours hold is one message once they are removed", () =>
  withWorld([1, 2], async (world) => {
    const { records, answers, now, until } = world;
    await world.own("Finance", [1, 2], { quiet: QUIET });
    await records.polls.makeDue([1, 2], START + 9 * HOUR);
    for (const id of [1, 2]) {
      const held = planted(`${id}-slow`, id, "warning");
      await records.commit([insertIncident(held)]);
      // The second message replaces the first.
      for (let again = 0; again < 2; again++) await queue(world, held, START + id);
      // It says how things are when it is sent.
      const reason = sampleReason("failing", { severity: "warning", since: START, count: 5 });
      await records.commit([updateIncident({ ...held, reason })]);
    }
    await until(START + HOUR);
    assertEquals(sentLines(world), []);
    answers.set(`${SLACK}Finance`, 500);
    await world.own("Finance", [], { channels: {}, quiet: null });
    await until(now() + 2 * MINUTE);
    const [{ failingSince }] = await records.messages.health();
    assertEquals(failingSince, START + HOUR);
    answers.clear();
    await until(now() + 20 * MINUTE);
    const digest = "Finance: 2 changes of incidents during quiet hours, such as Schedule 1";
    assertEquals(sentLines(world), [digest]);
    assertMatch(
      world.slack[0].all,
      /Schedule 1: failing for 5 runs.*Schedule 2: failing for 5 runs/,
    );
  }));

Deno.test("queueUnsent: a channel that is replaced meanwhile is not sent twice what waits for it", () =>
  withWorld([1], async (world) => {
    await failOnce(world, [1]);
    await world.own("Finance", [1]);
    const { records, services, now } = world;
    await queueUnsent(services, now());
    const about: typeof records.messages.about = async (ids) => {
      const sent = await records.messages.about(ids);
      await saveOwner(services, { name: "Finance", channels: { slack: `${SLACK}new` } }, {
        actor: ADA,
        now: now() + 1,
      });
      return sent;
    };
    const late = { ...records, messages: { ...records.messages, about } };
    await queueUnsent({ ...services, records: late }, now());
    assertEquals((await records.messages.list({ state: "waiting", limit: 9 })).total, 1);
  }));

const MAIL = outletOf("mail");

/** Lets a process with these outlets say so, and any do what follows. */
async function refresh({ services, now }: World, ...outlets: readonly Outlet[]): Promise<void> {
  await registerOutlets({ ...services, outlets }, now());
  await queueUnsent(services, now());
}

Deno.test("registerOutlets: processes with one outlet queue once, for each of its addresses", () =>
  withWorld([1], async (world) => {
    await failOnce(world, [1]);
    const { observer, records: { messages } } = world;
    const another = { ...MAIL, receiver: "another" };
    for (const [count, outlets] of [[1, [MAIL, MAIL]], [2, [another, MAIL]]] as const) {
      await observer.sendDue(MAIL);
      for (let minute = 0; minute < 15; minute++) {
        await Promise.all(outlets.map((outlet) => refresh(world, outlet)));
        const { items } = await messages.list({ limit: 99 });
        const mails = items.filter(({ outlet }) => outlet.startsWith("mail"));
        assertEquals(mails.length, count, "one that it was opened");
        world.sleepUntil(world.now() + MINUTE);
      }
    }
  }));
