import { assertEquals } from "@std/assert";
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
      const once = async () => {
        const { code, printed } = await run(observe, "--once");
        return [code, printed.split("\n").at(-1)];
      };
      const well = "1 poll, 0 deliveries tried, 0 waiting; 0 incidents are open; ";
      assertEquals(await once(), [0, `${well}down: none; unreadable: none`]);
      await watch(7, 9);
      const found = "0 waiting; 2 incidents are open; down: 7; unreadable: 9";
      assertEquals(await once(), [1, `2 polls, 2 deliveries tried, ${found}`]);
      const hooks = received.filter(({ path }) => path === "/hook");
      const codes = hooks.map(({ body }) => JSON.parse(body).data.incident.code);
      assertEquals(codes.sort(), ["failing", "unreadable"]);
      // Nothing is due any more, and it is still down.
      assertEquals(await once(), [1, `0 polls, 0 deliveries tried, ${found}`]);
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
