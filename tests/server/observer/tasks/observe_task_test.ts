import { assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR, MINUTE } from "../../../../lib/time_units.ts";
import { createTestService } from "../../../../lib/testing/mod.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { observe } from "../../../../server/observer/tasks/observe_task.ts";
import { momentsFrom, runsAt } from "../../../lib/judgement/runs_at.ts";
import { withReceiver } from "../receiver.ts";
import { inDatabase, withTasks } from "../../store/tasks/task_context.ts";

const SECRET = `whsec_${btoa("s".repeat(32))}`;
const NOW = Date.parse("2026-03-10T15:00:00Z");

/** A schedule that ran each hour, the last time with a given status. */
function runsUntil(status: string): ReportRun[] {
  const [newest, ...others] = runsAt(momentsFrom(NOW - HOUR / 2, 150, -HOUR), MINUTE);
  return [{ ...newest, status }, ...others];
}

Deno.test("observe: --once polls what is due, notifies, and exits 1 for what is down", () => {
  const service = createTestService({
    profile: "vendor",
    runs: { 7: runsUntil("failure"), 8: runsUntil("archived"), 9: runsUntil("success") },
    token: "observer-token",
    mayRead: (_, subject) => subject !== 9,
  });
  return withReceiver(async (received, request) => {
    if (received.path === "/hook") return new Response(null, { status: 204 });
    const headers = Object.fromEntries(received.headers);
    const { status, body } = await service.fetch(request.url, { method: "GET", headers });
    // Verdicts go by the service's clock.
    const date = new Date(NOW).toUTCString();
    return new Response(body, { status, headers: { "content-type": "application/json", date } });
  }, (origin, received) =>
    withTasks(async ({ dataDir, run }) => {
      const records = { dataDir, file: "observer.sqlite" };
      const watch = (...ids: number[]) =>
        inDatabase(records, ({ records }) => records.watches.add(ids, NOW));
      await watch(8);
      const well = await run(observe, "--once");
      const said = "1 poll, 0 deliveries tried, 0 waiting; 0 incidents are open; down: none; " +
        "unreadable: none";
      assertEquals([well.code, well.printed.includes(said)], [0, true], well.printed);
      const once = async () => {
        const { code, printed } = await run(observe, "--once", "--json");
        return { code, ...JSON.parse(printed) };
      };
      await watch(7, 9);
      const found = { down: [7], unreadable: [9], incidents: 2, waiting: 0 };
      assertEquals(await once(), { code: 1, polls: 2, sent: 2, ...found });
      const hooks = received.filter(({ path }) => path === "/hook");
      const codes = hooks.map(({ body }) => JSON.parse(body).data.incident.code);
      assertEquals(codes.sort(), ["failing", "unreadable"]);
      // Nothing is due any more, and it is still down.
      assertEquals(await once(), { code: 1, polls: 0, sent: 0, ...found });
    }, {
      SERVICE_BASE_URL: origin,
      OBSERVER_TOKEN: "observer-token",
      STATUSES: "archived=good",
      SESSION_KEY: "k".repeat(32),
      WEBHOOK_URL: `${origin}/hook`,
      WEBHOOK_SECRET: SECRET,
    }));
});

Deno.test("observe: goes on until it is stopped, which is no failure", () =>
  withTasks(async ({ run }) => {
    const { addSignalListener } = Deno;
    const started = Promise.withResolvers<() => void>();
    Object.assign(Deno, {
      addSignalListener: (_: string, stop: () => void) => started.resolve(stop),
    });
    try {
      const running = run(observe);
      (await started.promise)();
      assertEquals((await running).code, 0);
    } finally {
      Object.assign(Deno, { addSignalListener });
    }
  }));

Deno.test("observe: --test sends a link to the server, and says if it is refused", () =>
  withReceiver(
    ({ path }) => new Response(null, { status: path === "/hook" ? 200 : 500 }),
    async (origin, received) => {
      const env = { WEBHOOK_URL: `${origin}/hook`, WEBHOOK_SECRET: SECRET };
      await withTasks(async ({ dataDir, run }) => {
        const { code, printed } = await run(observe, "--test", "webhook");
        assertEquals([code, printed], [0, "Sent a test to webhook"]);
        assertEquals(JSON.parse(received[0].body).type, "test");
        assertStringIncludes(received[0].body, '"http://localhost:8000/');
        const served = { origin: "http://localhost:9321" };
        await inDatabase({ dataDir }, ({ records }) => records.service.store(served));
        const json = await run(observe, "--test", "webhook", "--json");
        assertEquals(JSON.parse(json.printed), { tested: "webhook" });
        assertStringIncludes(received[1].body, `"${served.origin}/`);
        const wrong = [
          ["--test mail", "The channel mail is not set up: set SMTP_URL, "],
          ["--test heartbeat", "The channel heartbeat is not set up: set HEARTBEAT_URL, "],
          ["--test pager", "--test must be one of webhook, alertmanager, mail, heartbeat"],
          ["--test webhook --once", "Use either --once or --test"],
          ["--json", "--json needs --once or --test"],
        ];
        for (const [args, message] of wrong) {
          const { code, reported } = await run(observe, ...args.split(" "));
          assertEquals([code, reported.includes(message)], [2, true], reported);
        }
        assertEquals(received.length, 2);
      }, env);
      await withTasks(async ({ run }) => {
        for (const [name, path] of [["webhook", "/broken"], ["heartbeat", "/beat"]]) {
          const { code, reported } = await run(observe, "--test", name);
          assertEquals([code, received.at(-1)!.path], [1, path]);
          assertStringIncludes(reported, "status 500");
        }
      }, { ...env, WEBHOOK_URL: `${origin}/broken`, HEARTBEAT_URL: `${origin}/beat` });
    },
  ));
