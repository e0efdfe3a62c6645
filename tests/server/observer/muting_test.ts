import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { actOnIncident, type IncidentAction } from "../../../server/actions/act_on_incident.ts";
import { GRACE, runWell, START, withWorld } from "./world.ts";
import { ADA } from "../../actors.ts";

Deno.test("pollSchedule: a muted schedule is recorded, and sent when the mute ends", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    await world.records.watches.change(1, { mutedUntil: START + 30 * MINUTE }, START);
    await world.until(START + 29 * MINUTE);
    assertEquals(world.notified(), []);
    assertEquals((await world.records.incidents.open(1)).map(({ code }) => code), ["overdue"]);
    await world.until(START + 40 * MINUTE);
    assertEquals(world.notified(), ["opened overdue 1"]);
    assertEquals(world.sent[0].at, START + 30 * MINUTE);
  }));

Deno.test("pollSchedule: an incident that was not sent is sent at once when its mute ends", () =>
  withWorld([1], async (world) => {
    const { records, now } = world;
    runWell(world, 1, START - 5 * HOUR, 5);
    await records.watches.change(1, { mutedUntil: START + 10 * MINUTE }, START);
    await world.until(START + 6 * MINUTE);
    const [{ id }] = await records.incidents.open(1);
    const services = { records, origin: "https://d.example" };
    const act = (action: Omit<IncidentAction, "incidentId">) =>
      actOnIncident(services, { incidentId: id, ...action }, { actor: ADA, now: now() });
    await act({ kind: "muted", until: START + 20 * HOUR });
    await world.until(START + 50 * MINUTE);
    assertEquals(world.notified(), []);
    await act({ kind: "unmuted" });
    await world.until(now());
    assertEquals(world.notified(), ["opened overdue 1"]);
  }));

Deno.test("pollSchedule: when a mute ends, what is over by then is sent, and what goes on is not sent again", () =>
  withWorld([1, 2, 3], async (world) => {
    const { records, now } = world;
    for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 5);
    await world.until(START + 6 * MINUTE);
    const services = { records, origin: "https://d.example" };
    for (const id of [1, 2, 3]) {
      const [incident] = await records.incidents.open(id);
      const act = (action: Omit<IncidentAction, "incidentId">) =>
        actOnIncident(services, { incidentId: incident.id, ...action }, { actor: ADA, now: now() });
      await act({ kind: "muted", until: START + 17 * MINUTE });
      if (id === 2) await act({ kind: "acknowledged" });
    }
    await world.until(START + 10 * MINUTE);
    world.run(3, START + 10 * MINUTE);
    await records.polls.makeDue(3, now());
    await world.until(START + HOUR - 1);
    const sent = world.sent.slice(3).map(({ at }, place) =>
      `${world.notified()[place + 3]} after ${(at - START) / MINUTE}`
    );
    assertEquals(sent, ["resolved overdue 3 after 17"]);
  }));

Deno.test("pollSchedule: nothing is sent of a schedule that is muted, or whose gap is planned, during a poll", () =>
  withWorld([1, 2, 3], async (world) => {
    const { watches } = world.records;
    for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 5);
    await world.until(START + 4 * MINUTE);
    const changes = new Map<number, Promise<unknown>>();
    world.fault = (id) => {
      const pauses = [{ from: START - MINUTE, to: START + 9 * HOUR }];
      const settings = [{}, { mutedUntil: START + 9 * HOUR }, { pauses }][id - 1];
      // At the poll that finds it overdue.
      if (id > 1 && world.now() > START + GRACE && !changes.has(id)) {
        changes.set(id, watches.change(id, settings, world.now() + 1));
      }
      return null;
    };
    await world.until(START + HOUR - 1);
    assertEquals(changes.size, 2);
    assertEquals(world.notified(), ["opened overdue 1"]);
    assertEquals((await world.records.incidents.open(2)).map(({ code }) => code), ["overdue"]);
    assertEquals(await world.records.incidents.open(3), []);
  }));
