import { assertEquals } from "@std/assert";
import { ORIGIN, sessionCookie, withApp } from "../app.ts";

Deno.test("[e2e] /filesets: without a query, the reader's default view; all of them by view=all", () =>
  withApp({}, async (app) => {
    const session = await sessionCookie(app, ORIGIN);
    const location = async (path: string, view: string) => {
      const cookie = `${session}; docket_view=${encodeURIComponent(view)}`;
      const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
      await response.body?.cancel();
      return [response.status, response.headers.get("location")];
    };
    const view = "/filesets?filter=name:LIKE:payroll";
    assertEquals(await location("/filesets", view), [303, view]);
    assertEquals(await location("/filesets?view=all", view), [200, null]);
    assertEquals(await location("/filesets?limit=25", view), [200, null]);
    assertEquals(await location("/filesets", "https://evil.example/filesets?q=a"), [200, null]);
  }));
