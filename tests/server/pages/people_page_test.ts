import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { decideRecipient } from "../../../server/actions/decide_recipient.ts";
import type { PageState } from "../../../server/pages/page_request.ts";
import { loadPeople } from "../../../server/pages/people_page.ts";
import { loadPerson } from "../../../server/pages/person.ts";
import type { Database } from "../../../server/store/database/database.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { storeOn } from "../../../server/store/store.ts";
import { ADA } from "../../actors.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

const NOW = Date.now();
const PEOPLE = ["ada@a.example", "ben@a.example", "cem@b.example"];

/** Stores daily runs of schedule 7, from nine days ago on; the last person joined after five. */
async function withRuns(database: Database, people = PEOPLE, homeDomains: string[] = []) {
  const records = observerRecordsOn(database);
  const everybody = people.map((emailAddress, at) => ({ userId: at + 1, emailAddress }));
  const runs = Array.from({ length: 9 }, (_, id) => {
    const startTime = new Date(NOW - (9 - id) * DAY).toISOString();
    const recipients = id < 5 ? everybody.slice(0, -1) : everybody;
    return { scheduleId: 7, run: { id, startTime, status: "success", recipients } };
  });
  await storeOn(database).put({ runs });
  const services = { records, settings: { homeDomains } };
  return { records, state: { services, preferences: { zone: "UTC" } } as unknown as PageState };
}

Deno.test("loadPeople: counts whom a text or domain finds, with statuses as they are explained now", () =>
  withSqlite(async (database) => {
    const { records, state } = await withRuns(database);
    const totals = () =>
      Promise.all(
        ["", "q=ada", "domain=a.example"].map(async (query) =>
          (await loadPeople(state, new URLSearchParams(query))).total
        ),
      );
    assertEquals(await totals(), [3, 1, 2]);
    await records.statuses.say({ success: "bad" }, { actor: ADA, now: NOW });
    assertEquals(await totals(), [0, 0, 0]);
  }));

Deno.test("loadPeople: says who is outside, new there or expected, and what is odd about few", () =>
  withSqlite(async (database) => {
    const people = ["ada@acme.example", ...["a", "b", "c"].map((one) => `${one}@acne.example`)];
    const home = ["acme.example"];
    const { records, state } = await withRuns(database, [...people, "cem@acmee.example"], home);
    const personId = (await records.people.find("cem@acmee.example"))!;
    const decision = { personId, expected: true, on: "all", note: "", until: null } as const;
    await decideRecipient({ records }, decision, { actor: ADA, now: NOW });
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
  }));

Deno.test("loadPerson: since when, also if runs were removed, and what was decided about that", () =>
  withSqlite(async (database) => {
    const { records, state } = await withRuns(database);
    const load = async () => {
      const { rows: [{ first, isAtLeast }] } = await loadPerson(state, "1");
      return [Math.round((NOW - first) / DAY), isAtLeast];
    };
    assertEquals(await load(), [9, false]);
    await records.retention.removeRunsBefore(NOW - 5.5 * DAY);
    assertEquals(await load(), [9, true]);
    const one = { personId: 1, domain: null, expected: 1, why: "", actor: ADA, at: NOW };
    const decide = async (scheduleId: number) => {
      await records.recipientDecisions.add([{ ...one, scheduleId, until: null }]);
      return (await loadPerson(state, "1")).rows.map(({ decision }) => decision);
    };
    assertEquals([await decide(8), await decide(7)], [[undefined], ["Expected"]]);
  }));
