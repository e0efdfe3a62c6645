/** What people change while a schedule is watched: plans, muting, calendars, recipients. */
import { assertEquals, assertMatch } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { decideRecipient } from "../../../server/actions/decide_recipient.ts";
import { removeSchedule } from "../../../server/actions/known_schedules.ts";
import { toSummary } from "../../../server/observer/words.ts";
import { ADA } from "../../actors.ts";
import { GRACE, HOURLY, openCodes, runWell, START, withWorld } from "./world.ts";

Deno.test("pollSchedule: what is overdue is not sent while muted or excused, also during a poll", () =>
  withWorld([1, 2, 3, 4, 5, 6], async (world) => {
    const { watches, calendars } = world.records;
    for (const id of [1, 2, 3, 4, 5, 6]) runWell(world, id, START - 30 * HOUR, 30);
    const by = { changed: START, actor: ADA };
    await calendars.save({ name: "Holidays", days: ["2026-03-10"], scheduleIds: [6], ...by });
    await watches.change(1, { mutedUntil: START + 30 * MINUTE }, START);
    const during = new Map<number, object>([
      [4, { mutedUntil: START + 9 * HOUR }],
      [5, { pauses: [{ from: START - MINUTE, to: START + 9 * HOUR }] }],
    ]);
    const changes: Promise<unknown>[] = [];
    world.fault = (id) => {
      // At the poll that finds it overdue.
      if (during.has(id) && world.now() > START + GRACE) {
        changes.push(watches.change(id, during.get(id)!, world.now() + 1));
        during.delete(id);
      }
      return null;
    };
    const opened = (await world.until(START + 20 * MINUTE)).sort();
    assertEquals(opened, ["opened overdue 2", "opened overdue 3"]);
    const open = [1, 4, 5, 6].map((id) => openCodes(world, id));
    assertEquals([await Promise.all(open), changes.length], [
      [["overdue"], ["overdue"], [], []],
      2,
    ]);
    const plan = { ...HOURLY, cron: ["30 * * * *"], since: world.now() };
    await watches.change(2, { plan }, world.now());
    world.run(3, START);
    await world.until(START + 30 * MINUTE);
    const [first, , changed, listed] = world.sent.map(({ message }) => toSummary(message.event));
    assertMatch(first, /not started; last sent Mon 9 Mar 23:00 UTC$/);
    assertMatch(changed, /no run is planned for then any more/);
    assertMatch(listed, /it went out Tue 10 Mar 00:00 UTC, and was listed Tue 10 Mar 00:2\d UTC/);
    assertEquals(world.notified().slice(4), ["opened overdue 1"]);
    assertEquals(world.sent[4].at, START + 30 * MINUTE);
    assertEquals(await world.until(START + 40 * MINUTE), ["opened overdue 2"]);
    await calendars.remove("Holidays", { actor: ADA, now: world.now() });
    assertEquals(await world.until(START + 45 * MINUTE), ["opened overdue 6"]);
  }));

const [ADA_LISTED, SAM, ROWAN] = ["ada@example.com", "sam@example.com", "rowan@partner.example.net"]
  .map((emailAddress, at) => ({ userId: at + 1, displayName: "Name", emailAddress }));

Deno.test("pollSchedule: knows whom people expect outside, and who left", () =>
  withWorld([1], async (world) => {
    const { people, leavers } = world.records;
    const before = [ADA_LISTED, SAM];
    runWell(world, 1, START - 40 * HOUR, 40, { recipients: before });
    const runTo = async (hour: number, ...recipients: object[]) => {
      world.run(1, START + hour * HOUR, { recipients });
      await world.until(START + (hour + 1) * HOUR - MINUTE);
      return await openCodes(world);
    };
    assertEquals(await runTo(0, ...before, ROWAN), ["outside-recipient"]);
    const personId = (await people.find(3))!;
    const decision = { personId, expected: true, on: 1, note: "", until: null } as const;
    await decideRecipient(world.services, decision, { actor: ADA, now: world.now() });
    for (const hour of [1, 2]) await runTo(hour, ...before, ROWAN);
    assertEquals(await openCodes(world), []);
    const left = { userId: null, address: "sam@example.com", leftAt: START - 10 * HOUR };
    // With a list, and without it, it is judged at once.
    const add = () => leavers.add([left], { actor: ADA, now: world.now() });
    const clear = () => leavers.clear({ actor: ADA, now: world.now() });
    await add();
    await world.until(world.now() + 1);
    assertEquals(await openCodes(world), ["leaver-recipient"]);
    await clear();
    await world.until(world.now() + 1);
    assertEquals(await openCodes(world), []);
    const done = (await world.records.events.latest(1, 9)).map(({ note, actor }) => [note, actor]);
    const list = "List of people who left:";
    assertEquals(done, [[`${list} cleared`, ADA], [`${list} 1 added`, ADA]]);
    await add();
    await runTo(3, ADA_LISTED, ROWAN);
    assertEquals(await runTo(4, ADA_LISTED, ROWAN), []);
    // Also at the first run that ever lists them.
    await leavers.add([{ userId: 9, address: null, leftAt: START }], { actor: ADA, now: START });
    assertEquals(await runTo(5, ADA_LISTED, ROWAN, { userId: 9 }), ["leaver-recipient"]);
  }));

Deno.test("pollSchedule: all schedules together show who is inside, not one that goes to partners", () =>
  withWorld([1, 2, 3], async (world) => {
    const partners = [1, 2].map((id) => ({ emailAddress: `${id}@partner.example.net` }));
    for (const id of [1, 2, 3]) {
      const recipients = id === 3 ? partners : [ADA_LISTED, SAM];
      runWell(world, id, START - 40 * HOUR, 40, { recipients });
    }
    await world.until(START + 30 * MINUTE);
    assertEquals((await world.records.service.get()).inside, ["example.com"]);
    for (const id of [1, 2, 3]) world.run(id, START + HOUR, { recipients: [...partners, SAM] });
    await world.until(START + HOUR + 30 * MINUTE);
    const codes = await Promise.all([1, 2, 3].map((id) => openCodes(world, id)));
    const isOutside = codes.map((each) => each.includes("outside-recipient"));
    assertEquals(isOutside, [true, true, false]);
  }));

Deno.test("removeSchedule: one added again loses its plan, and keeps who left", () =>
  withWorld([1], async (world) => {
    const { leavers, watches, verdicts } = world.records;
    runWell(world, 1, START - 48 * HOUR, 48, { recipients: [{ userId: 1 }] });
    const left = { userId: 1, address: null, leftAt: START - 9 * HOUR };
    await leavers.add([left], { actor: ADA, now: START });
    await watches.change(1, { plan: { ...HOURLY, cron: ["0 5 * * *"] } }, START - HOUR);
    await world.until(START + MINUTE);
    const source = async () => (await verdicts.get(1))?.planSource;
    assertEquals(await source(), "confirmed");
    await watches.remove(1);
    await removeSchedule({ records: world.records, origin: "" }, 1);
    await watches.add([1], world.now());
    await world.until(START + 3 * MINUTE);
    assertEquals([await source(), await openCodes(world)], ["inferred", ["leaver-recipient"]]);
  }));
