import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR } from "../../../../lib/time_units.ts";
import { observe } from "../../../../server/observer/tasks/observe_task.ts";
import { readSettings } from "../../../../server/config/settings.ts";
import { createLog } from "../../../../server/log/log.ts";
import { startObserving } from "../../../../server/program/observing.ts";
import { openServices } from "../../../../server/program/services.ts";
import { eventually } from "../../../eventually.ts";
import { createTestService } from "../../../../lib/testing/service.ts";
import { withReceiver } from "../receiver.ts";
import { watchIn, withTasks } from "../../store/tasks/task_context.ts";

const SECRET = `whsec_${btoa("s".repeat(32))}`;
const NOW = Date.parse("2026-03-10T15:00:00Z");

/** A schedule that ran each hour, the last time with a given status. */
function runsUntil(status: string) {
  return Array.from({ length: 20 }, (_, at) => ({
    id: 100 - at,
    startTime: new Date(NOW - HOUR / 2 - at * HOUR).toISOString(),
    endTime: new Date(NOW - HOUR / 2 - at * HOUR + 60_000).toISOString(),
    automated: true,
    status: at === 0 ? status : "success",
  }));
}

Deno.test("observe: --once polls, notifies, and exits 1 where something is down", async () => {
  const service = createTestService({
    runs: { 7: runsUntil("failure"), 8: runsUntil("success") },
    token: "observer-token",
  });
  await withReceiver(
    async (received, request) => {
      if (received.path === "/hook") return new Response(null, { status: 204 });
      const headers = Object.fromEntries(received.headers);
      const response = await service.fetch(request.url, { method: "GET", headers });
      // Verdicts go by the service's clock.
      return new Response(response.body, {
        status: response.status,
        headers: { "content-type": "application/json", "date": new Date(NOW).toUTCString() },
      });
    },
    async (origin, received) => {
      const env = {
        SERVICE_BASE_URL: origin,
        OBSERVER_TOKEN: "observer-token",
        SESSION_KEY: "k".repeat(32),
        WEBHOOK_URL: `${origin}/hook`,
        WEBHOOK_SECRET: SECRET,
      };
      await withTasks(async ({ dataDir, run }) => {
        await watchIn(dataDir, [8], {}, "observer.sqlite");
        const well = await run(observe, "--once");
        assertEquals(well.code, 0);
        assertStringIncludes(
          well.printed,
          "1 poll, 0 deliveries tried, 0 waiting; 0 incidents are open; down: none; unreadable: none",
        );
        await watchIn(dataDir, [7], {}, "observer.sqlite");
        const { code, printed } = await run(observe, "--once", "--json");
        const { polls, sent, down, incidents, waiting } = JSON.parse(printed);
        assertEquals([code, polls, sent, down, incidents, waiting], [1, 1, 1, [7], 1, 0]);
        const hooks = received.filter(({ path }) => path === "/hook");
        assertEquals(hooks.map(({ body }) => JSON.parse(body).data.incident.code), ["failing"]);
        assertEquals(
          JSON.stringify(hooks.map(({ body, headers }) => [body, ...headers])).includes(
            "observer-token",
          ),
          false,
        );
        // Nothing is due any more, and it is still down.
        const again = JSON.parse((await run(observe, "--once", "--json")).printed);
        assertEquals([again.polls, again.sent, again.down], [0, 0, [7]]);
      }, env);
    },
  );
});

Deno.test("observe: --test sends a test, and says when it is not taken", () =>
  withReceiver(
    ({ path }) => new Response(null, { status: path === "/hook" ? 200 : 500 }),
    async (origin, received) => {
      const env = { WEBHOOK_URL: `${origin}/hook`, WEBHOOK_SECRET: SECRET };
      await withTasks(async ({ run }) => {
        const { code, printed } = await run(observe, "--test", "webhook");
        assertEquals([code, printed], [0, "Sent a test to webhook"]);
        assertEquals(JSON.parse(received[0].body).type, "test");
        assertStringIncludes(received[0].body, '"http://localhost:8000/');
        const json = await run(observe, "--test", "webhook", "--json");
        assertEquals(JSON.parse(json.printed), { tested: "webhook" });
        const wrong = [
          [["--test", "mail"], "The channel mail is not set up: set SMTP_URL, "],
          [["--test", "heartbeat"], "The channel heartbeat is not set up: set HEARTBEAT_URL, "],
          [["--test", "pager"], "--test must be one of webhook, alertmanager, mail, heartbeat"],
          [["--test", "webhook", "--once"], "Use either --once or --test"],
          [["--json"], "--json needs --once or --test"],
        ] as const;
        for (const [args, message] of wrong) {
          const { code, reported } = await run(observe, ...args);
          assertEquals(code, 2);
          assertStringIncludes(reported, message);
        }
        assertEquals(received.length, 2);
      }, env);
      await withTasks(async ({ run }) => {
        const { code, reported } = await run(observe, "--test", "webhook");
        assertEquals(code, 1);
        assertStringIncludes(reported, "status 500");
        const beat = await run(observe, "--test", "heartbeat");
        assertEquals([beat.code, received.at(-1)!.path], [1, "/beat"]);
      }, { ...env, WEBHOOK_URL: `${origin}/broken`, HEARTBEAT_URL: `${origin}/beat` });
    },
  ));

Deno.test("observe: --test links to the origin of the server", () =>
  withReceiver(
    () => new Response(null, { status: 200 }),
    async (origin, received) => {
      const hook = { WEBHOOK_URL: `${origin}/hook`, WEBHOOK_SECRET: SECRET };
      await withTasks(async ({ dataDir, run }) => {
        const settings = readSettings({ DATA_DIR: dataDir, PORT: "0" });
        const log = createLog({ level: "error", format: "text", write: () => {} });
        const services = openServices(settings, { log });
        // A call fails if the database opens slowly; another one waits on.
        await eventually(() => services.open());
        const observing = startObserving(services, 9321);
        await eventually(async () => assert((await services.records!.service.get()).origin));
        await observing.stop();
        await services.close();
        await eventually(async () => {
          await run(observe, "--test", "webhook");
          assertStringIncludes(received.at(-1)!.body, '"http://localhost:9321/');
        });
      }, hook);
    },
  ));

Deno.test("observe: an upstream without a token is said", () =>
  withTasks(async ({ run }) => {
    const { code, reported } = await run(observe, "--once");
    assertEquals(code, 2);
    assertStringIncludes(reported, "OBSERVER_TOKEN");
  }, { SERVICE_BASE_URL: "https://service.example.com" }));
