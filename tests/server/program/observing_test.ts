import { assertEquals, assertStringIncludes } from "@std/assert";
import { withApp } from "../../app.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { claimRecords, whyNotObserved } from "../../../server/observer/service_observer.ts";
import { startObserving } from "../../../server/program/observing.ts";
import type { Services } from "../../../server/program/services.ts";
import { DatabaseError } from "../../../server/store/database/database_error.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

/** A log, and the lines that were written to it. */
function notingLog() {
  const lines: string[] = [];
  const log = new Proxy({}, {
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

Deno.test("startObserving: records of another service are not shown as those of this one", () =>
  withApp({ ...UPSTREAM, OBSERVER_TOKEN: "token-of-the-observer" }, async ({ services }) => {
    assertEquals(services.secrets.SERVICE_TOKEN, []);
    await services.open();
    await claimRecords(services.records!, "https://other.example.com");
    await startObserving(services, 8000).stop();
    assertEquals(services.records, null);
    const why = "belong to another service; point DATABASE_URL or DATA_DIR";
    assertStringIncludes(whyNotObserved(services)!, why);
  }));

Deno.test("startObserving: an absent database is tried again, and said once", () =>
  withSqlite(async (database) => {
    const { lines, log } = notingLog();
    const waits: number[] = [];
    const records = observerRecordsOn(database);
    let failures = 16;
    const getOrStore: typeof records.service.getOrStore = (...args) =>
      failures-- > 0
        ? Promise.reject(new DatabaseError("unreachable", "ECONNREFUSED", "check it"))
        : records.service.getOrStore(...args);
    const started = Promise.withResolvers<void>();
    const sleep = (ms: number) => {
      waits.push(ms);
      if (waits.length > 16) started.resolve();
      return new Promise((resolve) => setTimeout(resolve, 0));
    };
    const services = {
      ...{ log, identity: UPSTREAM.SERVICE_BASE_URL, store: null, runtime: { sleep } },
      settings: readSettings({ ...UPSTREAM, OBSERVER_TOKEN: "token-of-the-observer" }),
      records: { ...records, service: { ...records.service, getOrStore } },
    } as unknown as Services;
    const observing = startObserving(services, 8000);
    await started.promise;
    await observing.stop();
    assertEquals((await records.service.get()).origin, "http://localhost:8000");
    assertEquals(waits.slice(0, 16), Array(16).fill(5000));
    const said = lines.map((line) => line.split(":")[0]);
    assertEquals(said, ["error The observer waits for the database"]);
  }));
