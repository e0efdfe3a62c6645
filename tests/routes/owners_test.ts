/** Owners and calendars: the pages, and what their forms do. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { testEvent } from "../../server/observer/event.ts";
import { queueSteps } from "../../server/observer/outbox.ts";
import { assertAnswer, ORIGIN, withPerson } from "../app.ts";
import { plantIncident } from "../planted_incident.ts";
import { serveLocally } from "../processes.ts";

const URL = "https://hooks.slack.com/services/T0/B0/planted";

Deno.test("[e2e] POST /owners: sets up an owner with Slack, and never shows the secret", () =>
  withPerson(async ({ app, records, get, post }) => {
    await plantIncident(app, { name: "Sales" });
    const path = "/owners/Finance%20%26%20Co";
    const fields = { action: "save", owner: "Finance & Co", slack: URL, name: "Ada" };
    assertEquals((await post("/owners", fields)).to, path);
    await post(path, { action: "save", give: "101", name: "Ada" });
    for (const page of [path, "/owners", "/", "/schedules", "/incidents/deliveries"]) {
      assertEquals((await get(page)).text.includes("planted"), false, page);
    }
    const shown = await get(path);
    const changed = "Changed by Ada (not verified), <time";
    assertAnswer(shown, 200, "slack (hooks.slack.com)", "1 incident is open", "Sales", changed);
    await post("/owners", { action: "save", owner: "New", name: "Ada" });
    const bare = await get("/owners/New");
    assertAnswer(bare, 200, "No incident is open. Schedules", "None yet: “Change…”");
    // No row repeats the owner, and no link leads to the only one.
    assertEquals(shown.text.includes(`<a href="${path}">`), false);
    assertEquals(shown.text.match(/All 1 schedule|Send a test message/g), ["Send a test message"]);
    const quiet = { from: "20:00", to: "07:00", zone: "Europe/Berlin", holdsCritical: "on" };
    await post(path, { action: "save", ...quiet, name: "Ada" });
    const [owner] = await records.owners.list();
    assertEquals([owner.channels.length, owner.quiet], [1, { ...quiet, holdsCritical: true }]);
    const now = Date.now();
    const outlet = { name: owner.channels[0].id };
    const queued = queueSteps(testEvent(now, ORIGIN), [outlet], { incidentId: null, now });
    await records.commit(queued);
    assertEquals((await get("/")).text.match(/nothing waiting|\d waiting/g), ["1 waiting"]);
    assertAnswer(await post(path, { action: "x", name: "Ada" }), 400);
    const moved = await post(path, { action: "save", owner: "Money ", name: "Ada" });
    assertEquals(moved.to, "/owners/Money");
    assertAnswer(await get(path), 404);
    assertEquals((await post(moved.to!, { action: "remove", name: "Ada" })).to, "/owners");
    // Schedules still name it.
    const left = await get(moved.to!);
    assertAnswer(left, 200, "None: incidents go to nobody, as there");
    assertEquals(/Send a test|Remove…/.test(left.text), false);
    assertEquals((await get("/incidents/deliveries")).text.match(/\(removed\)|Send again </g), [
      "(removed)",
    ]);
    assertEquals((await post(moved.to!, { action: "remove", name: "Bea" })).to, "/owners");
  }));

Deno.test("[e2e] POST /owners: shows errors beside fields, no secret, and how tests of channels end", async () => {
  await using receiver = serveLocally(() => new Response());
  const webhook = `${receiver.origin}/planted`;
  const webhookSecret = `whsec_${btoa("s".repeat(32))}`;
  const mail = { MAIL_FROM: "docket@example.com", SMTP_URL: "smtp://127.0.0.1:1" };
  await withPerson(async ({ get, post }) => {
    const save = (fields: Record<string, string>) =>
      post("/owners", { action: "save", owner: "Finance", name: "Ada", ...fields });
    const refused = await save({ slack: "https://evil.example/planted" });
    assertAnswer(refused, 400, "begins with https://hooks.slack.com/", 'class="change" open>');
    assertEquals(refused.text.includes("planted"), false);
    assertAnswer(await save({ from: "20:00" }), 400, "</span> From ");
    assertAnswer(await get("/owners/Finance"), 404);
    await save({ webhook, webhookSecret, mail: "ada@example.com" });
    const tested = await post("/owners/Finance", { action: "test" });
    assertAnswer(tested, 200, "Sent a test by webhook.", "The test by mail failed: ");
  }, { WEBHOOK_URL: webhook, WEBHOOK_SECRET: webhookSecret, ...mail });
});

Deno.test("[e2e] POST /owners: saves and removes a calendar", () =>
  withPerson(async ({ records, get, post }) => {
    const calendar = { calendar: "de-holidays", days: "2026-12-25, 2026-12-26", name: "Ada" };
    assertAnswer(await post("/owners", calendar), 303);
    assertEquals(await records.calendars.daysFor(101), ["2026-12-25", "2026-12-26"]);
    const event = (start: string) => `BEGIN:VEVENT\nDTSTART:${start}\nEND:VEVENT\n`;
    const events = event("20261225") + event("20261224T140000Z");
    const days = `BEGIN:VCALENDAR\nX:${"x".repeat(99_000)}\n${events}END:VCALENDAR`;
    const saved = await post("/owners", { ...calendar, calendar: "big", days });
    for (const each of saved.headers.getSetCookie()) assertStringIncludes(each, "HttpOnly");
    const page = (await get("/owners", saved.cookies)).text;
    assertStringIncludes(page, "again shortly. Skipped 1 event that is no whole day.");
    // The button that Enter presses in a field removes nothing.
    const [pressed] = /<button[^>]*form="calendar-form"[^>]*>/.exec(page)!;
    assertEquals(pressed.includes("remove-calendar"), false);
    for (
      const [wrong, status, words] of [
        [{ schedules: "101-9999" }, 400, "For schedules must be at most 5,000 schedules at once"],
        [{ days: " " }, 400, "Enter at most 5000 days"],
        [{ days: "x".repeat(5_000_000) }, 413, "larger than the allowed 4194304 bytes"],
      ] as const
    ) {
      assertAnswer(await post("/owners", { ...calendar, ...wrong }), status, words);
    }
    for (const name of ["big", "de-holidays"]) {
      await post("/owners", { "remove-calendar": name, name: "Ada" });
    }
    assertAnswer(await get("/owners"), 200, "There are no calendars yet");
  }));
