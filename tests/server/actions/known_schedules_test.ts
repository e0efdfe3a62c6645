import { assertEquals } from "@std/assert";
import { addSchedules, watchSchedules } from "../../../server/actions/known_schedules.ts";
import { ADA } from "../../actors.ts";
import { START, withWorld } from "../observer/world.ts";

Deno.test("addSchedules, watchSchedules: a schedule that needs no change counts as known, and stays", () =>
  withWorld([1], async ({ services, records }) => {
    const by = { actor: ADA, now: START };
    const plan = { cron: "0 * * * *", graceMinutes: 5 };
    /** What adding or watching two schedules did: how many were added, changed and known. */
    const did = async (act: typeof addSchedules, more: object = {}) => {
      const done = await act(services, { scheduleIds: "1-2", ...more }, by);
      return [done.added, done.changed, done.known];
    };
    assertEquals(await did(addSchedules), [1, 0, 1]);
    assertEquals(await did(addSchedules), [0, 0, 2]);
    assertEquals((await records.watches.list([1, 2])).map(({ scheduleId }) => scheduleId), [1]);
    assertEquals(await did(watchSchedules, plan), [0, 1, 1]);
    assertEquals(await did(watchSchedules, plan), [0, 0, 2]);
    assertEquals(await did(addSchedules, { ...plan, graceMinutes: 6 }), [0, 2, 0]);
    assertEquals(await did(addSchedules, { name: " Sales ", owner: " Finance " }), [0, 2, 0]);
    const [{ name, owner }] = await records.watches.list([1]);
    assertEquals([name, owner], ["Sales", "Finance"]);
    const kinds = (await records.events.latest(1, 9)).map(({ kind }) => kind);
    assertEquals(kinds, ["watch changed", "plan confirmed"]);
  }));
