import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
// @ts-types="@types/pg"
import pg from "pg";
import { type Database, DatabaseError } from "../../../../server/store/database/database.ts";
import { openPostgresql } from "../../../../server/store/database/postgresql.ts";
import { putFileSets } from "../../../../server/store/file_sets/write.ts";
import { eventually } from "../../../eventually.ts";
import { fileSet } from "../rows.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { tokensOn } from "../../../../server/store/records/tokens.ts";
import { server } from "../postgres/shared.ts";
import { layWire } from "./wire.ts";

/** Short, since the tests wait for it. */
const DEADLINE_MS = 3000;
const SELECT = sql`SELECT count(*) AS counted FROM file_sets`;
const SLEEP = sql`SELECT pg_sleep(600)`;

/** A test with a database that is reached through a wire, which the test may cut or silence. */
function test(
  name: string,
  work: (database: Database, wire: ReturnType<typeof layWire>) => Promise<void>,
  deadlineMs = DEADLINE_MS,
): void {
  Deno.test(`openPostgresql: ${name}`, async () => {
    await using wire = layWire(await server.createSchemaDatabase());
    const database = await openPostgresql({ url: wire.url, deadlineMs });
    try {
      await work(database, wire);
    } finally {
      await database.close();
    }
  });
}

/** The error of the database that the work throws. */
async function errorOf(work: Promise<unknown>): Promise<DatabaseError> {
  const error = await work.then(() => null, (error) => error);
  assert(error instanceof DatabaseError, `no error of the database: ${error}`);
  assert(!error.message.includes("postgres:"), error.message);
  return error;
}

const kindOf = async (work: Promise<unknown>) => (await errorOf(work)).kind;

const putFileSet = (database: Database, n: number) =>
  database.transaction((transaction) => putFileSets(transaction, [fileSet(n)]));

/** How many of Docket's searches run now, as PostgreSQL lists them. */
async function sleeping(database: Database): Promise<number> {
  const [{ running }] = await database.read<{ running: number }>(
    sql`SELECT count(*) AS running FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'docket' AND wait_event = 'PgSleep'`,
  );
  return running;
}

test("a server that is away, or silent, is used again when it is back", async (database, wire) => {
  await putFileSet(database, 1);
  await wire.cut();
  const { kind, problem } = await errorOf(database.read(SELECT));
  assertEquals([kind, problem.status, problem.retryAfterSeconds], ["unreachable", 503, 5]);
  assertEquals(await kindOf(putFileSet(database, 2)), "unreachable");
  assertEquals(await kindOf(openPostgresql({ url: wire.url })), "unreachable");
  wire.mend();
  await eventually(() => putFileSet(database, 2));
  assertEquals(await database.read(SELECT), [{ counted: 2 }]);
  wire.silence();
  assertEquals(await kindOf(database.read(SELECT)), "timeout");
  // The other connections can't even be made.
  assertEquals(await kindOf(database.read(SELECT)), "unreachable");
  wire.mend();
  // A busy machine may not connect in time at first.
  assertEquals(await eventually(() => database.read(SELECT)), [{ counted: 2 }]);
  wire.silence();
  assertEquals(await kindOf(putFileSet(database, 3)), "timeout");
});

test(
  "searches that last leave connections to others, and end when nobody waits",
  async (database) => {
    const left = new AbortController();
    const search = () => database.read(SLEEP, { lane: "search", signal: left.signal });
    const searches = Array.from({ length: 5 }, () => assertRejects(search, RangeError, "Left"));
    await eventually(async () => assertEquals(await sleeping(database), 5));
    const { kind, message, problem } = await errorOf(database.read(SELECT, { lane: "search" }));
    assertEquals([kind, problem.retryAfterSeconds], ["busy", 5]);
    assertStringIncludes(message, "connections for searches");
    await putFileSet(database, 1);
    // One that waits for a connection leaves, too, and at once.
    searches.push(assertRejects(search, RangeError, "Left"));
    left.abort(new RangeError("Left"));
    assertEquals(await Promise.race(searches.map((each, at) => each.then(() => at))), 5);
    // Long before PostgreSQL's own timeout.
    await eventually(async () => assertEquals(await sleeping(database), 0));
    await Promise.all(searches);
  },
  600_000,
);

test("a query that takes too long is ended, and no timeout stays for others", async (database) => {
  assertEquals(await kindOf(database.read(SLEEP, { lane: "search" })), "timeout");
  assertEquals(await sleeping(database), 0);
  const show = sql`SELECT current_setting('statement_timeout') AS timeout`;
  for (const lane of ["lookup", "search"] as const) {
    assertEquals(await database.read(show, { lane }), [{ timeout: "3s" }]);
  }
  assertEquals(await database.transaction(({ read }) => read(show)), [{ timeout: "3s" }]);
  // A pooler gives a connection to whoever comes next. Without a transaction, it stays as it is.
  await database.maintain(sql`CREATE TABLE seen AS ${show}`);
  assertEquals(await database.read(sql`SELECT timeout FROM seen`), [{ timeout: "0" }]);
});

test(
  "a lock that somebody holds is reported, and a token is found meanwhile",
  async (database, { url }) => {
    const tokens = tokensOn(database);
    const token = (await tokens.add("ci", "reader", new Date(0)))!;
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE file_sets; SELECT FROM tokens FOR UPDATE");
    assertEquals(await kindOf(database.read(SELECT)), "locked");
    assertEquals((await tokens.find(token, new Date(0)))?.name, "ci");
    assertEquals((await tokens.list())[0].lastUsed, null);
    await holder.end();
    assertEquals(await database.read(SELECT), [{ counted: 0 }]);
  },
);

Deno.test("openPostgresql: what a person has to mend names DATABASE_URL and no password", async () => {
  const url = await server.createDatabase();
  await server.asOwner(url, "CREATE ROLE guest LOGIN PASSWORD 'secret-of-the-test'");
  const as = (username: string, password = "secret-of-the-test") =>
    Object.assign(new URL(url), { username, password }).href;
  const cases = [
    [as("guest", "wrong-of-the-test"), "accessDenied"],
    [as("nobody"), "accessDenied"],
    // Without the right to make tables.
    [as("guest"), "accessDenied"],
    [`${url}_missing`, "unusable"],
  ];
  for (const [each, kind] of cases) {
    const error = await errorOf(openPostgresql({ url: each }));
    assertEquals([error.kind, error.endsStart], [kind, true], error.message);
    assertStringIncludes(error.message, "DATABASE_URL");
    assert(!error.message.includes("of-the-test"), error.message);
  }
});
