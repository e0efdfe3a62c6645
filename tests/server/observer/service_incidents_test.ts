import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { ADA } from "../../actors.ts";
import { openCodes, runWell, START, withWorld, type World } from "./world.ts";

/** Does the duties of some minutes, though nothing is polled. */
async function onlyDuties(world: World, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    world.sleepUntil(world.now() + MINUTE);
    await world.observer.doDuties();
  }
}

Deno.test("checkService: polls that stay late are an incident, and those after a stop are not", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 10);
    await world.until(START + 30 * MINUTE);
    await onlyDuties(world, 1);
    world.sleepUntil(START + 4 * HOUR);
    await onlyDuties(world, 1);
    assertEquals(world.logged, []);
    await world.records.service.store({ pausedUntil: world.now() + HOUR });
    await onlyDuties(world, 30);
    assertEquals(world.logged, ["warn Polls are late"]);
    const [{ reason }] = await world.records.incidents.open(null);
    assert(reason.code === "behind" && reason.lateMs > 3 * HOUR);
    world.sleepUntil(START + 6 * HOUR);
    await world.until(START + 6 * HOUR + 2 * MINUTE);
    assertEquals(world.logged, ["warn Polls are late", "info Polls are in time again"]);
    const sent = world.notified().filter((each) => each.includes("behind"));
    assertEquals(sent, ["opened behind service", "resolved behind service"]);
  }));

Deno.test("checkService: polls are late after five minutes, since when the first was due", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    await world.until(START + MINUTE);
    const due = world.now() + 10 * MINUTE;
    await world.records.polls.makeDue(1, due);
    await onlyDuties(world, 15);
    assertEquals(world.logged, []);
    await onlyDuties(world, 1);
    assertEquals(world.logged, ["warn Polls are late"]);
    assertEquals((await world.records.incidents.open(null))[0].since, due);
  }));

/** Two watched schedules; from the fifth hour on, the service ends their runs with another status. */
function withNewStatus(status: string | null, test: (world: World) => Promise<void>) {
  return withWorld([1, 2], async (world) => {
    for (let at = -5; at < 12; at++) {
      for (const id of [1, 2]) world.run(id, START + at * HOUR, at < 4 ? {} : { status });
    }
    await world.until(START + 4 * HOUR + 20 * MINUTE);
    await test(world);
  });
}

/** Says what statuses mean; it is judged within the round that is due at once. */
async function say(world: World, meanings: Readonly<Record<string, "good" | "bad">>) {
  await world.records.statuses.say(meanings, { actor: ADA, now: world.now() });
  await world.until(world.now() + MINUTE);
}

function messages(world: World): string[] {
  return world.notified().filter((message) => message.includes("unknown-status"));
}

const OPENED = "opened unknown-status service";
const RESOLVED = "resolved unknown-status service";

Deno.test("checkService: unknown statuses are one incident, which grows, until each is explained", () =>
  withNewStatus("ARCHIVED", async (world) => {
    const { verdicts, incidents } = world.records;
    assertEquals([await openCodes(world, null), messages(world)], [["unknown-status"], [OPENED]]);
    const [{ reason: { runs: shown } }] = await incidents.allOpen();
    assertEquals(shown.length, 1);
    const found = await verdicts.list([1, 2]);
    assertEquals(found.map(({ headline }) => headline), ["unknown", "unknown"]);
    const runs = world.histories.get(2)!;
    world.histories.set(2, runs.map((run, at) => at < 10 ? run : { ...run, status: "ENVOYE" }));
    // An hour after the last message.
    await world.until(START + 6 * HOUR);
    assertEquals(messages(world), [OPENED, "grew unknown-status service"]);
    const [{ reason }] = await incidents.allOpen();
    assertStringIncludes(reasonText(reason), "finished with ARCHIVED or ENVOYE, so the result");
    await say(world, { archived: "good" });
    assertEquals(await openCodes(world, null), ["unknown-status"]);
    await say(world, { archived: "good", envoye: "good" });
    assertEquals([messages(world).slice(2), (await incidents.allOpen()).length], [[RESOLVED], 0]);
    await say(world, { archived: "bad", envoye: "good" });
    assertEquals(await openCodes(world, 1), ["failing"]);
  }));

Deno.test("checkService: the incident stays while its status is unknown, whatever comes between", () =>
  withNewStatus("ARCHIVED", async (world) => {
    for (const id of [1, 2]) {
      const runs = world.histories.get(id)!;
      world.histories.set(id, runs.map((run, at) => at < 11 ? run : { ...run, status: "success" }));
    }
    await world.until(START + 9 * HOUR);
    assertEquals((await world.records.verdicts.get(1))?.headline, "healthy");
    assertEquals([await openCodes(world, null), messages(world)], [["unknown-status"], [OPENED]]);
  }));

Deno.test("checkService: runs that end without any status are an incident as well", () =>
  withNewStatus(null, async (world) => {
    const [{ code, reason }] = await world.records.incidents.allOpen();
    assertEquals(code, "unknown-status");
    assertStringIncludes(reasonText(reason), "finished with no status");
  }));
