import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import type { PageState } from "../../../server/pages/page_request.ts";
import { loadPeople } from "../../../server/pages/people_page.ts";
import { loadPerson } from "../../../server/pages/person.ts";
import type { Database } from "../../../server/store/database/database.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { storeChanges } from "../../../server/store/runs/store_runs.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

const NOW = Date.now();
const PEOPLE = ["ada@a.example", "ben@a.example", "cem@b.example"];

/** Stores daily runs of schedule 7 to three people, from nine days ago on. */
async function withRuns(database: Database) {
  const records = observerRecordsOn(database);
  const recipients = PEOPLE.map((emailAddress, at) => ({ userId: at + 1, emailAddress }));
  const put = Array.from({ length: 9 }, (_, at) => {
    const start = NOW - (9 - at) * DAY;
    const startTime = new Date(start).toISOString();
    return { id: at, start, run: { id: at, startTime, status: "success", recipients } };
  });
  await records.commit([storeChanges(7, { put }, NOW)]);
  await records.receipts.count(7);
  const services = { records, settings: { homeDomains: [] } };
  return { records, state: { services, preferences: { zone: "UTC" } } as unknown as PageState };
}

Deno.test("loadPeople: counts those whom a text or a domain finds", () =>
  withSqlite(async (database) => {
    const { state } = await withRuns(database);
    const totals = ["", "q=ada", "domain=a.example"].map(async (query) =>
      (await loadPeople(state, new URLSearchParams(query))).total
    );
    assertEquals(await Promise.all(totals), [3, 1, 2]);
  }));

Deno.test("loadPerson: has received it at least since then, if older runs were removed", () =>
  withSqlite(async (database) => {
    const { records, state } = await withRuns(database);
    const load = async () => {
      const { rows: [{ first, isAtLeast }] } = await loadPerson(state, "1");
      return [Math.round((NOW - first) / DAY), isAtLeast];
    };
    assertEquals(await load(), [9, false]);
    await records.retention.removeRunsBefore(NOW - 5.5 * DAY);
    assertEquals(await load(), [5, true]);
  }));
