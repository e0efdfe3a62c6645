/** How SQLite finds rows: by an index, where a table may be long. */
import { assert, assertEquals } from "@std/assert";
import type { Database, Transaction } from "../../../../server/store/database/database.ts";
import { type Sql, sql } from "../../../../server/store/database/sql.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../../server/store/records/observer_records.ts";
import { storeChanges } from "../../../../server/store/runs/store_runs.ts";
import { ADA } from "../../../actors.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";

/** SQLite's plans of all statements, in an empty database. */
async function plansOf(work: (database: Database) => Promise<void>) {
  const plans: string[] = [];
  const explained = <Of extends Pick<Transaction, "read" | "write">>(inner: Of): Of => {
    const explain = (run: (statement: Sql) => Promise<unknown>) => async (statement: Sql) => {
      const steps = await inner.read<{ detail: string }>(
        sql`EXPLAIN QUERY PLAN ${statement}`,
      );
      plans.push(steps.map(({ detail }) => detail).join(", "));
      return await run(statement);
    };
    return { ...inner, read: explain(inner.read), write: explain(inner.write) };
  };
  await withSqlite((database) =>
    work({
      ...explained(database),
      transaction: (work) => database.transaction((own) => work(explained(own))),
    })
  );
  return plans;
}

const EVERYBODY = { group: "all", home: [], newDomains: [], now: 1 } as const;

/** What uses each index; the unique ones refuse rows. */
const USES: Readonly<Record<string, (records: ObserverRecords) => Promise<unknown>>> = {
  events_by_incident: ({ events }) => events.timeline("a"),
  events_by_schedule: ({ events }) => events.latest(7, 1),
  forms_by_address: ({ people }) => people.find("a@example.com"),
  forms_by_person: ({ people }) => people.listings(1),
  forms_by_user: ({ people }) => people.find(1),
  histories_uncounted: ({ receipts }) => receipts.uncounted(),
  incidents_by_end: ({ incidents }) => incidents.open(7),
  incidents_by_rank: ({ incidents }) => incidents.allOpen(),
  known_schedules_by_due: ({ polls }) => polls.nextDue(),
  known_schedules_by_lease: ({ polls }) => polls.claim("a", 1, 2),
  messages_by_created: ({ messages }) => messages.removeBefore(1),
  messages_by_due: ({ messages }) => messages.dueOutlets(1),
  messages_by_incident: ({ messages }) => messages.outletsByIncident(["a"]),
  messages_by_merge: ({ messages }) => messages.mergedInto("a"),
  messages_by_outlet: ({ messages }) => messages.health(),
  messages_unsent: ({ messages }) => messages.health(),
  people_by_domain: ({ people }) => people.byDomain(),
  people_by_left: ({ leavers }) => leavers.clear({ actor: ADA, now: 1 }),
  people_by_schedules: ({ people }) => people.count(EVERYBODY),
  receipts_by_person: ({ people }) => people.receipts([1]),
  recipient_decisions_by_person: ({ recipientDecisions }) => recipientDecisions.withdrawn(1),
  recipient_decisions_by_schedule: ({ receipts }) => receipts.count(7),
  runs_by_id: ({ runs }) => runs.withId(1, 1),
  async runs_by_list({ retention, commit }) {
    const put = [{ id: 1, start: 0, run: { id: 1 } }];
    await commit([storeChanges(7, { put }, 1)]);
    await retention.removeRunsBefore(1);
  },
  runs_by_start: ({ runs }) => runs.newestTexts(7, 1),
};

Deno.test("MIGRATIONS: each index of the records is there because something uses it", async () => {
  await withSqlite(async (database) => {
    const indexes = await database.read<{ name: string }>(
      sql`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE 'CREATE INDEX%'
        AND tbl_name <> 'file_sets' ORDER BY name`,
    );
    assertEquals(indexes.map(({ name }) => name), Object.keys(USES));
  });
  for (const [index, use] of Object.entries(USES)) {
    const plans = await plansOf(async (database) => void await use(observerRecordsOn(database)));
    assert(
      plans.some((plan) => RegExp(`INDEX ${index}\\b`).test(plan)),
      `${index}: ${plans.join("; ")}`,
    );
  }
});

const BY_START = "SEARCH runs USING INDEX runs_by_start";

Deno.test("storedRunsOn, peopleOn: SQLite finds some runs without reading a whole history", async () => {
  const plans = await plansOf(async (database) => {
    const { runs, people } = observerRecordsOn(database);
    await runs.around(7, { runIds: [1], times: [5], max: 9 });
    await runs.newestTexts(7, 9);
    await people.runAt(7, 5);
  });
  assertEquals(plans.map((plan) => plan.split(", ")[0]), [
    "SEARCH runs USING PRIMARY KEY (schedule_id=? AND run_id=?)",
    `${BY_START} (schedule_id=? AND start<?)`,
    `${BY_START} (schedule_id=? AND start>?)`,
    `${BY_START} (schedule_id=?)`,
    `${BY_START} (schedule_id=? AND start>? AND start<?)`,
  ]);
});

Deno.test("storeRuns: SQLite stores a run that is later than all without reading the others", async () => {
  const stored = (id: number) => storeChanges(7, { put: [run(id)] }, 1);
  const run = (id: number) => ({ id, start: id, run: { id, status: "success" } });
  const plansFor = (...ids: number[]) =>
    plansOf(async (database) => {
      for (const id of ids) await database.transaction(stored(id));
    });
  const [first, both] = [await plansFor(1), await plansFor(1, 2)];
  const later = both.slice(first.length);
  assert(later.length > 0);
  assertEquals(later.filter((plan) => /runs USING PRIMARY KEY \(schedule_id=\?\)/.test(plan)), []);
});
