import { assertEquals, assertRejects } from "@std/assert";
import { createLog, logOf } from "../../../server/log/log.ts";
import { ORIGIN, sessionCookie, TOKEN, withApp } from "../../app.ts";

Deno.test("embeddedService: a database error is one line of the log, even if the caller ignores it", () => {
  const lines: string[] = [];
  const log = createLog({ level: "error", format: "json", write: (line) => lines.push(line) });
  return withApp({}, async ({ services }) => {
    await services.open();
    const caller = { requestId: "r-1", log: logOf({ requestId: "r-1" }, log) };
    const { fileSets, reportSchedules } = services.backendFor(TOKEN, caller);
    assertEquals((await fileSets.search({}, { limit: 1 })).fileSets.length, 1);
    await assertRejects(async () => await reportSchedules.history(999));
    assertEquals(lines, []);
    await services.store!.close();
    const failing = [fileSets.search({}), fileSets.search({}), reportSchedules.history(101)];
    for (const { status } of await Promise.allSettled(failing)) assertEquals(status, "rejected");
    const { message, requestId, reason } = JSON.parse(lines[0]);
    assertEquals([lines.length, message, requestId], [1, "The service is not available", "r-1"]);
    assertEquals(reason, "The database cannot be reached: Docket is stopping");
  }, { log });
});

Deno.test("[e2e] embeddedService: a page logs a database error once, with its route", () => {
  const lines: string[] = [];
  const log = createLog({ level: "error", format: "json", write: (line) => lines.push(line) });
  return withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    await app.services.open();
    await app.services.store!.close();
    for (const path of ["/schedules/101/check", "/api/content/v1/reportschedules/101/history"]) {
      const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
      await response.body?.cancel();
      assertEquals(response.status, 503);
    }
    assertEquals(lines.map((line) => JSON.parse(line).route), [
      "/schedules/:id/check",
      "/api/content/v1/reportschedules/:id/history",
    ]);
  }, { log });
});
