/** Who receives what, as pages say: everybody, one person, and whom the worklist names. */
import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { decideRecipient } from "../../../server/actions/decide_recipient.ts";
import { loadPeople } from "../../../server/pages/people_page.ts";
import { loadPerson } from "../../../server/pages/person.ts";
import { loadWorklist, worklistRows } from "../../../server/pages/worklist.ts";
import { ADA } from "../../actors.ts";
import { type TestRecords, testRecords } from "../store/on_both.ts";
import { runOn } from "../store/rows.ts";
import { pageState } from "./page_state.ts";

/** A whole day: a run's start is given in days, and a week less a millisecond is no week. */
const NOW = Math.floor(Date.now() / DAY) * DAY;
const BY = { actor: ADA, now: NOW };
const DECISION = { expected: false, on: "all", note: "", until: null } as const;
const PEOPLE = ["ada@a.example", "ben@a.example", "cem@b.example"];

/** Stores daily runs of schedule 7, from nine days ago on; the last person joined after five. */
async function receiveDaily({ read }: TestRecords, people = PEOPLE): Promise<void> {
  const everybody = people.map((emailAddress, at) => ({ userId: at + 1, emailAddress }));
  for (let id = 0; id < 9; id++) {
    await read(7, runOn(id, NOW / DAY - 9 + id, id < 5 ? everybody.slice(0, -1) : everybody));
  }
}

testRecords(
  "loadPeople: says who is outside, new there or expected, and what is odd about few",
  async (records) => {
    const people = ["ada@acme.example", ...["a", "b", "c"].map((one) => `${one}@acne.example`)];
    await receiveDaily(records, [...people, "cem@acmee.example"]);
    const personId = (await records.people.find("cem@acmee.example"))!;
    await decideRecipient({ records }, { ...DECISION, personId, expected: true }, BY);
    const state = pageState(records, { settings: { homeDomains: ["acme.example"] } });
    const { rows } = await loadPeople(state, new URLSearchParams());
    const said = rows.map(({ person: { recipient, isReceiving, ...person } }) => [
      ...[recipient.emailAddress, isReceiving, person.isOutside, person.isNew],
      ...[person.isExpected, person.odd],
    ]);
    assertEquals(said, [
      [people[0], true, false, false, null, null],
      ...people.slice(1).map((address) => [address, true, true, false, null, null]),
      ["cem@acmee.example", true, true, true, true, "looks like acme.example"],
    ]);
  },
);

testRecords(
  "loadPerson: since when, also if runs were removed, and what was decided about that",
  async (records) => {
    await receiveDaily(records);
    const load = async () => (await loadPerson(pageState(records), "1")).rows;
    const since = async () =>
      (await load()).map(({ first, isAtLeast }) => [(NOW - first) / DAY, isAtLeast]);
    assertEquals(await since(), [[9, false]]);
    await records.retention.removeRunsBefore(NOW - 5.5 * DAY);
    assertEquals(await since(), [[9, true]]);
    const one = { personId: 1, domain: null, expected: 1, why: "", actor: ADA, at: NOW } as const;
    const decide = async (scheduleId: number) => {
      await records.recipientDecisions.add([{ ...one, scheduleId, until: null }]);
      return (await load()).map(({ decision }) => decision);
    };
    assertEquals([await decide(8), await decide(7)], [[undefined], ["Expected"]]);
  },
);

testRecords(
  "loadWorklist: who left and still receives, and what became of those not expected",
  async (records) => {
    /** Stores a run of schedule 7 to people with these user ids, some days from now. */
    const read = (day: number, userIds: readonly number[]) =>
      records.read(7, runOn(NOW + day, NOW / DAY + day, userIds.map((userId) => ({ userId }))));
    const load = () => loadWorklist(pageState(records), new URLSearchParams());
    const tasks = async () => (await load()).tasks.map((task) => [task.scheduleId, task.state]);
    const everybody = Array.from({ length: 205 }, (_, at) => at + 1);
    await read(-9, [...everybody, 900]);
    await read(-8, everybody);
    const leftAt = NOW - 10 * DAY;
    const left = [...everybody, 900].map((userId) => ({ userId, address: null, leftAt }));
    await records.leavers.add(left, BY);
    // Whoever stopped after leaving is not there, and takes nobody's place.
    const { leavers, moreLeavers, scheduleIds } = await load();
    assertEquals([leavers.length, moreLeavers, scheduleIds], [200, 5, [7]]);
    assertEquals((await Array.fromAsync(worklistRows(records))).length, 205);
    const personId = (await records.people.find(1))!;
    await decideRecipient({ records }, { ...DECISION, personId }, BY);
    // Of such a person, the decision alone is there.
    const decided = await load();
    const isThere = decided.leavers.some((each) => each.personId === personId);
    assertEquals([isThere, decided.moreLeavers], [false, 4]);
    assertEquals(await tasks(), [[7, "open"]]);
    await read(2, [2]);
    assertEquals(await tasks(), [[7, "done"]]);
    await read(7, [1]);
    assertEquals(await tasks(), [[7, "still listed after a week"]]);
  },
);
