import { assertEquals } from "@std/assert";
import { readSettings } from "../../../server/config/settings.ts";
import { startObserving } from "../../../server/program/observing.ts";
import type { Services } from "../../../server/program/services.ts";

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
