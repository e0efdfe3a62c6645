import { assertEquals } from "@std/assert";
import { readSettings } from "../../../server/config/settings.ts";
import { startObserving } from "../../../server/program/observing.ts";
import type { Services } from "../../../server/program/services.ts";
import { DatabaseError } from "../../../server/store/database/database_error.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { openSqlite } from "../../../server/store/database/sqlite.ts";

Deno.test("startObserving: that nothing is watched is a warning if somebody is to be notified", async () => {
  const said = async (env: Record<string, string>) => {
    const lines: unknown[] = [];
    const log = new Proxy({}, {
      get: (_, level) => (message: string, { reason }: { reason: string }) =>
        lines.push([level, message, reason]),
    });
    const settings = readSettings({ SERVICE_BASE_URL: "https://service.example.com", ...env });
    const services = { settings, log, kind: "upstream", records: {} } as unknown as Services;
    await startObserving(services, 8000).stop();
    return lines;
  };
  const expected = [
    "No schedules are watched",
    "The observer has no token for the service: set OBSERVER_TOKEN",
  ];
  assertEquals(await said({}), [["debug", ...expected]]);
  assertEquals(await said({ ALERTMANAGER_URL: "http://localhost:9093" }), [["warn", ...expected]]);
  assertEquals(await said({ HEARTBEAT_URL: "https://beat.example.com" }), [["warn", ...expected]]);
});

Deno.test("startObserving: an absent database is tried again, and said once", async () => {
  for (const kind of ["upstream", "embedded"] as const) {
    const lines: string[] = [];
    const waits: number[] = [];
    const log = new Proxy({}, { get: () => (message: string) => lines.push(message) });
    const settings = readSettings({
      SERVICE_BASE_URL: "https://service.example.com",
      OBSERVER_TOKEN: "token-of-the-observer",
    });
    const database = await openSqlite({ path: ":memory:" });
    const records = observerRecordsOn(database);
    let failures = 16;
    const getOrStore: typeof records.service.getOrStore = (...given) =>
      failures-- > 0
        ? Promise.reject(new DatabaseError("unreachable", "ECONNREFUSED", "check it"))
        : records.service.getOrStore(...given);
    const started = Promise.withResolvers<void>();
    const sleep = (ms: number) => {
      waits.push(ms);
      if (waits.length > 16) started.resolve();
      return new Promise((resolve) => setTimeout(resolve, 0));
    };
    const services = {
      settings,
      log,
      kind,
      identity: "https://service.example.com",
      store: null,
      records: { ...records, service: { ...records.service, getOrStore } },
      runtime: { sleep },
    } as unknown as Services;
    const observing = startObserving(services, 8000);
    await started.promise;
    await observing.stop();
    assertEquals((await records.service.get()).origin, "http://localhost:8000");
    await database.close();
    assertEquals(waits.slice(0, 16), Array(16).fill(5000));
    // The embedded service's own database is reported by the program.
    assertEquals(lines, kind === "upstream" ? ["The observer waits for the database"] : []);
  }
});
