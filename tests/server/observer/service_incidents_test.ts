/** Incidents of the service, of schedules that can't be read, and of Docket itself. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HttpStatusError } from "../../../lib/errors.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/time_units.ts";
import { JudgingError } from "../../../server/observer/judging/judging.ts";
import { StaleAnswerError } from "../../../server/observer/service_access.ts";
import { ADA } from "../../actors.ts";
import { GRACE, onlyDuties, openCodes, runWell, START, withWorld, type World } from "./world.ts";

const answered = (status: number) => new HttpStatusError(status, "secret words", {});

/** A world whose schedules run well, and were read. */
function withRead(ids: readonly number[], test: (world: World) => Promise<void>): Promise<void> {
  return withWorld(ids, async (world) => {
    for (const id of ids) runWell(world, id, START - 30 * HOUR, 60);
    await world.until(START + 10 * MINUTE);
    await test(world);
  });
}

/** What the only incident of a schedule, or of the service, says. */
async function textOf({ records }: World, scheduleId: number | null = null): Promise<string> {
  const [{ reason }] = await records.incidents.open(scheduleId);
  return reasonText(reason);
}

/** What was sent that is about stale answers. */
const sentStale = (world: World) => world.notified().filter((each) => each.includes("stale"));
const STALE = ["opened stale service", "resolved stale service"];

Deno.test("pollSchedule: a service that fails or refuses all is one incident, while none is read", () =>
  withRead([1, 2, 3, 4], async (world) => {
    world.refuse(500);
    await world.poll(world.now() + SECOND, 1);
    const began = world.now();
    // Schedules that are polled seldom notice it late: it is the same incident.
    assertEquals(await world.until(START + 30 * MINUTE), ["opened unreadable service"]);
    assertStringIncludes(await textOf(world), "service answered with status 500");
    for (const id of [1, 2, 3, 4]) {
      await world.poll(world.now() + 1, id);
      const [{ opened, reason }] = await world.records.incidents.open(null);
      assertEquals(reason.since, began);
      assert(opened - began <= MINUTE, "it opens when the second poll in a row fails");
    }
    world.refuse(500, [3, 4]);
    const partly = await world.until(START + 40 * MINUTE);
    const own = ["opened unreadable 3", "opened unreadable 4"];
    assertEquals(partly.sort(), [...own, "resolved unreadable service"]);
    world.fault = null;
    assertEquals((await world.until(START + 45 * MINUTE)).length, 2);
    assertEquals(await world.records.incidents.allOpen(), []);
    // One schedule fails twice before another is due: that one is asked at once.
    world.refuse(500, [3]);
    for (const ms of [1, 2]) await world.poll(world.now() + ms, 3);
    assertEquals(await openCodes(world, null), []);
    world.fault = null;
    await world.until(START + 47 * MINUTE);
    // First all are refused, then schedule 2 alone: an outage does not change why.
    world.refuse(403);
    assertEquals(await world.until(START + 65 * MINUTE), ["opened unreadable service"]);
    assertMatch(await textOf(world), /service refuses schedules \d and \d \(status 403\)/);
    world.refuse(403, [2]);
    const sent = (await world.until(START + 80 * MINUTE)).sort();
    assertEquals(sent, ["opened unreadable 2", "resolved unreadable service"]);
    world.refuse(500);
    assertEquals(await world.until(START + 100 * MINUTE), ["opened unreadable service"]);
    assertMatch(await textOf(world, 2), /status 403/);
  }));

Deno.test("pollSchedule: a refused schedule has one incident an hour, and is unknown unless down", () =>
  withRead([1, 2, 3], async (world) => {
    const { overview, watches } = world.records;
    const before = world.requests.length;
    for (let again = 0; again < 2; again++) {
      world.refuse(403, [2]);
      assertEquals(await world.until(world.now() + 20 * MINUTE), ["opened unreadable 2"]);
      world.fault = null;
      assertEquals(await world.until(world.now() + 10 * MINUTE), ["resolved unreadable 2"]);
    }
    const request = world.requests.slice(before).find(({ scheduleId }) => scheduleId === 2);
    assertEquals(world.sent[0].at, request?.at);
    assertEquals(new Set(world.sent.map(({ message }) => message.event.data.incident.id)).size, 1);
    // What can't be read is unknown, unless it is known to be down.
    const states = async () =>
      (await overview.figures()).map(({ headline, state }) => `${headline} ${state}`);
    await watches.change(3, { mutedUntil: START + 9 * HOUR }, world.now());
    world.refuse(403, [1, 2]);
    world.run(3, START + HOUR + 12 * MINUTE, { status: "failure" });
    await world.until(START + 100 * MINUTE);
    assertEquals(await states(), ["unknown unknown", "unknown unknown", "failing down"]);
    world.refuse(403, [3]);
    const sent = await world.until(START + 119 * MINUTE);
    assertEquals(sent.filter((each) => each.endsWith(" 3")), []);
    assertEquals((await states())[2], "failing down");
    assertEquals(await openCodes(world, 3), ["failing", "unreadable"]);
  }));

Deno.test("pollSchedule: what can't be judged is an incident; what is overdue follows within a round", () =>
  withWorld([1, 2], async (world) => {
    for (const id of [1, 2]) runWell(world, id, START - 5 * HOUR, 6);
    await world.until(START + MINUTE);
    world.judgingFault = new JudgingError("It takes too long");
    const unjudged = (await world.until(START + HOUR / 2)).sort();
    assertEquals(unjudged, ["opened unreadable 1", "opened unreadable 2"]);
    world.judgingFault = null;
    await world.until(START + HOUR + 1000);
    assertEquals([await openCodes(world), await world.records.runs.count(1)], [[], 6]);
    world.refuse(500);
    await world.until(START + HOUR + GRACE - 5000);
    world.fault = null;
    await world.until(START + HOUR + GRACE + 10 * MINUTE);
    const at = world.sent[world.notified().indexOf("opened overdue 1")]?.at;
    const { waitsMs } = (await world.records.verdicts.get(1))!.details;
    assert(at <= START + HOUR + GRACE + waitsMs + MINUTE, `${at - START}`);
  }));

/** Lets the service answer without the runs of its last hours until then. */
async function withoutNewest(world: World, hours: number, until: number): Promise<void> {
  const whole = new Map(world.histories);
  for (const [id, history] of whole) {
    world.histories.set(id, history.filter((run) => run.id * 1000 <= START - hours * HOUR));
  }
  await world.poll();
  await world.until(until);
  for (const [id, history] of whole) world.histories.set(id, history);
}

Deno.test("pollSchedule: a stale answer changes nothing for half an hour, asked again in 30 s", () =>
  withRead(Array.from({ length: 10 }, (_, at) => at + 1), async (world) => {
    const { requests, records: { verdicts, runs, watches } } = world;
    const lag = async () => (await verdicts.get(1))!.details.lag?.lag;
    const [before, lagBefore, now] = [requests.length, await lag(), world.now()];
    await withoutNewest(world, 2, now + 29 * SECOND);
    assertEquals(requests.length, before + 10);
    await world.until(now + 31 * SECOND);
    assertEquals(requests.length, before + 20);
    assertEquals(await world.until(START + HOUR - 1), []);
    assertEquals([await lag(), await runs.count(1)], [lagBefore, 31]);
    assertEquals((await watches.get(1))!.failures, 0);
    // Runs that are missing for half an hour count as removed, whatever fails meanwhile.
    const isGone = (start: number | null) => start === START - HOUR || start === START - 2 * HOUR;
    const history = world.histories.get(1)!;
    world.histories.set(1, history.filter(({ id }) => !isGone(id * 1000)));
    let polls = 0;
    world.fault = (id) => id === 1 && ++polls % 5 === 0 ? answered(500) : null;
    await world.poll();
    assertEquals(await world.until(START + 85 * MINUTE), ["opened stale service"]);
    await world.until(START + 90 * MINUTE);
    const stored = await runs.newest(1, 60);
    assertEquals(stored.filter(({ start }) => isGone(start)), []);
    await world.until(START + 4 * HOUR);
    assertEquals(sentStale(world), STALE);
  }));

Deno.test("pollSchedule: five minutes of stale answers are one incident, whatever fails too", () =>
  withRead([1, 2], async (world) => {
    world.refuse(500);
    await world.poll();
    assertEquals(await world.until(START + 30 * MINUTE), ["opened unreadable service"]);
    world.fault = null;
    const assertSentAfter = (since: number) => {
      assertEquals(world.notified().at(-1), STALE[0]);
      const { at, message } = world.sent.at(-1)!;
      assert(at - since >= 5 * MINUTE && at - since < 6 * MINUTE, `${at - since}`);
      assertEquals(message.event.data.reason.since, new Date(since).toISOString());
    };
    const lacking = world.now();
    await withoutNewest(world, 4, START + 38 * MINUTE);
    assertSentAfter(lacking);
    await world.until(START + 2 * HOUR - 1);
    assertEquals(sentStale(world), STALE);
    let polls = 0;
    const old = new StaleAnswerError("its date is not that of the service's other answers");
    world.fault = () => ++polls % 3 === 0 ? answered(500) : old;
    const aging = world.now();
    await world.poll();
    await world.until(aging + 8 * MINUTE);
    assertSentAfter(aging);
    assertEquals(sentStale(world), [...STALE, STALE[0]]);
  }));

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
    const sent = await world.until(START + 6 * HOUR + 2 * MINUTE);
    assertEquals(world.logged, said);
    const behind = ["opened behind service", "resolved behind service"];
    assertEquals(sent.filter((each) => each.includes("behind")), behind);
    const due = world.now() + 10 * MINUTE;
    await polls.makeDue(1, due);
    await onlyDuties(world, 15);
    assertEquals(world.logged, said);
    await onlyDuties(world, 1);
    assertEquals((await incidents.open(null)).map(({ reason }) => reason.since), [due]);
  }));

Deno.test("checkService: unknown statuses are one incident, which grows, until each is explained", () =>
  withWorld([1, 2], async (world) => {
    const { verdicts, incidents, statuses } = world.records;
    const sent = async (moment: number) =>
      (await world.until(moment)).filter((message) => message.includes("unknown-status"));
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
    const [{ reason: { runs } }] = await incidents.allOpen();
    assertEquals([runs.length, (await verdicts.get(2))!.headline], [1, "unknown"]);
    // It stays, whatever comes between.
    assertEquals(await sent(START + 9 * HOUR), []);
    assertEquals(await openCodes(world, null), ["unknown-status"]);
    runWell(world, 1, START + 9 * HOUR, 2);
    runWell(world, 2, START + 9 * HOUR, 2, { status: "ENVOYE" });
    assertEquals(await sent(START + 10 * HOUR), ["grew unknown-status service"]);
    assertStringIncludes(await textOf(world), "finished with ARCHIVED or ENVOYE, so the result");
    assertEquals(await say({ archived: "good" }), []);
    assertEquals(await openCodes(world, null), ["unknown-status"]);
    const resolved = await say({ archived: "bad", envoye: "bad" });
    assertEquals(resolved, ["resolved unknown-status service"]);
    assertEquals(await openCodes(world, 2), ["failing"]);
    for (const id of [1, 2]) runWell(world, id, START + 11 * HOUR, 2, { status: null });
    await world.until(START + 12 * HOUR);
    assertStringIncludes(await textOf(world), "finished with no status");
  }));
