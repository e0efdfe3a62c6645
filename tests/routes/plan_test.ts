/** The page of a schedule's plan: preview, confirm, and back to the inferred one. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type App, ORIGIN, type Person, sessionCookie, signIn, withApp } from "../app.ts";
import { actorText } from "../../lib/judgement/actor.ts";

const PATH = "/schedules/101/plan";
const FIELDS = {
  cron: "30 5 * * 1-5\n0 9 * * 6",
  zone: "Europe/Berlin",
  grace: "45",
  weeks: "1",
  weeksFrom: "",
  from: "2026-01-05",
  pauses: "2026-12-24 to 2027-01-01\n2027-05-01",
  // None of the sample's runs starts then.
  anyway: "yes",
};
const ADA = { name: "Ada" };

/** A person who is signed in. */
function withPerson(
  test: (person: {
    app: App;
    get: Person["get"];
    post(form: Record<string, string>, from?: string, path?: string): Promise<Response>;
  }) => Promise<void>,
): Promise<void> {
  return withApp({}, async (app) => {
    const { get, post } = await signIn(app, ORIGIN);
    await test({ app, get, post: (form, from, path = PATH) => post(path, form, from) });
  });
}

Deno.test("[e2e] GET /schedules/:id/plan: begins with the facts, and what became of planned runs", () =>
  withPerson(async ({ app, get }) => {
    const { text } = await get("/schedules/102/plan");
    const at = [
      "Is it due daily at 05:30",
      "from 400 runs",
      "Failed, started on time",
      "Sent, on time",
    ]
      .map((words) => text.indexOf(words));
    assert(at.every((place, n) => place > (at[n - 1] ?? 0)), at.join());
    assertStringIncludes(text, '<details class="change">');
    const plan = { cron: ["30 5 * * *"], zone: "UTC", graceMs: 300_000, since: Date.now() };
    await app.services.records!.watches.add([102], Date.now(), { plan });
    const confirmed = (await get("/schedules/102/plan")).text;
    assert(!confirmed.includes("Is it due"));
    // Confirmed with the times of the inferred plan, it judges what was before.
    assert(!confirmed.includes("before this plan"));
  }));

Deno.test("[e2e] GET /schedules/:id/plan: a preview says which incidents another plan would open", () =>
  withPerson(async ({ get }) => {
    const fields = { ...FIELDS, cron: "15 4 1 * *", grace: "5", zone: "UTC", pauses: "", from: "" };
    const { text } = await get(
      `/schedules/103/plan?${new URLSearchParams({ ...fields, backtest: "yes" })}`,
    );
    assertStringIncludes(text, '<details class="change" open>');
    assertStringIncludes(text, "Watching the last 400 runs with it would have opened");
    assertStringIncludes(text, '<p class="notice warning">Does the plan fit? ');
  }));

Deno.test("[e2e] POST /schedules/:id/plan: a changed plan holds from now, and rewrites no past", () =>
  withPerson(async ({ app, get, post }) => {
    const { watches } = app.services.records!;
    const later = { ...FIELDS, ...ADA, cron: "45 5 * * *", zone: "UTC", from: "" };
    const before = Date.now();
    assertEquals((await post({ ...later, pauses: "", action: "confirm" })).status, 303);
    assert((await watches.get(101))!.plan!.since >= before);
    assert(!(await get("/schedules/101")).text.includes("missed"));
  }));

Deno.test("[e2e] POST /schedules/:id/plan: a plan that fits no run is saved only with a tick", () =>
  withPerson(async ({ app, post }) => {
    const { watches } = app.services.records!;
    const { anyway, ...fields } = FIELDS;
    const odd = { ...fields, ...ADA, cron: "15 23 * * *", from: "" };
    const refused = await post({ ...odd, action: "confirm" });
    assertEquals(refused.status, 409);
    const text = await refused.text();
    assertStringIncludes(text, "none of the latest runs fits this plan");
    assertStringIncludes(text, 'name="anyway"');
    assertEquals(await watches.list(), []);
    assertEquals((await post({ ...odd, action: "confirm", anyway })).status, 303);
  }));

Deno.test("[e2e] GET /schedules/:id/plan: opens whatever plan was saved", () =>
  withPerson(async ({ app, get, post }) => {
    const crowded = Array.from({ length: 20 }, () => "* * * * *");
    const refused = await post({ ...FIELDS, ...ADA, cron: crowded.join("\n"), action: "confirm" });
    assertEquals(refused.status, 400);
    assertStringIncludes(
      await refused.text(),
      "Cron expressions must not be due more than 1,440 times a day, not 28,800",
    );

    const plan = { cron: crowded, zone: "UTC", graceMs: 600_000, since: Date.now() - 3_600_000 };
    await app.services.records!.watches.add([101], Date.now(), { plan });
    for (const page of [PATH, "/schedules/101", "/"]) assertEquals((await get(page)).status, 200);

    const minutely = new URLSearchParams({ ...FIELDS, cron: "* * * * *", backtest: "yes" });
    const { status, text } = await get(`${PATH}?${minutely}`);
    assertEquals(status, 200);
    assertStringIncludes(text, "There is no result. The plan is due too often for a backtest");
  }));

Deno.test("[e2e] POST /schedules/:id/plan: confirms a plan, which the pages then use, and undoes it", () =>
  withPerson(async ({ app, get, post }) => {
    const { watches } = app.services.records!;
    const refused = await post({ ...FIELDS, ...ADA, action: "confirm", cron: "0 6 * *" });
    assertEquals(refused.status, 400);
    assertStringIncludes(await refused.text(), "must have five fields");
    assertEquals(await watches.list(), []);

    const confirmed = await post({ ...FIELDS, ...ADA, action: "confirm" });
    assertEquals([confirmed.status, confirmed.headers.get("location")], [303, PATH]);
    const watch = (await watches.get(101))!;
    assertEquals(watch.plan, {
      cron: ["30 5 * * 1-5", "0 9 * * 6"],
      zone: "Europe/Berlin",
      graceMs: 45 * 60_000,
      since: Date.parse("2026-01-04T23:00:00Z"),
      confirmed: watch.plan!.confirmed!,
    });
    assertEquals(watch.pauses, [
      { from: Date.parse("2026-12-23T23:00:00Z"), to: Date.parse("2027-01-01T23:00:00Z") },
      { from: Date.parse("2027-04-30T22:00:00Z"), to: Date.parse("2027-05-01T22:00:00Z") },
    ]);
    const saved = (await get(PATH)).text;
    assertStringIncludes(saved, "<dt>Confirmed</dt>");
    const page = (await get("/schedules/101")).text;
    assertStringIncludes(page, "plan confirmed");
    assertStringIncludes(page, "Weekdays at 04:30; Saturdays at 08:00 (planned in Europe/Berlin)");

    // Of four days one at least is a weekday.
    const [, newest] = /href="\/schedules\/101\/runs\/(\d+)"/.exec(page)!;
    const days = [0, 1, 2, 3].map((ago) => `/schedules/101/runs/${Number(newest) - ago}`);
    const runPages = async () =>
      (await Promise.all(days.map(async (path) => (await get(path)).text))).join();
    assertStringIncludes(await runPages(), "Plan (confirmed): weekdays at 04:30");

    assertEquals((await post({ ...ADA, action: "infer" })).status, 303);
    assertStringIncludes(await runPages(), "Plan (inferred): daily at 06:00");
    assertEquals((await watches.get(101))!.plan, null);
    assertStringIncludes((await get(PATH)).text, "Docket inferred this from 400 runs");
    assertEquals((await post({ action: "other" })).status, 400);
  }));

Deno.test("[e2e] POST /schedules/:id/plan: the name of who changed it is required, stored and shown", () =>
  withPerson(async ({ app, get, post }) => {
    const { watches, events } = app.services.records!;
    for (const name of ["", "  "]) {
      const refused = await post({ ...FIELDS, name, action: "confirm" });
      assertEquals(refused.status, 400);
      const text = await refused.text();
      assertStringIncludes(text, "Enter your name: it is recorded with the action.");
      assertStringIncludes(text, "2026-12-24 to 2027-01-01\n2027-05-01</textarea>");
    }
    assertEquals(await watches.list(), []);
    const { headers } = await post({ ...FIELDS, name: "Ada Lovelace", action: "confirm" });
    assertStringIncludes(headers.getSetCookie().join(), "docket_name=name=Ada+Lovelace");
    await post({ name: "Bob", action: "infer" });
    const latest = await events.latest(101, 9);
    assertEquals(latest.map(({ kind, actor, note }) => [kind, actor && actorText(actor), note]), [
      ["plan left to Docket", "Bob (not verified)", null],
      [
        "plan confirmed",
        "Ada Lovelace (not verified)",
        "weekdays at 05:30; Saturdays at 09:00, Europe/Berlin; grace 45 min; " +
        "days without runs: 2026-12-24 to 2027-01-01, 2027-05-01",
      ],
    ]);
    const { text } = await get(PATH);
    assertStringIncludes(text, "Changes</h2>");
    assertStringIncludes(text, "Ada Lovelace");
  }));

Deno.test("[e2e] POST /schedules/:id/plan: overwrites no plan saved meanwhile", () =>
  withPerson(async ({ app, get, post }) => {
    const { watches } = app.services.records!;
    const seenIn = (text: string) => /name="seen" value="(\w+)"/.exec(text)![1];
    const seen = seenIn((await get(PATH)).text);
    const own = { ...FIELDS, name: "Ada", action: "confirm", grace: "33", seen };
    assertEquals(
      (await post({ ...FIELDS, name: "Bob", action: "confirm", grace: "44", seen })).status,
      303,
    );
    const preview = (await get(`${PATH}?${new URLSearchParams({ ...own, grace: "34" })}`)).text;
    assertEquals(seenIn(preview), seen);
    for (const form of [own, { ...own, action: "infer" }]) {
      const refused = await post(form);
      assertEquals(refused.status, 409);
      const text = await refused.text();
      assertStringIncludes(text, "somebody else has changed the plan");
      assertStringIncludes(text, "grace 44 min");
      assertStringIncludes(text, 'value="33"');
      assertEquals((await watches.get(101))!.plan!.graceMs, 44 * 60_000);
    }
    const after = seenIn(await (await post(own)).text());
    assertEquals((await post({ ...own, seen: after })).status, 303);
    assertEquals((await watches.get(101))!.plan!.graceMs, 33 * 60_000);
  }));

Deno.test("[e2e] POST /schedules/watch: records the name that the browser remembers", () =>
  withPerson(async ({ app }) => {
    const session = await sessionCookie(app, ORIGIN);
    const post = async (path: string, form: Record<string, string>, name = "") => {
      const headers = { origin: ORIGIN, cookie: `${session}; docket_name=${name}` };
      const body = new URLSearchParams(form);
      const { status } = await app.fetch(
        new Request(ORIGIN + path, { method: "POST", headers, body }),
      );
      assertEquals(status, 303);
    };
    await post("/schedules/watch", { add: "101" });
    await post("/schedules/watch", { remove: "101" }, "name=Ada+Lovelace");
    await post("/schedules/watch", { undo: "101" }, "name=%00");
    const done = await app.services.records!.events.latest(101, 9);
    assertEquals(done.map(({ kind, actor, note }) => [kind, actor && actorText(actor), note]), [
      ["watched", "somebody (not verified)", null],
      ["no longer watched", "Ada Lovelace (not verified)", null],
      ["watched", "somebody (not verified)", null],
    ]);
  }));
