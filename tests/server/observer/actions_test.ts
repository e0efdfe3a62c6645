import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import { type Action, type ActionResult, actOn } from "../../../server/observer/actions.ts";
import { insertIncident } from "../../../server/store/records/incidents.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { failOnce, START, withWorld, type World } from "./world.ts";
import { ADA } from "../../actors.ts";

/** Does something with an incident of that world. */
function act(
  { records, now }: World,
  id: string,
  kind: Exclude<Action["kind"], "mute">,
  on: ObserverRecords = records,
): Promise<ActionResult> {
  const origin = "https://docket.example.com";
  const actor = { actor: ADA, note: "" };
  return actOn({ records: on, origin, now: now() }, id, { kind }, actor);
}

/** Has a schedule fail once and somebody resolve that; gives the incident's id. */
async function failAndResolve(world: World): Promise<string> {
  await failOnce(world, [1]);
  const [{ id }] = await world.records.incidents.open(1);
  assertEquals(await act(world, id, "resolve"), "done");
  await world.until(START + 2 * MINUTE);
  return id;
}

Deno.test("actOn: what is reopened without its reason is polled now, and hides no new failure", () =>
  withWorld([1], async (world) => {
    const id = await failAndResolve(world);
    for (const hour of [1, 2]) world.run(1, START + hour * HOUR);
    await world.until(START + 2 * HOUR + 30 * MINUTE);
    const reopened = world.now();
    const before = world.notified().length;
    assertEquals(await act(world, id, "reopen"), "done");
    await world.observer.sendDue();
    await world.until(reopened + 1);
    const { resolved, resolvedBy, reasonEnded } = (await world.records.incidents.get(id))!;
    assertEquals([resolved, resolvedBy, reasonEnded], [reopened, null, reopened]);
    world.run(1, START + 3 * HOUR, { status: "failure" });
    await world.until(START + 3 * HOUR + 20 * MINUTE);
    assertEquals(world.notified().slice(before), [
      "opened failing 1",
      "resolved failing 1",
      "opened failing 1",
    ]);
  }));

Deno.test("actOn: what is reopened with its reason stays open", () =>
  withWorld([1], async (world) => {
    const id = await failAndResolve(world);
    assertEquals(await act(world, id, "reopen"), "done");
    await world.until(START + 3 * MINUTE);
    const sent = ["opened failing 1", "resolved failing 1", "opened failing 1"];
    assertEquals(world.notified(), sent);
    assertEquals((await world.records.incidents.open(1)).map((each) => each.id), [id]);
  }));

Deno.test("actOn: of a muted schedule, what is reopened is sent when the muting ends", () =>
  withWorld([1], async (world) => {
    const id = await failAndResolve(world);
    await world.records.watches.change(1, { mutedUntil: START + 10 * MINUTE }, world.now());
    assertEquals(await act(world, id, "reopen"), "done");
    await world.until(START + 9 * MINUTE);
    const sent = ["opened failing 1", "resolved failing 1"];
    assertEquals(world.notified(), sent);
    await world.until(START + 11 * MINUTE);
    assertEquals(world.notified(), [...sent, "opened failing 1"]);
  }));

Deno.test("actOn: an incident of an unwatched schedule is not reopened: nothing would resolve it", () =>
  withWorld([1], async (world) => {
    const id = await failAndResolve(world);
    await world.records.watches.remove(1);
    assertEquals(await act(world, id, "reopen"), "unwatched");
    // Somebody ends the watch between the check and the write.
    const { records } = world;
    const late = { ...records.watches, get: () => Promise.resolve({} as never) };
    assertEquals(await act(world, id, "reopen", { ...records, watches: late }), "impossible");
    await world.until(START + HOUR);
    assertEquals(world.notified(), ["opened failing 1", "resolved failing 1"]);
    assertEquals((await records.events.timeline(id)).at(-1)?.kind, "resolved");
  }));

Deno.test("actOn: of the service as a whole, one is reopened while anything is watched", () =>
  withWorld([1, 2], async (world) => {
    const { incidents, watches } = world.records;
    world.fault = () => new HttpStatusError(500, "x", {});
    await world.until(START + 10 * MINUTE);
    const [{ id }] = await incidents.open(null);
    await act(world, id, "resolve");
    world.fault = null;
    await world.until(START + 30 * MINUTE);
    const reopened = world.now();
    assertEquals(await act(world, id, "reopen"), "done");
    await world.until(reopened + 11 * MINUTE);
    assertEquals((await incidents.get(id))?.resolvedBy, null);
    assert((await incidents.get(id))!.resolved! > reopened);
    for (const each of [1, 2]) await watches.remove(each);
    assertEquals(await act(world, id, "reopen"), "impossible");
  }));

Deno.test("actOn: if a poll opens another incident of the code meanwhile, nothing is reopened", () =>
  withWorld([1], async (world) => {
    const id = await failAndResolve(world);
    const { records } = world;
    const before = (await records.incidents.get(id))!;
    const other = { ...before, id: "1-failing-other", resolved: null, resolvedBy: null };
    let isFirst = true;
    const incidents = {
      ...records.incidents,
      async open(scheduleId: number | null) {
        const open = await records.incidents.open(scheduleId);
        if (isFirst) await records.commit([insertIncident(other)]);
        isFirst = false;
        return open;
      },
    };
    assertEquals(await act(world, id, "reopen", { ...records, incidents }), "impossible");
    assertEquals((await records.incidents.open(1)).map((each) => each.id), [other.id]);
    await world.observer.sendDue();
    assertEquals(world.notified(), ["opened failing 1", "resolved failing 1"]);
  }));
