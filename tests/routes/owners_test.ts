/** Owners and calendars: the pages, and what their forms do. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { withPerson } from "../app.ts";
import { textsOf } from "../components/rendered.ts";
import { plantIncident } from "../planted_incident.ts";

const URL = "https://hooks.slack.com/services/T0/B0/planted";

Deno.test("[e2e] POST /owners: sets up an owner with Slack, and never shows the secret", () =>
  withPerson(async ({ app, get, post }) => {
    await plantIncident(app, { name: "Sales" });
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
    assertEquals(text.includes(`<a href="${path}">`), false, "no row repeats the owner");
    const quiet = { from: "20:00", to: "07:00", zone: "Europe/Berlin" };
    await post(path, { action: "save", ...quiet, name: "Ada" });
    const [owner] = await app.services.records!.owners.list();
    assertEquals([owner.channels.length, owner.quiet?.zone], [1, "Europe/Berlin"]);
    assertStringIncludes((await get("/")).text, "1 channel of owners</a> has nothing waiting");
    const finance = "slack (hooks.slack.com) nothing sent yet | 1 | 1 | 20:00–07:00 Europe/Berlin";
    const [, shown] = textsOf((await get("/owners")).text, "tr");
    assertEquals(shown, `Finance & Co | ${finance}`);
    assertEquals((await post(path, { action: "x", name: "Ada" })).status, 400);
    const moved = await post(path, { action: "save", owner: "Money ", name: "Ada" });
    assertEquals(moved.headers.get("location"), "/owners/Money");
    assertEquals((await get(path)).status, 404);
    const removed = await post("/owners/Money", { action: "remove", name: "Ada" });
    assertEquals(removed.headers.get("location"), "/owners");
    // Schedules still name it.
    assertStringIncludes((await get("/owners/Money")).text, "None: incidents go to the default");
  }));

Deno.test("[e2e] POST /owners: shows errors beside fields, and does not repeat secrets", () =>
  withPerson(async ({ get, post }) => {
    const wrong = { action: "save", owner: "Finance", slack: "https://evil.example/planted" };
    const refused = await post("/owners", { ...wrong, name: "Ada" });
    const text = await refused.text();
    assertEquals([refused.status, text.includes("planted")], [400, false]);
    assertStringIncludes(text, "begins with https://hooks.slack.com/");
    assertStringIncludes(text, 'value="Finance"');
    assertStringIncludes(await (await post("/owners", wrong)).text(), "Enter your name");
    assertEquals((await get("/owners/Finance")).status, 404);
  }));

Deno.test("[e2e] POST /owners: saves and removes a calendar", () =>
  withPerson(async ({ app, get, post, fetch }) => {
    const calendar = { calendar: "de-holidays", days: "2026-12-25, 2026-12-26", name: "Ada" };
    assertEquals((await post("/owners", calendar)).status, 303);
    assertEquals(await app.services.records!.calendars.daysFor(101), ["2026-12-25", "2026-12-26"]);
    const event = (start: string) => `BEGIN:VEVENT\nDTSTART:${start}\nEND:VEVENT\n`;
    const events = event("20261225") + event("20261224T140000Z");
    const days = `BEGIN:VCALENDAR\nX:${"x".repeat(99_000)}\n${events}END:VCALENDAR`;
    const saved = await post("/owners", { ...calendar, calendar: "big", days });
    const [notice] = saved.headers.get("set-cookie")!.split(";");
    for (const each of saved.headers.getSetCookie()) assertStringIncludes(each, "HttpOnly");
    const page = await (await fetch("/owners", {}, notice)).text();
    assertStringIncludes(page, "again shortly. Skipped 1 event that is no whole day.");
    for (
      const [wrong, status, words] of [
        [{ schedules: "101-9999" }, 400, "For schedules must be at most 5,000 schedules at once"],
        [{ days: "BEGIN:VCALENDAR" }, 400, "did not end"],
        [{ days: "x".repeat(5_000_000) }, 413, "larger than the allowed 4194304 bytes"],
      ] as const
    ) {
      const refused = await post("/owners", { ...calendar, ...wrong });
      assertEquals(refused.status, status);
      assertStringIncludes(await refused.text(), words);
    }
    for (const name of ["big", "de-holidays"]) {
      await post("/owners", { "remove-calendar": name, name: "Ada" });
    }
    assert((await get("/owners")).text.includes("There are no calendars yet"));
  }));
