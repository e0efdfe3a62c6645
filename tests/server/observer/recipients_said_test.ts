import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { ADA } from "../../actors.ts";
import { START, withWorld, type World } from "./world.ts";

const ada = { userId: 1, displayName: "Ada", emailAddress: "ada@example.com" };
const rowan = { userId: 9, displayName: "Rowan", emailAddress: "rowan@partner.example.net" };

/** The codes of what is open about the schedule. */
async function open({ records }: World): Promise<string[]> {
  return (await records.incidents.open(1)).map(({ code }) => code).sort();
}

/** Lets an hour's run go to some people, and the observer do what is due until the next. */
async function runTo(world: World, hour: number, recipients: object[]): Promise<void> {
  world.run(1, START + hour * HOUR, { recipients });
  await world.until(START + (hour + 1) * HOUR - MINUTE);
  await world.records.receipts.count(1);
}

Deno.test("pollSchedule: expecting an outside recipient resolves the incident", () =>
  withWorld([1], async (world) => {
    const { records } = world;
    for (let hour = -40; hour < 0; hour++) world.run(1, START + hour * HOUR, { recipients: [ada] });
    await runTo(world, 0, [ada, rowan]);
    assertEquals(await open(world), ["outside-recipient"]);
    const personId = (await records.people.find(9))!;
    const decision = {
      personId,
      domain: null,
      scheduleId: 1,
      expected: 1,
      why: "",
      actor: ADA,
      at: world.now(),
      until: null,
    };
    await records.recipientDecisions.add([decision]);
    await records.recipientDecisions.judgeAgain(decision);
    for (const hour of [1, 2]) await runTo(world, hour, [ada, rowan]);
    assertEquals(await open(world), []);
  }));

Deno.test("pollSchedule: a leaver who still receives opens one incident, which ends with the list", () =>
  withWorld([1], async (world) => {
    const { records } = world;
    const sam = { userId: 2, displayName: "Sam", emailAddress: "sam@example.com" };
    for (let hour = -40; hour < 0; hour++) {
      world.run(1, START + hour * HOUR, { recipients: [ada, sam] });
    }
    await runTo(world, 0, [ada, sam]);
    assertEquals(await open(world), []);
    const leftAt = START - 10 * HOUR;
    await records.leavers.add([{ userId: null, address: "sam@example.com", leftAt }], world.now());
    await runTo(world, 1, [ada, sam]);
    assertEquals(await open(world), ["leaver-recipient"]);
    for (const hour of [2, 3]) await runTo(world, hour, [ada]);
    assertEquals(await open(world), []);
  }));
