import { assertEquals, assertRejects } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { endWatch, resolveUnwatched } from "../../../server/observer/end_watch.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { failOnce, HOURLY, START, withWorld } from "./world.ts";
import { ADA } from "../../actors.ts";

Deno.test("endWatch: the schedule's incidents are resolved and sent, and come back with the watch", () =>
  withWorld([1, 2], async (world) => {
    const { records } = world;
    const services = {
      records,
      origin: "https://docket.example.com",
    };
    await failOnce(world, [1, 2]);
    const [{ id }] = await records.incidents.open(1);
    assertEquals(
      await endWatch(services, { scheduleId: 1, actor: ADA, now: world.now() }),
      true,
    );
    assertEquals(await records.incidents.open(1), []);
    assertEquals((await records.incidents.open(2)).length, 1);
    assertEquals((await records.incidents.countOpen()).critical, 1);
    assertEquals((await records.events.timeline(id)).at(-1), {
      incidentId: id,
      at: world.now(),
      kind: "resolved",
      actor: null,
      note: "The schedule is no longer watched",
    });
    await world.observer.sendDue();
    const notified = () => world.notified().filter((line) => line.endsWith(" 1"));
    assertEquals(notified(), ["opened failing 1", "resolved failing 1"]);
    assertEquals(
      await endWatch(services, { scheduleId: 1, actor: ADA, now: world.now() }),
      false,
    );

    await records.watches.add([1], world.now(), { plan: HOURLY });
    await world.until(START + 10 * MINUTE);
    assertEquals(notified(), ["opened failing 1", "resolved failing 1", "opened failing 1"]);
  }));

Deno.test("createObserver: an incident of the service ends when nothing is watched any more", () =>
  withWorld([1, 2], async (world) => {
    const { records, observer } = world;
    world.fault = () => new HttpStatusError(500, "x", {});
    await world.until(START + 10 * MINUTE);
    await records.watches.remove(1);
    await observer.doDuties();
    assertEquals(world.notified(), ["opened unreadable service"]);
    await records.watches.remove(2);
    await world.until(world.now() + MINUTE);
    await observer.doDuties();
    await observer.sendDue();
    assertEquals(world.notified(), ["opened unreadable service", "resolved unreadable service"]);
    const { items: [{ id }] } = await records.incidents.list({ limit: 1 });
    const notes = (await records.events.timeline(id)).map(({ note }) => note);
    assertEquals(notes, [null, "The service is no longer watched"]);
  }));

Deno.test("endWatch: what an earlier end left open is resolved, whoever changes it meanwhile", () =>
  withWorld([1, 2], async (world) => {
    const { records } = world;
    await failOnce(world, [1]);
    await records.watches.remove(1);
    let commits = 0;
    const commit: typeof records.commit = (steps) =>
      ++commits === 1 ? Promise.resolve(false) : records.commit(steps);
    const services = { records: { ...records, commit }, origin: "https://x.example" };
    const refusing = { ...services, records: { ...records, commit: () => Promise.resolve(false) } };
    const { problem } = await assertRejects(
      () => endWatch(refusing, { scheduleId: 1, actor: ADA, now: world.now() }),
      ProblemError,
      "its incidents could not be resolved",
    );
    assertEquals([problem.status, problem.retryAfterSeconds], [503, 5]);
    assertEquals(
      await endWatch(services, { scheduleId: 1, actor: ADA, now: world.now() }),
      false,
    );
    assertEquals([await records.incidents.open(1), commits], [[], 2]);
  }));

Deno.test("resolveUnwatched: incidents stay open if somebody watches the schedule again meanwhile", () =>
  withWorld([1], async (world) => {
    const { records } = world;
    await failOnce(world, [1]);
    await records.watches.remove(1);
    const commit: typeof records.commit = async (steps) => {
      await records.watches.add([1], world.now(), { plan: HOURLY });
      return records.commit(steps);
    };
    const services = { records: { ...records, commit }, origin: "https://x.example" };
    await resolveUnwatched(services, { scheduleId: 1, now: world.now() });
    assertEquals((await records.incidents.open(1)).length, 1);
  }));

Deno.test("endWatch: the schedule is read once a day, without incidents, and keeps its settings", () =>
  withWorld([1], async (world) => {
    const { records } = world;
    const services = { records, origin: "https://docket.example.com" };
    await records.watches.change(1, { name: "Revenue", plan: HOURLY }, world.now());
    await world.until(START + MINUTE);
    await endWatch(services, { scheduleId: 1, actor: ADA, now: world.now() });
    await failOnce(world, [1]);
    await world.until(world.now() + 30 * HOUR);
    assertEquals(await records.incidents.open(1), []);
    const { polled, due } = (await records.watches.getKnown(1))!;
    assertEquals(due - polled!, 24 * HOUR);
    await records.watches.add([1], world.now());
    const { name, plan } = (await records.watches.get(1))!;
    assertEquals([name, plan], ["Revenue", HOURLY]);
  }));
