import { assert } from "@std/assert";
import { ORIGIN, sessionCookie, withApp } from "../app.ts";
import { routePaths } from "../route_paths.ts";

Deno.test("[e2e] forms: reject bodies that are larger than they need", () =>
  withApp({}, async (app) => {
    const headers = { cookie: await sessionCookie(app, ORIGIN) };
    for (const path of routePaths().filter((path) => !path.startsWith("/api/"))) {
      // A calendar is the text of a file.
      const count = path === "/owners" ? 3_000_000 : 500_000;
      const body = new URLSearchParams({ add: "1,".repeat(count) });
      const init = { method: "POST", headers, body };
      const url = ORIGIN + path.replace("[scheduleId]", "101");
      const response = await app.fetch(new Request(url, init));
      await response.body?.cancel();
      // A form with a file has another type.
      const isRejected = [405, 413, 415].includes(response.status);
      // Signing out and looking again read nothing at all.
      const readsNothing = path === "/sign-out" || path.endsWith("/check-now");
      assert(isRejected || readsNothing, `${path}: ${response.status}`);
    }
  }));
