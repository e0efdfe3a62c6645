import { assertEquals } from "@std/assert";
import { addSchedules, watchSchedules } from "../../../server/actions/known_schedules.ts";
import { ADA } from "../../actors.ts";
import { START, withWorld } from "../observer/world.ts";

Deno.test("addSchedules, watchSchedules: what is as it should be counts as known, and stays", () =>
  withWorld([1], async ({ services, records }) => {
    const by = { actor: ADA, now: START };
    const plan = { cron: "0 * * * *", graceMinutes: 5 };
    const add = (more: object = {}) => addSchedules(services, { scheduleIds: "1-2", ...more }, by);
    const watch = () => watchSchedules(services, { scheduleIds: "1-2", ...plan }, by);
    assertEquals(await add(), { added: 1, changed: 0, known: 1 });
    assertEquals(await add(), { added: 0, changed: 0, known: 2 });
    assertEquals((await records.watches.list([1, 2])).map(({ scheduleId }) => scheduleId), [1]);
    assertEquals(await watch(), { added: 0, changed: 1, known: 1 });
    assertEquals(await watch(), { added: 0, changed: 0, known: 2 });
    assertEquals(await add({ ...plan, graceMinutes: 6 }), { added: 0, changed: 2, known: 0 });
    assertEquals(await add({ name: " Sales ", owner: " Finance " }), {
      added: 0,
      changed: 2,
      known: 0,
    });
    const [{ name, note }] = await records.watches.list([1]);
    assertEquals([name, note], ["Sales", "Finance"]);
    const kinds = (await records.events.latest(1, 9)).map(({ kind }) => kind);
    assertEquals(kinds, ["watch changed", "plan confirmed"]);
  }));
