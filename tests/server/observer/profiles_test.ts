/** Watching services that differ where the interface is open. */
import { assertEquals } from "@std/assert";
import { createTestService, type Profile, type TestService } from "../../../lib/testing/mod.ts";
import { HOUR } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { observe } from "../../../server/observer/tasks/observe_task.ts";
import { watchIn, withTasks } from "../store/tasks/task_context.ts";
import { withReceiver } from "./receiver.ts";

const NOW = Date.parse("2026-03-10T15:00:00Z");

/** A schedule that ran each hour, the last time with a given status. */
function runsUntil(status: string): ReportRun[] {
  return Array.from({ length: 150 }, (_, at) => {
    const start = NOW - HOUR / 2 - at * HOUR;
    return {
      id: 1000 - at,
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + 60_000).toISOString(),
      automated: true,
      status: at === 0 ? status : "success",
    };
  });
}

/** Watches schedules of a service, polls each once, and returns what was found and sent. */
async function found(service: TestService, ids: readonly number[]) {
  const hooks: { incident: { code: string } }[] = [];
  let result = {} as Record<"down" | "unreadable", number[]>;
  await withReceiver(async (received, request) => {
    if (received.path === "/hook") {
      hooks.push(JSON.parse(received.body).data);
      return new Response(null, { status: 204 });
    }
    const { status, body } = await service.fetch(request.url, { headers: received.headers });
    const headers = { "content-type": "application/json", "date": new Date(NOW).toUTCString() };
    return new Response(body, { status, headers });
  }, async (origin) => {
    const env = {
      SERVICE_BASE_URL: origin,
      OBSERVER_TOKEN: "observer",
      SESSION_KEY: "k".repeat(32),
      WEBHOOK_URL: `${origin}/hook`,
      WEBHOOK_SECRET: `whsec_${btoa("s".repeat(32))}`,
    };
    await withTasks(async ({ dataDir, run }) => {
      await watchIn(dataDir, ids, {}, "observer.sqlite");
      const { printed } = await run(observe, "--once", "--json");
      result = JSON.parse(printed);
    }, env);
  });
  return { hooks, down: result.down, unreadable: result.unreadable };
}

for (const profile of ["documented", "vendor", "minimal", "strict"] satisfies Profile[]) {
  Deno.test(`observe: finds what failed and what it may not read, of a ${profile} service`, async () => {
    const service = createTestService({
      profile,
      runs: { 7: runsUntil("failure"), 8: runsUntil("success"), 9: runsUntil("success") },
      mayRead: (_, subject) => subject !== 9,
    });
    const { hooks, down, unreadable } = await found(service, [7, 8, 9]);
    assertEquals([down, unreadable], [[7], [9]]);
    assertEquals(hooks.map(({ incident }) => incident.code).toSorted(), ["failing", "unreadable"]);
  });
}
