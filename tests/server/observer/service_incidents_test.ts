import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { ADA } from "../../actors.ts";
import { onlyDuties, openCodes, runWell, START, withWorld } from "./world.ts";

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

Deno.test("checkService: unknown statuses are one incident, which grows, until each is explained", () =>
  withWorld([1, 2], async (world) => {
    const { verdicts, incidents, statuses } = world.records;
    const sent = async (moment: number) =>
      (await world.until(moment)).filter((message) => message.includes("unknown-status"));
    const headlines = async () => (await verdicts.list([1, 2])).map(({ headline }) => headline);
    /** Says what statuses mean; it is judged within the round that is due at once. */
    const say = async (meanings: Readonly<Record<string, "good" | "bad">>) => {
      await statuses.say(meanings, { actor: ADA, now: world.now() });
      return await sent(world.now() + MINUTE);
    };
    for (const id of [1, 2]) {
      runWell(world, id, START - 5 * HOUR, 9);
      runWell(world, id, START + 4 * HOUR, 2, { status: "ARCHIVED" });
      runWell(world, id, START + 6 * HOUR, 3);
    }
    assertEquals(await sent(START + 5 * HOUR), ["opened unknown-status service"]);
    const [{ reason: { runs: shown } }] = await incidents.allOpen();
    assertEquals([shown.length, await headlines()], [1, ["unknown", "unknown"]]);
    // It stays, whatever comes between.
    assertEquals([await sent(START + 9 * HOUR), await headlines()], [[], ["healthy", "healthy"]]);
    assertEquals(await openCodes(world, null), ["unknown-status"]);
    runWell(world, 1, START + 9 * HOUR, 2);
    runWell(world, 2, START + 9 * HOUR, 2, { status: "ENVOYE" });
    assertEquals(await sent(START + 10 * HOUR), ["grew unknown-status service"]);
    const text = async () => reasonText((await incidents.open(null))[0].reason);
    assertStringIncludes(await text(), "finished with ARCHIVED or ENVOYE, so the result");
    assertEquals(await say({ archived: "good" }), []);
    assertEquals(await openCodes(world, null), ["unknown-status"]);
    const resolved = await say({ archived: "good", envoye: "good" });
    assertEquals(resolved, ["resolved unknown-status service"]);
    await say({ archived: "bad", envoye: "bad" });
    assertEquals(await openCodes(world, 2), ["failing"]);
    for (const id of [1, 2]) runWell(world, id, START + 11 * HOUR, 2, { status: null });
    await world.until(START + 12 * HOUR);
    assertStringIncludes(await text(), "finished with no status");
  }));
