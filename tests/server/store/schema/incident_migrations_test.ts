import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
// @ts-types="@types/pg"
import pg from "pg";
import { reasonText } from "../../../../lib/mod.ts";
import { openConnections } from "../../../../server/store/postgres/connection.ts";
import { migratePostgres } from "../../../../server/store/postgres/migrate_postgres.ts";
import { MIGRATIONS } from "../../../../server/store/schema/migrations.ts";
import {
  incidentSubjects,
  typedReasons,
} from "../../../../server/store/schema/incident_migrations.ts";
import { migrateSqlite } from "../../../../server/store/sqlite/migrate_sqlite.ts";
import { server } from "../postgres/shared.ts";

const SINCE = Date.UTC(2026, 10, 18, 6);

/** What earlier versions stored of each reason, and how it is told now. */
const REASONS: readonly (readonly [code: string, evidence: object, text: string])[] = [
  ["failing", { count: 3, lastGood: SINCE, reachesBack: false }, "failing for 3 runs"],
  [
    "overdue",
    { count: 1, latest: SINCE, next: null, confirmed: true },
    "overdue, was due on 18 Nov, 06:00 UTC",
  ],
  ["missed", { count: 1, latest: SINCE, planned: 9, spanMs: 1 }, "missed on 18 Nov"],
  [
    "outside-recipient",
    { count: 2, domains: "a.example, b.example" },
    "sent to 2 outside addresses at a.example, b.example",
  ],
  ["leaver-recipient", { count: 1, newest: SINCE, userIds: "4" }, "sent to 1 person who left"],
  [
    "unknown-status",
    { status: "odd", also: "", unknown: "odd", scheduleId: 7, name: "Sales", schedules: 1 },
    "Sales finished with odd, which Docket does not know",
  ],
  [
    "channel-failing",
    { channels: "a b", names: "slack of A, mail" },
    "can't send by slack of A, mail",
  ],
  ["clock", { serviceIsAheadBySeconds: 90 }, "its clock is 1 min 30 s ahead of Docket's"],
  ["empty-delivery", { first: 1, count: 1, gone: "cardCount" }, "sent without cards"],
  [
    "empty-delivery",
    { first: 1, count: 1, field: "emailSize", before: 9000, after: 10 },
    "email almost empty (10 bytes, usually 9.0 KB)",
  ],
  ["unreadable", { failure: "The service is away" }, "can't be read: the service is away"],
];

const EARLIER = MIGRATIONS.slice(0, MIGRATIONS.indexOf(typedReasons));
const INSERT = REASONS.map(([code, evidence], at) => {
  const reason = { code, severity: "warning", since: SINCE, runs: [1], evidence };
  return "INSERT INTO incidents (id, version, schedule_id, code, severity, reason, opened, seen, " +
    `flaps) VALUES ('${at}', 1, ${at}, '${code}', 'warning', ` +
    `'${JSON.stringify(reason).replaceAll("'", "''")}', 1, 1, 0)`;
}).join(";\n");
const SELECT = "SELECT reason FROM incidents ORDER BY schedule_id";

function assertTyped(rows: readonly { readonly reason?: unknown }[]): void {
  const reasons = rows.map(({ reason }) => JSON.parse(String(reason)));
  assertEquals(reasons.map((reason) => reasonText(reason)), REASONS.map(([, , text]) => text));
  assertEquals(reasons.map(({ runs, since }) => [runs, since]), REASONS.map(() => [[1], SINCE]));
  assertEquals(reasons.filter((reason) => "evidence" in reason), []);
}

Deno.test("typedReasons: incidents of an earlier version tell the same on SQLite", () => {
  using db = new DatabaseSync(":memory:");
  migrateSqlite(db, EARLIER);
  db.exec(INSERT);
  migrateSqlite(db, [...EARLIER, typedReasons]);
  assertTyped(db.prepare(SELECT).all());
});

Deno.test("typedReasons: incidents of an earlier version tell the same on PostgreSQL", async () => {
  const url = await server.createDatabase();
  const connections = openConnections(url, 15_000);
  await migratePostgres(connections, 15_000, EARLIER);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(INSERT);
  await migratePostgres(connections, 15_000, [...EARLIER, typedReasons]);
  assertTyped((await client.query(SELECT)).rows);
  await client.end();
  await connections.close();
});

/** What earlier versions stored of an incident, and what is known of it now. */
const KEPT: readonly (readonly [columns: Record<string, string | number>, now: string])[] = [
  [{ code: "overdue", notified: 5 }, "gap, overdue 7000, since 7000, open, held null, ended null"],
  [{ code: "missed", notified: 5 }, "gap, missed 7000, since 7000, over, held null, ended null"],
  [{ code: "failing" }, "failing, , since 7000, nothing, held 1, ended null"],
  [
    { code: "stuck", notified: 5, resolved: 9 },
    "stuck, 3, since 7000, over, held null, ended 9",
  ],
  [
    { code: "flaky", notified: 5, resolved: 9, resolved_by: "'{}'" },
    "flaky, , since 7000, over, held null, ended null",
  ],
];
const ROWS = KEPT.map(([columns], at) => {
  const reason = { code: columns.code, severity: "warning", since: 7000, runs: [3], evidence: {} };
  const all: Record<string, string | number> = {
    ...{ id: `'${at}'`, version: 1, schedule_id: at, severity: "'warning'", opened: 1, seen: 1 },
    ...{ flaps: 0, reason: `'${JSON.stringify(reason)}'` },
    ...columns,
    code: `'${columns.code}'`,
  };
  return `INSERT INTO incidents (${Object.keys(all)}) VALUES (${Object.values(all)})`;
}).join(";\n");
const KNOWN = "SELECT family, subject, since, said, notify_at, reason_ended FROM incidents " +
  "ORDER BY schedule_id";

function assertKept(rows: readonly object[]): void {
  const words = rows.map((row) => {
    const [family, subject, since, said, held, ended] = Object.values(row);
    return `${family}, ${subject}, since ${since}, ${said}, held ${held}, ended ${ended}`;
  });
  assertEquals(words, KEPT.map(([, now]) => now));
}

Deno.test("incidentSubjects: open and resolved incidents keep what was sent of them, on SQLite", () => {
  using db = new DatabaseSync(":memory:");
  migrateSqlite(db, EARLIER);
  db.exec(ROWS);
  migrateSqlite(db, [...EARLIER, typedReasons, incidentSubjects]);
  assertKept(db.prepare(KNOWN).all());
});

Deno.test("incidentSubjects: open and resolved incidents keep what was sent of them, on PostgreSQL", async () => {
  const url = await server.createDatabase();
  const connections = openConnections(url, 15_000);
  await migratePostgres(connections, 15_000, EARLIER);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(ROWS);
  await migratePostgres(connections, 15_000, [...EARLIER, typedReasons, incidentSubjects]);
  assertKept((await client.query(KNOWN)).rows);
  await client.end();
  await connections.close();
});
