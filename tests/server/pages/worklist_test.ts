import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { decideRecipient } from "../../../server/actions/decide_recipient.ts";
import type { PageState } from "../../../server/pages/page_request.ts";
import { loadWorklist, worklistRows } from "../../../server/pages/worklist.ts";
import { storeOn } from "../../../server/store/store.ts";
import { ADA } from "../../actors.ts";
import { testRecords } from "../store/on_both.ts";
import { runOn } from "../store/rows.ts";

/** A whole day: a run's start is given in days, and a week less a millisecond is no week. */
const NOW = Math.floor(Date.now() / DAY) * DAY;

testRecords(
  "loadWorklist: who left and still receives, and who is not expected",
  async (records) => {
    const state = { services: { records }, preferences: { zone: "UTC" } } as unknown as PageState;
    /** Stores a run of a schedule to people with these user ids. */
    const read = async (scheduleId: number, start: number, userIds: readonly number[]) => {
      const run = runOn(start, start / DAY, userIds.map((userId) => ({ userId })));
      await storeOn(records.database).put({ runs: [{ scheduleId, run }] });
    };
    const load = () => loadWorklist(state, new URLSearchParams());
    const everybody = Array.from({ length: 205 }, (_, at) => at + 1);
    await read(7, NOW - 9 * DAY, [...everybody, 900, 901]);
    await read(7, NOW - 8 * DAY, [...everybody, 901]);
    const leftAt = NOW - 10 * DAY;
    const left = [...everybody, 900].map((userId) => ({ userId, address: null, leftAt }));
    await records.leavers.add(left, { actor: ADA, now: NOW });
    // Whoever stopped after leaving is not there, and takes nobody's place.
    const { leavers, moreLeavers } = await load();
    assertEquals([leavers.length, moreLeavers], [200, 5]);
    assertEquals((await load()).scheduleIds, [7]);
    assertEquals((await Array.fromAsync(worklistRows(records))).length, 205);

    // What is said of every schedule is an entry for each, also for one received later.
    const tasks = async () => (await load()).tasks.map((task) => [task.scheduleId, task.state]);
    const personId = (await records.people.find(1))!;
    const decision = { personId, expected: false, on: "all", note: "", until: null } as const;
    await decideRecipient({ records }, decision, { actor: ADA, now: NOW });
    assertEquals((await load()).moreLeavers, 4);
    await read(8, NOW + DAY, [1, 2]);
    assertEquals(await tasks(), [[7, "open"], [8, "open"]]);
    assertEquals((await load()).scheduleIds, [7, 8]);
    assertEquals((await load()).leavers.filter((each) => each.personId === personId), []);
    await read(8, NOW + 2 * DAY, [2]);
    assertEquals(await tasks(), [[7, "open"], [8, "done"]]);
    // One that was withdrawn is not added again.
    const { about, withdraw } = records.recipientDecisions;
    const on8 = (await about([personId], [], NOW)).find(({ scheduleId }) => scheduleId === 8)!;
    await withdraw(on8, { actor: ADA, now: NOW });
    await read(8, NOW + 3 * DAY, [1, 2]);
    assertEquals(await tasks(), [[7, "open"]]);

    await read(7, NOW + 7 * DAY, [1]);
    const listed = [[7, "still listed after a week"]];
    assertEquals(await tasks(), listed);

    // A decision that is over is not there.
    const over = { domain: null, expected: 0, why: "", actor: ADA, at: NOW - DAY, until: NOW };
    const other = (await records.people.find(901))!;
    await records.recipientDecisions.add([{ ...over, personId: other, scheduleId: 7 }]);
    assertEquals(await tasks(), listed);
  },
);
