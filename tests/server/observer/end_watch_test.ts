import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { endWatch, resolveUnwatched } from "../../../server/observer/end_watch.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import { failOnce, HOURLY, openCodes, START, withWorld, type World } from "./world.ts";
import { ADA } from "../../actors.ts";

/** Ends the watch of the first schedule, with other records if they are passed. */
function end({ services, now }: World, more: Partial<ObserverRecords> = {}): Promise<void> {
  const records = { ...services.records, ...more };
  return endWatch({ ...services, records }, { scheduleId: 1, actor: ADA, now: now() });
}

Deno.test("endWatch: the schedule's incidents are resolved and sent, and come back with the watch", () =>
  withWorld([1, 2], async (world) => {
    const { incidents, events, watches } = world.records;
    const plan = { ...HOURLY, cron: ["0 0-23 * * *"], since: START - DAY };
    await watches.change(1, { name: "Revenue", plan }, world.now());
    await failOnce(world, [1, 2]);
    const [{ id }] = await incidents.open(1);
    for (let again = 0; again < 2; again++) await end(world);
    assertEquals([await openCodes(world, 1), await openCodes(world, 2)], [[], ["failing"]]);
    assertEquals((await events.timeline(id)).at(-1)!.kind, "resolved");
    assertEquals((await incidents.get(id))!.ending, { how: "unwatched" });
    const notified = () => world.notified().filter((line) => line.endsWith(" 1"));
    await watches.remove(2);
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

Deno.test("endWatch: resolves what is open, unless watched again, and the service's with the last", () =>
  withWorld([1, 2], async (world) => {
    const { records, records: { watches }, now } = world;
    await failOnce(world, [1, 2]);
    world.refuse(500);
    await world.until(START + 15 * MINUTE);
    for (const id of [1, 2]) await watches.remove(id);
    let commits = 0;
    // Others change the same incidents meanwhile.
    const changed: typeof records.commit = (steps) =>
      ++commits === 1 ? Promise.resolve(false) : records.commit(steps);
    await end(world, { commit: changed });
    assertEquals([await openCodes(world), commits], [[], 2]);
    const watched: typeof records.commit = async (steps) => {
      await watches.add([2], now(), { plan: HOURLY });
      return records.commit(steps);
    };
    const services = { ...world.services, records: { ...records, commit: watched } };
    await resolveUnwatched(services, { scheduleId: 2, now: now() });
    assertEquals(await openCodes(world, 2), ["failing"]);
    const sentBy = async () =>
      (await world.until(now() + 2 * MINUTE)).filter((each) => each.endsWith("service"));
    assertEquals(await sentBy(), []);
    await watches.remove(2);
    assertEquals(await sentBy(), ["resolved unreadable service"]);
  }));
