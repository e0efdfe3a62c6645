/** Owners and calendars: the pages, and what their forms do. */
import { name, sql } from "../../server/store/database/sql.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../server/store/open.ts";
import { ORIGIN, sessionCookie, signIn, withApp } from "../app.ts";
import { textsOf } from "../components/rendered.ts";
import { plantIncident } from "../planted_incident.ts";

const URL = "https://hooks.slack.com/services/T0/B0/planted";

Deno.test("[e2e] POST /owners: sets up an owner with Slack, and never shows the secret", () =>
  withApp({}, async (app) => {
    const { get, post } = await signIn(app, ORIGIN);
    await plantIncident(app, { name: "Sales" });
    assertStringIncludes((await get("/owners")).text, "There are no owners yet");
    const fields = { action: "save", owner: "Finance & Co", slack: URL, name: "Ada" };
    const made = await post("/owners", fields);
    assertEquals([made.status, made.headers.get("location")], [303, "/owners/Finance%20%26%20Co"]);
    const path = "/owners/Finance%20%26%20Co";
    await post(path, { action: "save", give: "101", name: "Ada" });
    for (const shown of [path, "/owners", "/", "/schedules", "/incidents/deliveries"]) {
      const { status, text } = await get(shown);
      assertEquals([status, text.includes("planted")], [200, false], shown);
    }
    const { text } = await get(path);
    const changed = "Changed by Ada (not verified), <time";
    for (const words of ["slack (hooks.slack.com)", "1 incident is open", "Sales", changed]) {
      assertStringIncludes(text, words);
    }
    const database = await openDatabase(app.services.settings);
    for (const table of ["owners", "channels", "messages", "events", "service"]) {
      const rows = JSON.stringify(await database.read(sql`SELECT * FROM ${name(table)}`));
      assertEquals(rows.includes("planted"), false, table);
    }
    await database.close();
    const quiet = { from: "20:00", to: "07:00", zone: "Europe/Berlin" };
    await post(path, { action: "save", ...quiet, name: "Ada" });
    const [owner] = await app.services.records!.owners.list();
    assertEquals([owner.channels.length, owner.quiet?.zone], [1, "Europe/Berlin"]);
    assertStringIncludes((await get("/")).text, "1 channel of owners</a> has nothing waiting");
    const rename = (from: string, owner: string) =>
      post(from, { action: "save", owner, name: "Ada" });
    await post("/owners", { action: "save", owner: "Claims", name: "Ada" });
    const rows = textsOf((await get("/owners")).text, "tr");
    const claims = "Claims | default channels | 0 | 0 | none";
    const finance = "slack (hooks.slack.com) nothing sent yet | 1 | 1 | 20:00–07:00 Europe/Berlin";
    assertEquals(rows.slice(1), [claims, `Finance & Co | ${finance}`]);
    const before = await app.services.records!.owners.get("Finance & Co");
    for (
      const [name, issue] of [
        [" ", "must be a name of 1 to 100 characters"],
        ["claims", "must be a name that no other owner has"],
      ]
    ) {
      const fields = { action: "save", owner: name, from: "", to: "", remove: "slack" };
      const refused = await post(path, { ...fields, name: "Ada" });
      assertEquals(refused.status, 400);
      assertStringIncludes(await refused.text(), issue);
      // Nothing else is saved either.
      assertEquals(await app.services.records!.owners.get("Finance & Co"), before);
    }
    const moved = (await rename(path, "Money ")).headers.get("location")!;
    assertEquals([moved, (await get(path)).status], ["/owners/Money", 404]);
    assertStringIncludes((await get(moved)).text, "Sales");
    await rename(moved, "Finance & Co");
    const removed = await post(path, { action: "remove", name: "Ada" });
    assertEquals(removed.headers.get("location"), "/owners");
    // Schedules still name it.
    assertStringIncludes((await get(path)).text, "No channels");
  }));

Deno.test("[e2e] POST /owners: shows errors beside fields, and does not repeat secrets", () =>
  withApp({}, async (app) => {
    const { get, post } = await signIn(app, ORIGIN);
    const wrong = { action: "save", owner: "Finance", slack: "https://evil.example/planted" };
    const refused = await post("/owners", { ...wrong, name: "Ada" });
    const text = await refused.text();
    assertEquals([refused.status, text.includes("planted")], [400, false]);
    assertStringIncludes(text, "begins with https://hooks.slack.com/");
    assertStringIncludes(text, 'value="Finance"');
    assertStringIncludes(await (await post("/owners", wrong)).text(), "Enter your name");
    assertEquals((await get("/owners/Finance")).status, 404);
    // What is typed is not cut: it is refused, or all of it is saved.
    await plantIncident(app, { name: "Sales" });
    const give = async (ids: string) => {
      const form = { action: "save", owner: "Finance", give: ids, name: "Ada" };
      return await (await post("/owners", form)).text();
    };
    assertStringIncludes(await give("101-300"), "must be known schedules, not 102-300");
    assertStringIncludes(await give("101, 999"), "must be known schedules, not 999");
    assertEquals((await get("/owners/Finance")).status, 404);
    await give("101");
    assertStringIncludes((await get("/owners/Finance")).text, "Sales");
    assertEquals((await post("/owners/Finance", { action: "x", name: "Ada" })).status, 400);
  }));

Deno.test("[e2e] POST /owners: saves and removes a calendar", () =>
  withApp({}, async (app) => {
    const { get, post } = await signIn(app, ORIGIN);
    const calendar = { calendar: "de-holidays", days: "2026-12-25, 2026-12-26", name: "Ada" };
    assertEquals((await post("/owners", calendar)).status, 303);
    assertStringIncludes((await get("/owners")).text, "de-holidays");
    assertEquals(await app.services.records!.calendars.daysFor(101), ["2026-12-25", "2026-12-26"]);
    const many = await post("/owners", { ...calendar, calendar: "x", schedules: "101-9999" });
    assertStringIncludes(
      await many.text(),
      "For schedules must be at most 5,000 schedules at once",
    );
    const file = ["VCALENDAR", "VEVENT"].map((part) => `BEGIN:${part}\nX:${"x".repeat(99_000)}\n`);
    const days = `${file.join("")}DTSTART:20261225\nEND:VEVENT\nEND:VCALENDAR`;
    assertEquals((await post("/owners", { ...calendar, calendar: "big", days })).status, 303);
    await post("/owners", { "remove-calendar": "big", name: "Ada" });
    const timed = days.replace(
      "END:VCALENDAR",
      "BEGIN:VEVENT\nDTSTART:20261224T140000Z\nEND:VEVENT\n$&",
    );
    const saved = await post("/owners", { ...calendar, calendar: "big", days: timed });
    assertStringIncludes(saved.headers.get("set-cookie")!, "docket_notice=saved-calendar:1;");
    const cookie = `${await sessionCookie(app, ORIGIN)}; docket_notice=saved-calendar:1`;
    const page = await app.fetch(new Request(`${ORIGIN}/owners`, { headers: { cookie } }));
    assertStringIncludes(await page.text(), "again shortly. Skipped 1 event that is no whole day.");
    await post("/owners", { "remove-calendar": "big", name: "Ada" });
    const huge = await post("/owners", { ...calendar, days: "x".repeat(50_000_000) });
    assertEquals(huge.status, 413);
    assertStringIncludes(await huge.text(), "larger than the allowed 4194304 bytes");
    const wrong = await post("/owners", { ...calendar, days: "BEGIN:VCALENDAR" });
    assertEquals(wrong.status, 400);
    assertStringIncludes(await wrong.text(), "The calendar is cut off");
    await post("/owners", { "remove-calendar": "de-holidays", name: "Ada" });
    assert((await get("/owners")).text.includes("There are no calendars yet"));
  }));
