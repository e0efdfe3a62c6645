import { assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { START, withWorld, type World } from "./world.ts";

const by = (now: number) => ({ actor: { name: "Ada", known: "typed" }, now } as const);

/** Two watched schedules; from an hour on, the service ends their runs with another status. */
function withNewStatus(hour: number, status: string | null, test: (world: World) => Promise<void>) {
  return withWorld([1, 2], async (world) => {
    for (let at = 0; at < 12; at++) {
      const endTime = new Date(START + at * HOUR + 60_000).toISOString();
      const more = { endTime, ...at < hour ? {} : { status } };
      for (const id of [1, 2]) world.run(id, START + at * HOUR, more);
    }
    await world.until(START + hour * HOUR + 20 * MINUTE);
    await test(world);
  });
}

async function openCodes({ records }: World): Promise<string[]> {
  return (await records.incidents.allOpen()).map(({ scheduleId, code }) => `${scheduleId} ${code}`);
}

function messages(world: World): string[] {
  return world.notified().filter((message) => message.includes("unknown-status"));
}

Deno.test("checkService: changed statuses are one incident, until explained", () =>
  withNewStatus(4, "ARCHIVED", async (world) => {
    const { records } = world;
    assertEquals(await openCodes(world), ["null unknown-status"]);
    assertEquals(messages(world), ["opened unknown-status service"]);
    const [{ reason }] = await records.incidents.allOpen();
    assertStringIncludes(reasonText(reason), "finished with ARCHIVED, so the result is unknown");
    assertEquals(reason.runs.length, 1);
    for (const id of [1, 2]) {
      assertEquals((await records.verdicts.get(id))?.headline, "unknown");
    }
    await records.statuses.say({ archived: "good" }, by(world.now()));
    // Within the round that is due at once, long before the next runs.
    await world.until(world.now() + MINUTE);
    assertEquals(await openCodes(world), []);
    assertEquals(messages(world), [
      "opened unknown-status service",
      "resolved unknown-status service",
    ]);
    assertEquals((await records.verdicts.get(1))?.state, "up");
  }));

Deno.test("checkService: a status that turns out to be bad is a failure of each schedule", () =>
  withNewStatus(4, "ARCHIVED", async (world) => {
    await world.records.statuses.say({ archived: "bad" }, by(world.now()));
    await world.until(world.now() + MINUTE);
    assertEquals((await openCodes(world)).sort(), ["1 failing", "2 failing"]);
  }));

Deno.test("checkService: the incident stays while its status is unknown, whatever comes between", () =>
  withNewStatus(4, "ARCHIVED", async (world) => {
    for (const id of [1, 2]) {
      const runs = world.histories.get(id)!;
      world.histories.set(id, runs.map((run, at) => at < 6 ? run : { ...run, status: "success" }));
    }
    await world.until(START + 9 * HOUR);
    assertEquals((await world.records.verdicts.get(1))?.headline, "healthy");
    assertEquals(await openCodes(world), ["null unknown-status"]);
    assertEquals(messages(world), ["opened unknown-status service"]);
  }));

Deno.test("checkService: another unknown status is sent as well, an hour after the last message", () =>
  withNewStatus(4, "ARCHIVED", async (world) => {
    const runs = world.histories.get(2)!;
    world.histories.set(2, runs.map((run, at) => at < 5 ? run : { ...run, status: "ENVOYE" }));
    await world.until(START + 9 * HOUR);
    assertEquals(messages(world), [
      "opened unknown-status service",
      "grew unknown-status service",
    ]);
    const [{ reason }] = await world.records.incidents.allOpen();
    assertStringIncludes(reasonText(reason), "finished with ARCHIVED or ENVOYE, so the result");
    await world.records.statuses.say({ archived: "good" }, by(world.now()));
    await world.until(world.now() + MINUTE);
    assertEquals(await openCodes(world), ["null unknown-status"]);
    await world.records.statuses.say({ archived: "good", envoye: "good" }, by(world.now()));
    await world.until(world.now() + MINUTE);
    assertEquals(await openCodes(world), []);
    assertEquals(messages(world).slice(2), ["resolved unknown-status service"]);
  }));

Deno.test("checkService: runs that end without any status are an incident as well", () =>
  withNewStatus(4, null, async (world) => {
    const [{ code, reason }] = await world.records.incidents.allOpen();
    assertEquals(code, "unknown-status");
    assertStringIncludes(reasonText(reason), "finished with no status");
  }));
