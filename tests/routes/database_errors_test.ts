import { assertEquals } from "@std/assert";
import { createLog } from "../../server/log/log.ts";
import { ORIGIN, sessionCookie, withApp } from "../app.ts";

Deno.test("[e2e] embeddedService: a page logs a database error once, with its route", () => {
  const lines: string[] = [];
  const log = createLog({ level: "error", format: "json", write: (line) => lines.push(line) });
  return withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    await app.services.open();
    await app.services.store!.close();
    for (const path of ["/schedules/101/plan", "/api/content/v1/reportschedules/101/history"]) {
      const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
      await response.body?.cancel();
      assertEquals(response.status, 503);
    }
    assertEquals(lines.map((line) => JSON.parse(line).route), [
      "/schedules/:id/plan",
      "/api/content/v1/reportschedules/:id/history",
    ]);
  }, { log });
});
