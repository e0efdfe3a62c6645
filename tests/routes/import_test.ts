import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ORIGIN, sessionCookie } from "../app.ts";
import { withPlainPage } from "../browser/plain_page.ts";

Deno.test("[e2e] POST /service/import: takes a spreadsheet, and names what does not match", () =>
  withPlainPage(async ({ page, ...app }) => {
    await page.open("/service");
    await page.press("Import your own data");
    page.shown.getByLabelText("Columns with other names");
    const cookie = await sessionCookie(app, ORIGIN);
    const upload = async (text: string, fields: Record<string, string> = {}) => {
      const body = new FormData();
      body.set("file", new File([text], "runs.csv"));
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const headers = { cookie, origin: ORIGIN, "sec-fetch-site": "same-origin" };
      const request = new Request(`${ORIGIN}/service/import`, { method: "POST", headers, body });
      const response = await app.fetch(request);
      return { status: response.status, text: await response.text() };
    };
    const file = new URL("../cases/spreadsheet.csv", import.meta.url);
    const text = await Deno.readTextFile(file);
    const { store } = app.services;
    const unmatched = await upload(text, { sample: "remove" });
    assertEquals(unmatched.status, 400);
    assertMatch(unmatched.text, /Sent at.*is not a column.*Result.*is not a column/s);
    // Nothing is lost by a file that can't be read.
    assertEquals((await store!.reportSchedules.history(101, { limit: 1 })).length, 1);
    const map = "Report ID=scheduleId,Sent at=startTime,Result=status,E-mail=emailAddress";
    const done = await upload(text, { map });
    assertEquals(done.status, 200);
    assertStringIncludes(done.text, "2 read: 2 new, 0 changed, 0 unchanged, 0 rejected");
    assertEquals((await store!.reportSchedules.history(9))[0].recipients?.length, 2);
    const ambiguous = await upload("scheduleId,startTime\n9,03.04.2026 05:00");
    assertMatch(ambiguous.text, /line 2: startTime 03\.04\.2026 05:00 is ambiguous/);
    const read = await upload("scheduleId,startTime\n9,03.04.2026", { dates: "day-first" });
    assertStringIncludes(read.text, "1 read: 1 new");
  }));
