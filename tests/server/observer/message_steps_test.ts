import { assert, assertEquals, assertMatch, assertObjectMatch } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { actOnIncident } from "../../../server/actions/act_on_incident.ts";
import { checkService } from "../../../server/observer/service_incidents.ts";
import { endWatch } from "../../../server/observer/end_watch.ts";
import { messageSteps } from "../../../server/observer/outbox.ts";
import { queueUnsent } from "../../../server/observer/queue_unsent.ts";
import { assignOwner, saveOwner } from "../../../server/actions/save_owner.ts";
import { moveWaiting } from "../../../server/store/records/messages.ts";
import { insertIncident, type StoredIncident } from "../../../server/store/records/incidents.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import { ADA } from "../../actors.ts";
import { incident } from "../store/records/records_contract.ts";
import { type OwnersWorld, SLACK, withOwners } from "./owners_world.ts";
import { failOnce, START } from "./world.ts";
import { sampleReason } from "../../sample_reasons.ts";

const ORIGIN = "https://docket.example.com";
/** What the check of the service needs, apart from the records. */
const CHECK = { origin: ORIGIN, access: { clock: null }, onEvent: () => {} };
const QUIET = { from: "20:00", to: "07:00", zone: "Europe/Berlin", holdsCritical: false };

const WEBHOOK = { name: "webhook", receiver: "", collectMs: 0, takesCritical: false };
const SEEN = { at: START, after: 0 };

/** What was sent: the channel or outlet, what happened, and the schedule. */
function told({ slack, notified }: OwnersWorld): string[] {
  const bySlack = slack.map(({ url, text }) =>
    `${decodeURIComponent(url.slice(SLACK.length))}: ${text.split(/[(:]/)[0].trim()}`
  );
  return [...bySlack, ...notified().map((each) => `webhook: ${each}`)];
}

/** Does what is due after a change of owners. */
async function settle({ records, now, sleepUntil, until }: OwnersWorld): Promise<void> {
  sleepUntil(now() + 5000);
  // Two instances do it at once.
  const services = { records, origin: ORIGIN };
  await Promise.all([queueUnsent(services, now()), queueUnsent(services, now())]);
  assertEquals((await records.service.get()).routesChanged, 0);
  await until(now() + 5000);
}

Deno.test("messageSteps: a schedule's owner is notified, and without one the default outlets", () =>
  withOwners([1, 2, 3], async (world) => {
    await world.own("Finance", [1]);
    await saveOwner(world.services, { name: "Mute", channels: {} }, { actor: ADA, now: START });
    // The name of an owner counts whatever its case, and one without channels is no dead end.
    await assignOwner(world.records, [1], "FINANCE", { actor: ADA, now: START });
    await assignOwner(world.records, [3], "Mute", { actor: ADA, now: START });
    await failOnce(world, [1, 2, 3]);
    await world.until(world.now() + 5000);
    assertEquals(told(world).toSorted(), [
      "Finance: Schedule 1",
      "webhook: opened failing 2",
      "webhook: opened failing 3",
    ]);
    assertMatch(world.slack[0].text, /^Schedule 1: failing .*; last sent 2026-03-09 23:00 UTC$/);
    // What people do and what ends is sent where the beginning was.
    const [{ id }] = await world.records.incidents.open(1);
    const services = { records: world.records, origin: ORIGIN };
    const acting = { actor: ADA, now: world.now() };
    await actOnIncident(services, { incidentId: id, kind: "acknowledged" }, acting);
    await endWatch(services, { scheduleId: 1, actor: ADA, now: world.now() });
    await world.until(world.now() + 5000);
    assertEquals(told(world).filter((each) => each.startsWith("Finance")).slice(1), [
      "Finance: Acknowledged by Ada",
      "Finance: Resolved",
    ]);
  }));

Deno.test("messageSteps: with NOTIFY_DEFAULT=critical, critical incidents go to both", () =>
  withOwners([1], async (world) => {
    const { records } = world;
    assertEquals(await records.outlets.seenAfter(0), []);
    await world.own("Finance", [1]);
    await records.outlets.register({ ...WEBHOOK, takesCritical: true }, SEEN);
    const of = async (severity: StoredIncident["severity"]) => {
      const incident = planted(`1-x-${severity}`, 1, severity);
      const messages = [{ incident, type: "incident.opened" as const }];
      const steps = await messageSteps({ records, origin: ORIGIN }, messages, { at: START });
      await records.commit(steps);
      return (await records.messages.list({ incidentId: incident.id, limit: 9 })).total;
    };
    assertEquals([await of("critical"), await of("warning")], [2, 1]);
  }));

Deno.test("queueUnsent: a new channel, owner or outlet is sent what is open", () =>
  withOwners([1], async (world) => {
    await failOnce(world, [1]);
    await world.own("Finance", [1]);
    // For two seconds, other processes may commit messages that they queued for the earlier outlets.
    await queueUnsent({ records: world.records, origin: ORIGIN }, world.now() + 1999);
    assert((await world.records.service.get()).routesChanged > 0);
    for (let again = 0; again < 3; again++) await settle(world);
    assertEquals(told(world), ["Finance: Schedule 1", "webhook: opened failing 1"]);
    // Another secret is another channel.
    const channels = { slack: `${SLACK}Finance2` };
    await saveOwner(world.services, { name: "finance", channels }, {
      actor: ADA,
      now: world.now(),
    });
    await settle(world);
    await world.own("Sales", [1]);
    await settle(world);
    world.slack.length = 0;
    await world.records.owners.remove("Sales", { actor: ADA, now: world.now() });
    await settle(world);
    // The default outlet was sent it before the schedule had an owner.
    assertEquals(told(world), ["webhook: opened failing 1"]);
    world.run(1, world.now() - MINUTE);
    await world.records.polls.makeDue(1, world.now());
    await world.until(world.now() + MINUTE);
    assertEquals(told(world), [
      "Finance2: Resolved",
      "webhook: opened failing 1",
      "webhook: resolved failing 1",
    ]);
  }));

Deno.test("saveOwner: what waits for a channel is sent by the one that replaces it", () =>
  withOwners([1], async (world) => {
    await world.own("Finance", [1]);
    world.answers.set(`${SLACK}Finance`, 404);
    await failOnce(world, [1]);
    await world.until(world.now() + MINUTE);
    assertEquals(told(world), []);
    const channels = { slack: `${SLACK}new` };
    const by = { actor: ADA, now: world.now() };
    await saveOwner(world.services, { name: "Finance", channels }, by);
    await settle(world);
    await world.until(world.now() + 10 * MINUTE);
    assertEquals(told(world), ["new: Schedule 1"]);
  }));

/** The codes about channels; that polls are late meanwhile is another incident. */
async function failingCodes({ incidents }: ObserverRecords): Promise<readonly string[]> {
  return (await incidents.open(null)).map(({ code }) => code).filter((code) => code !== "behind");
}

Deno.test("checkService: a channel failing for 15 minutes is an incident", () =>
  withOwners([1, 2], async (world) => {
    const { records } = world;
    await world.own("Finance", [1]);
    await world.own("Sales", [2]);
    world.answers.set(`${SLACK}Finance`, 500);
    await failOnce(world, [1, 2]);
    const services = { ...CHECK, records };
    const pass = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await world.until(world.now() + MINUTE);
        await checkService(services, world.now());
      }
      await world.until(world.now() + 5000);
    };
    await pass(10);
    assertEquals(told(world), ["Sales: Schedule 2"]);
    await pass(6);
    await pass(1);
    const failing = "webhook: opened channel-failing service";
    assertEquals(told(world), ["Sales: Schedule 2", failing]);
    const [{ reason, notified }] = await records.incidents.open(null);
    assertObjectMatch(reason, { names: ["slack of Finance"] });
    // Another channel that fails is told of too, an hour after the last message.
    world.answers.set(`${SLACK}Sales`, 500);
    const [{ id }] = await records.incidents.open(2);
    const acting = { actor: ADA, now: world.now() };
    await actOnIncident(services, { incidentId: id, kind: "acknowledged" }, acting);
    await pass(70);
    assertEquals(told(world).slice(1), [failing, failing.replace("opened", "grew")]);
    assert((await records.incidents.open(null))[0].notified! > notified!);
    world.answers.clear();
    // What waits is tried again within an hour or two.
    await pass(180);
    const types = world.sent.map(({ message }) => message.event.type);
    assertEquals(types.slice(0, 3), ["incident.opened", "incident.grew", "incident.resolved"]);
    assertEquals(await records.incidents.open(null), []);
  }));

Deno.test("checkService: a channel that gave up messages is not said to work", () =>
  withOwners([1], async (world) => {
    const { records } = world;
    await world.own("Finance", [1]);
    const [{ id: outlet }] = (await records.owners.get("Finance"))!.channels;
    world.answers.set(`${SLACK}Finance`, 500);
    await failOnce(world, [1]);
    const services = { ...CHECK, records };
    const codes = async () => {
      await checkService(services, world.now());
      return await failingCodes(records);
    };
    await codes();
    for (let minute = 0; minute < 17; minute++) {
      world.sleepUntil(world.now() + MINUTE);
      await codes();
    }
    assertEquals(await codes(), ["channel-failing"]);
    await records.commit([moveWaiting(outlet, null, { error: "500", now: world.now() })]);
    assertEquals(await codes(), ["channel-failing"]);
    await records.owners.remove("Finance", { actor: ADA, now: world.now() });
    assertEquals(await codes(), []);
  }));

Deno.test("messageSteps: quiet hours hold what is not critical, then a digest", () =>
  withOwners([1, 2, 3], async (world) => {
    await world.own("Finance", [1, 2, 3], QUIET);
    const { records } = world;
    const services = { ...CHECK, records };
    const queue = async (incident: StoredIncident, type: "incident.opened" | "incident.resolved") =>
      assert(
        await records.commit(
          await messageSteps(services, [{ incident, type }], { at: world.now() }),
        ),
      );
    const warnings = [1, 2].map((id) => planted(`${id}-slow`, id, "warning"));
    const critical = planted("3-failing", 3, "critical");
    await records.commit([...warnings, critical].map(insertIncident));
    for (const each of [...warnings, critical]) await queue(each, "incident.opened");
    await queue({ ...warnings[1], resolved: START + 1000 }, "incident.resolved");
    // Nothing is polled meanwhile.
    await records.polls.makeDue([1, 2, 3], START + 9 * HOUR);
    await world.until(START + 5 * HOUR);
    assertEquals(told(world), ["Finance: Schedule 3"]);
    await world.until(START + 6 * HOUR + MINUTE);
    assertEquals(told(world).slice(1), ["Finance: 2 changes of incidents during quiet hours"]);
    assertMatch(
      world.slack[1].all,
      /"Schedule 1.*"Resolved: Schedule 2|"Resolved: Schedule 2.*"Schedule 1/,
    );
  }));

/** An open incident that was sent at the start. */
function planted(
  id: string,
  scheduleId: number | null,
  severity: StoredIncident["severity"],
): StoredIncident {
  const code = id.split("-")[1] as "failing";
  const reason = sampleReason("failing", { severity, since: START });
  return incident(id, { scheduleId, code, severity, reason, opened: START });
}

Deno.test("checkService: what waited while nothing ran is no failing channel", () =>
  withOwners([1], async (world) => {
    const { records } = world;
    await failOnce(world, [1]);
    const services = { ...CHECK, records };
    await checkService(services, world.now());
    const [{ id }] = await records.incidents.open(1);
    // From the command line, while no observer runs.
    const acting = { actor: ADA, now: world.now() };
    await actOnIncident(services, { incidentId: id, kind: "acknowledged" }, acting);
    world.sleepUntil(world.now() + HOUR);
    await checkService(services, world.now());
    assertEquals(await failingCodes(records), []);
    // Nobody has that outlet, though somebody runs.
    for (let minute = 0; minute < 16; minute++) {
      world.sleepUntil(world.now() + MINUTE);
      await checkService(services, world.now());
    }
    assertEquals(await failingCodes(records), ["channel-failing"]);
  }));
