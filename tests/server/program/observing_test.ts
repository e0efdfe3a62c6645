import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withApp } from "../../app.ts";
import { createSealing } from "../../../server/auth/sealing.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { whenAvailable, whyNotObserved } from "../../../server/observer/service_observer.ts";
import type { Log } from "../../../server/log/log.ts";
import { checkKeys } from "../../../server/observer/records_keys.ts";
import { startObserving } from "../../../server/program/observing.ts";
import type { Services } from "../../../server/program/services.ts";
import { DatabaseError } from "../../../server/store/database/database.ts";
import { forgetPerson } from "../../../server/store/people/forget.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { recordsKeys, withSqlite } from "../store/sqlite/with_sqlite.ts";

/** A log, and the lines that were written to it. */
function notingLog() {
  const lines: string[] = [];
  const log = new Proxy({} as Log, {
    get: (_, level) => (message: string, { reason = "" } = {}) =>
      lines.push(`${String(level)} ${message}: ${reason}`),
  });
  return { lines, log };
}

const UPSTREAM = { SERVICE_BASE_URL: "https://service.example.com" };

Deno.test("startObserving: that nothing is watched is a warning if somebody is to be notified", async () => {
  const cases = [
    ["debug", {}],
    ["warn", { ALERTMANAGER_URL: "http://localhost:9093" }],
    ["warn", { HEARTBEAT_URL: "https://beat.example.com" }],
  ] as const;
  for (const [level, env] of cases) {
    const { lines, log } = notingLog();
    const settings = readSettings({ ...UPSTREAM, ...env });
    const services = { settings, log, records: {} } as unknown as Services;
    await startObserving(services, 8000).stop();
    assertEquals(lines, [
      `${level} No schedules are watched: The observer has no token for the service: set OBSERVER_TOKEN`,
    ]);
  }
});

Deno.test("startObserving: stores its origin for links, but not with another service's records", () =>
  withApp({ ...UPSTREAM, OBSERVER_TOKEN: "token-of-the-observer" }, async ({ services }) => {
    await services.open();
    await startObserving(services, 8000).stop();
    assertEquals((await services.records!.service.get()).origin, "http://localhost:8000");
    Object.assign(services, { identity: "https://other.example.com" });
    await startObserving(services, 8000).stop();
    assertEquals(services.records, null);
    const why = "belong to another service; point DATABASE_URL or DATA_DIR";
    assertStringIncludes(whyNotObserved(services)!, why);
  }));

Deno.test("whenAvailable: an absent database is tried again, and said once", async () => {
  const { lines, log } = notingLog();
  const waits: number[] = [];
  let failures = 16;
  const work = () =>
    failures-- > 0
      ? Promise.reject(new DatabaseError("unreachable", "ECONNREFUSED", "check it"))
      : Promise.resolve();
  const sleep = (ms: number) => Promise.resolve(void waits.push(ms));
  await whenAvailable(work, { log, sleep });
  assertEquals(waits, Array(16).fill(5000));
  const said = lines.map((line) => line.split(":")[0]);
  assertEquals(said, ["error The observer waits for the database"]);
});

Deno.test("checkKeys: says how many people were forgotten with a key that is missing", () =>
  withSqlite(async (database) => {
    await forgetPerson(database, "ada@example.com", createSealing(recordsKeys()));
    const { lines, log } = notingLog();
    const records = observerRecordsOn(database);
    const sealing = createSealing(["key-2"]);
    await checkKeys(records, ["key-2", ...recordsKeys()], sealing, log);
    assertEquals(lines, []);
    await checkKeys(records, ["key-2"], sealing, log);
    assertMatch(lines[0], /^warn 1 person was forgotten with another RECORDS_KEY, .* add that key/);
  }));
