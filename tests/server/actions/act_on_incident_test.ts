import { assertEquals, assertMatch } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import {
  acknowledgeIncidents,
  actOnIncident,
  type IncidentAction,
} from "../../../server/actions/act_on_incident.ts";
import { isProblemError } from "../../../server/http/problem.ts";
import { toSummary } from "../../../server/observer/words.ts";
import { insertIncident } from "../../../server/store/records/incidents.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { failOnce, openCodes, runWell, START, withWorld, type World } from "../observer/world.ts";
import { ADA, BOB, BY_ADA } from "../../actors.ts";
import { incident } from "../store/records/stored_rows.ts";

/** Does something with an incident of that world; returns the problem's status, or 200. */
async function act(
  { services, now }: World,
  incidentId: string,
  kind: IncidentAction["kind"],
): Promise<number> {
  try {
    await actOnIncident(services, { incidentId, kind }, { actor: ADA, now: now() });
    return 200;
  } catch (error) {
    if (!isProblemError(error)) throw error;
    return error.problem.status;
  }
}

/** Has a schedule fail once and somebody resolve that; gives the incident's id. */
async function failAndResolve(world: World): Promise<string> {
  await failOnce(world, [1]);
  const [{ id }] = await world.records.incidents.open(1);
  assertEquals(await act(world, id, "resolved"), 200);
  await world.until(START + 2 * MINUTE);
  return id;
}

Deno.test("actOnIncident: what is reopened without its reason is polled now, and resolves", () =>
  withWorld([1], async (world) => {
    const id = await failAndResolve(world);
    world.run(1, START + HOUR);
    await world.until(START + HOUR + 30 * MINUTE);
    const reopened = world.now();
    assertEquals(await act(world, id, "reopened"), 200);
    await world.until(reopened + 1);
    const { resolved, resolvedBy, reasonEnded } = (await world.records.incidents.get(id))!;
    assertEquals([resolved, resolvedBy, reasonEnded], [reopened, null, reopened]);
  }));

Deno.test("actOnIncident: a gap that passed is sent so once, also if reopened while muted", async () => {
  for (const mutedUntil of [null, START + HOUR + 10 * MINUTE]) {
    await withWorld([1], async (world) => {
      runWell(world, 1, START - 5 * HOUR, 5);
      world.run(1, START + HOUR);
      await world.until(START + HOUR / 2);
      await world.records.watches.change(1, { mutedUntil }, world.now());
      await world.until(START + HOUR + 2 * MINUTE);
      const [{ id }] = await world.records.incidents.open(1);
      for (const kind of ["resolved", "reopened"] as const) {
        assertEquals(await act(world, id, kind), 200);
        await world.until(world.now() + 2 * MINUTE);
      }
      await world.until(START + HOUR + 15 * MINUTE);
      assertEquals(world.notified(), ["opened overdue 1", "passed missed 1"]);
    });
  }
});

Deno.test("actOnIncident: what is acknowledged before its message is still sent, with who did it", () =>
  withWorld([1], async (world) => {
    // Most failures were repaired soon, so that a single one waits for half an hour.
    for (let hour = -60; hour < 0; hour++) {
      world.run(1, START + hour * HOUR, { status: hour % 10 === 0 ? "failure" : "success" });
      if (hour % 10 === 0) world.run(1, START + hour * HOUR + 10 * MINUTE);
    }
    world.run(1, START, { status: "failure" });
    await world.until(START + 5 * MINUTE);
    const open = await world.records.incidents.open(1);
    const { id, notifyAt } = open.find(({ code }) => code === "failing")!;
    assertEquals(await act(world, id, "acknowledged"), 200);
    await world.until(notifyAt! - 1);
    assertEquals(world.notified(), []);
    await world.until(START + 55 * MINUTE);
    assertEquals(world.notified(), ["opened failing 1"]);
    const { event } = world.sent[0].message;
    assertEquals(event.data.incident.acknowledgedBy, "Ada (not verified)");
    assertMatch(toSummary(event), /; acknowledged by Ada \(not verified\)$/);
  }));

Deno.test("actOnIncident: what is open again, or would never resolve, is not reopened", () =>
  withWorld([1], async (world) => {
    const { records } = world;
    const id = await failAndResolve(world);
    // A poll finds it anew meanwhile.
    const before = (await records.incidents.get(id))!;
    const other = { ...before, id: "1-failing-other", resolved: null, resolvedBy: null };
    await records.commit([insertIncident(other)]);
    assertEquals(await act(world, id, "reopened"), 409);
    assertEquals((await records.incidents.open(1)).map((each) => each.id), [other.id]);
    await act(world, other.id, "resolved");
    world.fault = () => new HttpStatusError(500, "x", {});
    await world.until(START + 10 * MINUTE);
    const [{ id: ofService }] = await records.incidents.open(null);
    assertEquals(await act(world, ofService, "resolved"), 200);
    await records.watches.remove([1], BY_ADA);
    for (const each of [id, ofService]) assertEquals(await act(world, each, "reopened"), 409);
    assertEquals((await records.events.timeline(id)).at(-1)?.kind, "resolved");
  }));

Deno.test("acknowledgeIncidents: what somebody else changes meanwhile is left to them", () =>
  withWorld([1, 2], async (world) => {
    await failOnce(world, [1, 2]);
    const { services: { records: own, origin }, now } = world;
    const one = (await own.incidents.open(1))[0].id;
    const attention: typeof own.incidents.attention = async (...which) => {
      const found = await own.incidents.attention(...which);
      const action = { incidentId: one, kind: "acknowledged" } as const;
      await actOnIncident({ records: own, origin }, action, { actor: BOB, now: now() });
      return found;
    };
    const services = { records: { ...own, incidents: { ...own.incidents, attention } }, origin };
    const cause = { code: "failing", until: now() };
    await acknowledgeIncidents(services, cause, { actor: ADA, now: now() });
    const by = (await own.incidents.allOpen())
      .map(({ scheduleId, acknowledgedBy }) => `${scheduleId} ${acknowledgedBy?.name}`);
    assertEquals(by.toSorted(), ["1 Bob", "2 Ada"]);
  }));

Deno.test("actOnIncident: a size is expected, until it is not; a failure can't be", () =>
  withWorld([1], async (world) => {
    for (let hour = -200; hour < 30; hour++) {
      world.run(1, START + hour * HOUR, { attachmentSize: hour < 0 ? 1000 : 50_000 });
    }
    await world.until(START + 30 * MINUTE);
    const [{ id }] = await world.records.incidents.open(1);
    const codes = async (minutes: number) => {
      await world.until(START + minutes * MINUTE);
      return await openCodes(world);
    };
    assertEquals(await codes(31), ["size-jump"]);
    assertEquals(await act(world, id, "expected"), 200);
    assertEquals(await codes(33), []);
    assertEquals(await act(world, id, "expected"), 409);
    assertEquals(await act(world, id, "unexpected"), 200);
    assertEquals(await codes(35), ["size-jump"]);
    await world.records.commit([insertIncident(incident("failing", { scheduleId: 1 }))]);
    for (const kind of ["expected", "unexpected"] as const) {
      assertEquals(await act(world, "failing", kind), 409);
    }
  }));
