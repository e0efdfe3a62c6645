import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { resolveUnwatched, stopWatching } from "../../../server/observer/end_watch.ts";
import { failOnce, HOURLY, openCodes, START, withWorld } from "./world.ts";
import { ADA, BY_ADA } from "../../actors.ts";

Deno.test("stopWatching: the schedule's incidents are resolved and sent, and come back with the watch", () =>
  withWorld([1, 2], async (world) => {
    const { incidents, events, watches } = world.records;
    const plan = { ...HOURLY, cron: ["0 0-23 * * *"], since: START - DAY };
    await watches.change(1, { name: "Revenue", plan }, world.now());
    await failOnce(world, [1, 2]);
    const [{ id }] = await incidents.open(1);
    for (let again = 0; again < 2; again++) {
      await stopWatching(world.services, [1], { actor: ADA, now: world.now() });
    }
    assertEquals([await openCodes(world, 1), await openCodes(world, 2)], [[], ["failing"]]);
    assertEquals((await events.timeline(id)).at(-1)!.kind, "resolved");
    assertEquals((await incidents.get(id))!.ending, { how: "unwatched" });
    const notified = () => world.notified().filter((line) => line.endsWith(" 1"));
    await watches.remove([2], BY_ADA);
    // It is read once a day, without incidents, and keeps its settings.
    await world.until(world.now() + 25 * HOUR);
    assertEquals(notified(), ["opened failing 1", "resolved failing 1"]);
    const { polled, due } = (await watches.known([1])).get(1)!;
    assertEquals(due - polled!, 24 * HOUR);
    await watches.add([1], world.now());
    const { name, plans } = (await watches.get(1))!;
    assertEquals([name, plans], ["Revenue", [HOURLY, plan]]);
    await world.until(world.now() + MINUTE);
    assertEquals(await openCodes(world), ["failing", "overdue"]);
  }));

Deno.test("resolveUnwatched: not if it is watched again; and the service's with the last", () =>
  withWorld([1, 2], async (world) => {
    const { records, records: { watches }, now } = world;
    await failOnce(world, [1, 2]);
    world.refuse(500);
    await world.until(START + 15 * MINUTE);
    for (const id of [1, 2]) await watches.remove([id], BY_ADA);
    const commit: typeof records.commit = async (steps) => {
      await watches.add([2], now(), { plan: HOURLY });
      return await records.commit(steps);
    };
    const services = { ...world.services, records: { ...records, commit } };
    await resolveUnwatched(services, { scheduleId: 2, now: now() });
    assertEquals(await openCodes(world, 2), ["failing"]);
    const sentBy = async () =>
      (await world.until(now() + 2 * MINUTE)).filter((each) => each.endsWith("service"));
    assertEquals(await sentBy(), []);
    await watches.remove([2], BY_ADA);
    assertEquals(await sentBy(), ["resolved unreadable service"]);
  }));
