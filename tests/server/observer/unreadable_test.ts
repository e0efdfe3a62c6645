import { assert, assertEquals, assertMatch } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { JudgingError } from "../../../server/observer/judging/judging.ts";
import { GRACE, runWell, START, withWorld } from "./world.ts";
import type { StoredIncident } from "../../../server/store/records/incidents.ts";

function failureIn({ reason }: StoredIncident): string {
  return reason.code === "unreadable" ? reason.failure ?? "" : reason.code;
}

Deno.test("pollSchedule: a service that is down is one incident, resolved by itself", () =>
  withWorld([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], async (world) => {
    for (const id of world.histories.keys()) runWell(world, id, START - 5 * HOUR, 6);
    await world.until(START + 10 * MINUTE);
    world.fault = () => new HttpStatusError(500, "secret words of the service", {});
    await world.until(START + 2 * HOUR);
    assertEquals(world.notified(), ["opened unreadable service"]);
    const [incident] = await world.records.incidents.open(null);
    assertEquals(failureIn(incident), "The service answered with status 500");
    const took = incident.opened - incident.reason.since!;
    assert(took <= MINUTE, `it opens when the second poll fails, not ${took} ms after the first`);
    world.fault = null;
    for (const id of world.histories.keys()) runWell(world, id, START + HOUR, 2);
    await world.until(START + 2 * HOUR + 10 * MINUTE);
    assertEquals(world.notified(), ["opened unreadable service", "resolved unreadable service"]);
    assertEquals(await world.records.incidents.allOpen(), []);
  }));

const refused = (status: number) => new HttpStatusError(status, "secret words", {});

Deno.test("pollSchedule: a refusal of one schedule is sent at once, as its own", () =>
  withWorld([1, 2, 3], async (world) => {
    for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 8);
    await world.until(START + 10 * MINUTE);
    world.fault = (id) => id === 2 ? refused(403) : null;
    const before = world.requests.length;
    await world.until(START + HOUR + MINUTE);
    assertEquals(world.notified(), ["opened unreadable 2"]);
    const asked = world.requests.slice(before).find(({ scheduleId }) => scheduleId === 2);
    assertEquals(world.sent[0].at, asked?.at);
    await world.until(START + 2 * HOUR);
    assertEquals(world.notified(), ["opened unreadable 2"]);
    world.fault = null;
    await world.until(START + 2 * HOUR + 10 * MINUTE);
    assertEquals(world.notified(), ["opened unreadable 2", "resolved unreadable 2"]);
  }));

Deno.test("pollSchedule: a refusal is the service's if a second readable schedule is refused too", () =>
  withWorld([1, 2, 3], async (world) => {
    for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 9);
    await world.until(START + 10 * MINUTE);
    world.fault = () => refused(403);
    await world.until(START + 3 * HOUR);
    assertEquals(world.notified(), ["opened unreadable service"]);
    const [incident] = await world.records.incidents.open(null);
    assertMatch(
      failureIn(incident),
      /^The service refuses schedules \d and \d \(status 403\)$/,
    );
    // Only one is refused for good.
    world.fault = (id) => id === 2 ? refused(403) : null;
    await world.until(START + 3 * HOUR + 10 * MINUTE);
    assertEquals(world.notified().slice(1).sort(), [
      "opened unreadable 2",
      "resolved unreadable service",
    ]);
  }));

Deno.test("pollSchedule: a schedule that is known to be refused is no second one", () =>
  withWorld([1, 2], async (world) => {
    for (const id of [1, 2]) runWell(world, id, START - 5 * HOUR, 8);
    await world.until(START + 10 * MINUTE);
    world.fault = (id) => id === 1 ? refused(403) : null;
    await world.until(START + HOUR + 10 * MINUTE);
    world.fault = () => refused(403);
    await world.until(START + 3 * HOUR);
    assertEquals(world.notified(), ["opened unreadable 1", "opened unreadable 2"]);
  }));

Deno.test("pollSchedule: an outage changes nothing of a schedule that was refused before", () =>
  withWorld([1, 2, 3], async (world) => {
    for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 9);
    world.fault = (id) => id === 2 ? refused(403) : null;
    await world.until(START + 10 * MINUTE);
    world.fault = () => refused(500);
    await world.until(START + 2 * HOUR);
    assertEquals(world.notified(), ["opened unreadable 2", "opened unreadable service"]);
    const [incident] = await world.records.incidents.open(2);
    assertMatch(failureIn(incident), /status 403/);
  }));

Deno.test("pollSchedule: after a failure, what is overdue is sent within a round", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 6);
    await world.until(START + HOUR + 1000);
    world.fault = () => refused(500);
    await world.until(START + HOUR + GRACE - 5000);
    world.fault = null;
    await world.until(START + HOUR + GRACE + 10 * MINUTE);
    const { at } = world.sent.find(({ message: { event } }) =>
      event.data.incident.code === "overdue"
    )!;
    const { waitsMs } = (await world.records.verdicts.get(1))!.details;
    assert(at <= START + HOUR + GRACE + waitsMs + MINUTE, `${at - START}`);
  }));

Deno.test("pollSchedule: a service that wants fewer requests is left alone by all watches", () =>
  withWorld([1, 2, 3], async (world) => {
    for (const id of [1, 2, 3]) runWell(world, id, START - 5 * HOUR, 30);
    await world.until(START + 10 * MINUTE);
    let refused = 0;
    const pause = 3 * MINUTE;
    world.fault = () =>
      refused++ === 0 ? new HttpStatusError(429, "x", { retryAfterMs: pause }) : null;
    const before = world.requests.length;
    await world.until(START + 5 * HOUR);
    const [{ at: refusedAt }, ...later] = world.requests.slice(before);
    assert(later.every(({ at }) => at === refusedAt || at >= refusedAt + pause));
    assertEquals(world.notified(), []);
  }));

Deno.test("pollSchedule: a history that can't be judged is an incident", () =>
  withWorld([1, 2], async (world) => {
    for (const id of [1, 2]) world.run(id, START - HOUR);
    world.judgingFault = new JudgingError("It takes too long");
    await world.until(START + HOUR / 2);
    assertEquals(world.notified().sort(), ["opened unreadable 1", "opened unreadable 2"]);
    world.judgingFault = null;
    await world.until(START + HOUR - 1);
    assertEquals(world.notified().filter((each) => each.includes("unreadable")).length, 4);
    assertEquals(await world.records.runs.count(1), 1);
  }));

Deno.test("pollSchedule: with no worker free, records nothing, polls again soon", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    world.judgingFault = new JudgingError("Too many are waiting", true);
    for (let attempt = 0; attempt < 3; attempt++) {
      assertEquals(await world.observer.pollDue(), 1);
      world.sleepUntil(world.now() + 15_000);
    }
    const watch = (await world.records.watches.get(1))!;
    assertEquals([watch.failures, watch.polled, watch.due <= START], [0, null, true]);
    world.judgingFault = null;
    await world.until(world.now());
    assertEquals((await world.records.verdicts.get(1))?.state, "late");
    assertEquals(world.notified(), []);
  }));

Deno.test("pollSchedule: a service readable in part splits into schedules", () =>
  withWorld([1, 2, 3, 4], async (world) => {
    for (const id of world.histories.keys()) runWell(world, id, START - 5 * HOUR, 30);
    await world.until(START + 10 * MINUTE);
    world.fault = () => new HttpStatusError(500, "x", {});
    await world.until(START + 2 * HOUR);
    // Schedules that are polled seldom notice it late: it is the same incident.
    assertEquals(world.notified(), ["opened unreadable service"]);
    world.fault = (id) => id > 2 ? new HttpStatusError(500, "x", {}) : null;
    await world.until(START + 3 * HOUR);
    assertEquals(world.notified().slice(1).sort(), [
      "opened unreadable 3",
      "opened unreadable 4",
      "resolved unreadable service",
    ]);
    world.fault = null;
    await world.until(START + 4 * HOUR);
    assertEquals(await world.records.incidents.allOpen(), []);
    assertEquals(world.notified().length, 6);
  }));
