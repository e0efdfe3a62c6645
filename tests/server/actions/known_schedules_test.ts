import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import {
  addScheduleFile,
  addSchedules,
  changeWatch,
  watchSchedules,
} from "../../../server/actions/known_schedules.ts";
import { ADA } from "../../actors.ts";
import { judging, runWell, START, withWorld } from "../observer/world.ts";

Deno.test("addSchedules, watchSchedules: a schedule that needs no change counts as known, and stays", () =>
  withWorld([1], async ({ services, records }) => {
    const by = { actor: ADA, now: START };
    const plan = { cron: "0 * * * *", graceMinutes: 5 };
    /** What adding or watching two schedules did: how many were added, changed and known. */
    const did = async (act: typeof addSchedules, more: object = {}) => {
      const done = await act({ ...services, judging }, { scheduleIds: "1-2", ...more }, by);
      return [done.added, done.changed, done.known, done.misfits];
    };
    assertEquals(await did(addSchedules), [1, 0, 1, null]);
    assertEquals(await did(addSchedules), [0, 0, 2, null]);
    assertEquals((await records.watches.list([1, 2])).map(({ scheduleId }) => scheduleId), [1]);
    assertEquals(await did(watchSchedules, plan), [0, 1, 1, null]);
    assertEquals(await did(watchSchedules, plan), [0, 0, 2, null]);
    assertEquals(await did(addSchedules, { ...plan, graceMinutes: 6 }), [0, 2, 0, null]);
    assertEquals(await did(addSchedules, { name: " Sales ", owner: " Finance " }), [0, 2, 0, null]);
    const [{ name, owner }] = await records.watches.list([1]);
    assertEquals([name, owner], ["Sales", "Finance"]);
    const kinds = (await records.events.latest(1, 9)).map(({ kind }) => kind);
    assertEquals(kinds, ["watch changed", "plan confirmed"]);
  }));

Deno.test("planMisfits: lists the schedules of which no recent run fits the plan", () =>
  withWorld([1, 2, 3], async (world) => {
    for (const id of [1, 2]) runWell(world, id, START - 9 * HOUR, 9);
    await world.until(START + MINUTE);
    const services = { ...world.services, judging };
    const by = { actor: ADA, now: world.now() };
    const misfits = async (cron: string) =>
      (await watchSchedules(services, { scheduleIds: "1-4", cron }, by)).misfits;
    assertEquals(await misfits("30 * * * *"), "1-2");
    assertEquals(await misfits("0 * * * *"), null);
    const change = { scheduleId: 1, cron: "30 * * * *" };
    assertEquals(await changeWatch(services, change, by), { misfits: "1" });
    const text = "scheduleId,cron\n2,30 * * * *\n";
    const file = new Blob([text]).stream();
    const saved = await addScheduleFile(services, { file, skipsInvalid: false }, by);
    assertEquals(saved, { added: 0, changed: 1, known: 0, skipped: 0, misfits: "2" });
  }));
