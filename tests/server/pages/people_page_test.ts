import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { decideRecipient } from "../../../server/actions/decide_recipient.ts";
import type { PageState } from "../../../server/pages/page_request.ts";
import { loadPeople } from "../../../server/pages/people_page.ts";
import { loadPerson } from "../../../server/pages/person.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { storeOn } from "../../../server/store/store.ts";
import { ADA } from "../../actors.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

const NOW = Date.now();
const PEOPLE = ["ada@a.example", "ben@a.example", "cem@b.example"];

/** Daily runs of schedule 7, from nine days ago on; the last person joined after five. */
const withRuns = (
  test: (records: ObserverRecords, state: PageState) => Promise<void>,
  { people = PEOPLE, homeDomains = [] as string[] } = {},
) =>
  withSqlite(async (database) => {
    const records = observerRecordsOn(database);
    const everybody = people.map((emailAddress, at) => ({ userId: at + 1, emailAddress }));
    const runs = Array.from({ length: 9 }, (_, id) => {
      const startTime = new Date(NOW - (9 - id) * DAY).toISOString();
      const recipients = id < 5 ? everybody.slice(0, -1) : everybody;
      return { scheduleId: 7, run: { id, startTime, status: "success", recipients } };
    });
    await storeOn(database).put({ runs });
    const services = { records, settings: { homeDomains } };
    await test(records, { services, preferences: { zone: "UTC" } } as unknown as PageState);
  });

Deno.test("loadPeople: counts whom a text or domain finds, with statuses as they are explained now", () =>
  withRuns(async (records, state) => {
    const total = async (query: string) =>
      (await loadPeople(state, new URLSearchParams(query))).total;
    const totals = () => Promise.all(["", "q=ada", "domain=a.example"].map(total));
    assertEquals(await totals(), [3, 1, 2]);
    await records.statuses.say({ success: "bad" }, { actor: ADA, now: NOW });
    assertEquals(await totals(), [0, 0, 0]);
  }));

const MIXED = [
  ...["ada@acme.example", "a@acne.example", "b@acne.example", "c@acne.example"],
  "cem@acmee.example",
];

Deno.test("loadPeople: says who is outside, new there or expected, and what is odd about few", () =>
  withRuns(async (records, state) => {
    const personId = (await records.people.find("cem@acmee.example"))!;
    const decision = { personId, expected: true, on: "all", note: "", until: null } as const;
    await decideRecipient({ records }, decision, { actor: ADA, now: NOW });
    const { rows } = await loadPeople(state, new URLSearchParams());
    const said = rows.map(({ person: { recipient, ...person } }) => [
      ...[recipient.emailAddress, person.isReceiving, person.isOutside, person.isNew],
      ...[person.isExpected, person.odd],
    ]);
    assertEquals(said, [
      [MIXED[0], true, false, false, null, null],
      ...MIXED.slice(1, 4).map((address) => [address, true, true, false, null, null]),
      [MIXED[4], true, true, true, true, "looks like acme.example"],
    ]);
  }, { people: MIXED, homeDomains: ["acme.example"] }));

Deno.test("loadPerson: what was decided about it alone, and since when at least", () =>
  withRuns(async (records, state) => {
    const load = async () => {
      const { rows: [{ first, isAtLeast, decision }] } = await loadPerson(state, "1");
      return [Math.round((NOW - first) / DAY), isAtLeast, decision];
    };
    const one = { personId: 1, domain: null, expected: 1, why: "", actor: ADA, at: NOW };
    const decide = (scheduleId: number) =>
      records.recipientDecisions.add([{ ...one, scheduleId, until: null }]);
    // What is said of another schedule says nothing of this one.
    await decide(8);
    assertEquals(await load(), [9, false, undefined]);
    await decide(7);
    // Older runs are removed.
    await records.retention.removeRunsBefore(NOW - 5.5 * DAY);
    assertEquals(await load(), [9, true, "Expected"]);
  }));
