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

Deno.test("checkService: polls five minutes late are an incident, but not those after a stop", () =>
  withWorld([1], async (world) => {
    const { service, incidents, polls } = world.records;
    runWell(world, 1, START - 5 * HOUR, 14);
    await world.until(START + 30 * MINUTE);
    await onlyDuties(world, 1);
    world.sleepUntil(START + 4 * HOUR);
    await onlyDuties(world, 1);
    assertEquals(world.logged, []);
    await service.store({ pausedUntil: world.now() + HOUR });
    await onlyDuties(world, 30);
    const said = ["warn Polls are late", "info Polls are in time again"];
    assertEquals(world.logged, said.slice(0, 1));
    const [{ reason }] = await incidents.open(null);
    assert(reason.code === "behind" && reason.lateMs > 3 * HOUR);
    world.sleepUntil(START + 6 * HOUR);
    await world.until(START + 6 * HOUR + 2 * MINUTE);
    assertEquals(world.logged, said);
    const sent = world.notified().filter((each) => each.includes("behind"));
    assertEquals(sent, ["opened behind service", "resolved behind service"]);
    const due = world.now() + 10 * MINUTE;
    await polls.makeDue(1, due);
    await onlyDuties(world, 15);
    assertEquals(world.logged, said);
    await onlyDuties(world, 1);
    assertEquals(world.logged.slice(2), said.slice(0, 1));
    assertEquals((await incidents.open(null)).map(({ reason }) => reason.since), [due]);
  }));

/** Two watched schedules; in the fifth hour, the service ends their runs with another status. */
function withNewStatus(status: string | null, test: (world: World) => Promise<void>) {
  return withWorld([1, 2], async (world) => {
    for (const id of [1, 2]) {
      runWell(world, id, START - 5 * HOUR, 9);
      runWell(world, id, START + 4 * HOUR, 2, { status });
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
    const headlines = async () => (await verdicts.list([1, 2])).map(({ headline }) => headline);
    assertEquals(await headlines(), ["unknown", "unknown"]);
    // It stays, whatever comes between.
    for (const id of [1, 2]) runWell(world, id, START + 6 * HOUR, 3);
    await world.until(START + 9 * HOUR);
    assertEquals([await headlines(), messages(world)], [["healthy", "healthy"], [OPENED]]);
    runWell(world, 1, START + 9 * HOUR, 2);
    runWell(world, 2, START + 9 * HOUR, 2, { status: "ENVOYE" });
    await world.until(START + 10 * HOUR);
    assertEquals(messages(world), [OPENED, "grew unknown-status service"]);
    const [{ reason }] = await incidents.allOpen();
    assertStringIncludes(reasonText(reason), "finished with ARCHIVED or ENVOYE, so the result");
    await say(world, { archived: "good" });
    assertEquals(await openCodes(world, null), ["unknown-status"]);
    await say(world, { archived: "good", envoye: "good" });
    assertEquals(messages(world).slice(2), [RESOLVED]);
    await say(world, { archived: "bad", envoye: "bad" });
    assertEquals(await openCodes(world, 2), ["failing"]);
  }));

Deno.test("checkService: runs that end without any status are an incident as well", () =>
  withNewStatus(null, async (world) => {
    const [{ code, reason }] = await world.records.incidents.allOpen();
    assertEquals(code, "unknown-status");
    assertStringIncludes(reasonText(reason), "finished with no status");
  }));
