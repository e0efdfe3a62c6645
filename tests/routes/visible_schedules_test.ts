/** Nobody sees by Docket what their own token may not read at an upstream service. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createTestService, makeRuns } from "../../lib/testing/mod.ts";
import { type App, HEADER, ORIGIN, withApp } from "../app.ts";
import { plantIncident } from "../planted_incident.ts";

/** An upstream with the schedules 101 and 102, whose tokens may each read some. */
async function withTokens(
  env: Record<string, string>,
  test: (app: App, asked: string[], answers: { status: number }) => Promise<void>,
): Promise<void> {
  const may: Record<string, string[]> = { observer: ["101", "102"], ada: ["101"], bob: [] };
  const runs = { 101: makeRuns(3), 102: makeRuns(3) };
  const service = createTestService({ fileSets: [], runs });
  const asked: string[] = [];
  const answers = { status: 403 };
  const upstream = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const [, id] = /reportschedules\/(\d+)/.exec(request.url) ?? [];
    const token = request.headers.get(HEADER) ?? "";
    if (!id) return Response.json({ fileSets: [], pageContext: { total: 0 } });
    asked.push(`${token} ${id}`);
    if (!may[token]?.includes(id)) return new Response("", { status: answers.status });
    return service.fetch(`http://service.example${new URL(request.url).pathname}`, request);
  });
  const settings = {
    SERVICE_BASE_URL: `http://127.0.0.1:${upstream.addr.port}`,
    OBSERVER_TOKEN: "observer",
  };
  try {
    await withApp({ ...settings, ...env }, async (app) => {
      await plantIncident(app, { name: "Sales" });
      await plantIncident(app, { name: "Salaries", scheduleId: 102 });
      // Eve receives only what Ada's token may not read.
      const { runs: stored, commit, receipts } = app.services.records!;
      for (const [scheduleId, displayName] of [[101, "Dan Seen"], [102, "Eve Hidden"]] as const) {
        const recipients = [{
          userId: scheduleId,
          displayName,
          emailAddress: `${scheduleId}@x.example`,
        }];
        const put = runs[scheduleId].map((run, at) => {
          const start = Date.now() - at * 86_400_000;
          const whole = {
            ...run,
            status: "success",
            startTime: new Date(start).toISOString(),
            recipients,
          };
          return { id: run.id, start, run: whole };
        });
        await commit(await stored.changeSteps(scheduleId, { put }, Date.now()));
        await receipts.count(scheduleId);
      }
      await commit([{ text: "UPDATE known_schedules SET polled = 1", values: [] }]);
      await test(app, asked, answers);
    });
  } finally {
    await upstream.shutdown();
  }
}

/** All pages with stored schedules, as the bearer of a token sees them. */
async function pagesOf(app: App, token: string, paths: readonly string[] = PATHS): Promise<string> {
  const texts: string[] = [];
  for (const path of paths) texts.push(await (await ask(app, token, path)).text());
  return texts.join("\n");
}

const PATHS = [
  "/",
  "/schedules",
  "/incidents",
  "/incidents/deliveries",
  "/go?q=sal",
  "/go/matches?q=sal",
  "/people",
];

async function ask(app: App, token: string, path: string, form?: Record<string, string>) {
  const headers = new Headers();
  const service = app.services.identity;
  await app.services.sessions.write(headers, { token, service }, ORIGIN);
  const cookie = headers.getSetCookie()[0].split(";")[0];
  const body = form && new URLSearchParams(form);
  const method = form ? "POST" : "GET";
  return await app.fetch(
    new Request(ORIGIN + path, { method, body, headers: { cookie, origin: ORIGIN } }),
  );
}

Deno.test("[e2e] upstream: stored schedules and incidents are shown to those whose token may read them", () =>
  withTokens({}, async (app, asked) => {
    const ada = await pagesOf(app, "ada");
    assertStringIncludes(ada, "Sales");
    assertEquals(ada.includes("Salaries"), false);
    assertStringIncludes(ada, "Schedules that your token may not read are hidden.");
    assertStringIncludes(ada, "Incidents (1)");
    assertEquals([ada.includes("Dan Seen"), ada.includes("Eve Hidden")], [true, false]);
    const bob = await pagesOf(app, "bob");
    assertEquals(/Sales|Salaries/.test(bob), false);
    const both = await pagesOf(app, "observer");
    assert(both.includes("Sales") && both.includes("Salaries") && both.includes("Eve Hidden"));
    // The service is asked once about each.
    assertEquals(asked.filter((each) => each === "ada 102").length, 1);
    const [hidden] = await app.services.records!.incidents.open(102);
    assertEquals((await ask(app, "observer", `/incidents/${hidden.id}`)).status, 200);
    for (const path of [`/incidents/${hidden.id}`, "/incidents/feeds"]) {
      const response = await ask(app, "ada", path);
      assertEquals([403, 404].includes(response.status), true, path);
      assertEquals((await response.text()).includes("Salaries"), false);
    }
  }));

Deno.test("[e2e] upstream: a page without schedules asks only about those with open incidents", () =>
  withTokens({}, async (app, asked) => {
    const [incident] = await app.services.records!.incidents.open(102);
    const form = { action: "resolve", name: "Olga" };
    assertEquals((await ask(app, "observer", `/incidents/${incident.id}`, form)).status, 303);
    asked.length = 0;
    assertStringIncludes(await pagesOf(app, "ada", ["/filesets"]), "Incidents (1)");
    assertEquals(asked.filter((each) => each.startsWith("ada")), ["ada 101"]);
    await pagesOf(app, "ada", ["/schedules"]);
    assertEquals(asked.filter((each) => each.startsWith("ada")), ["ada 101", "ada 102"]);
  }));

Deno.test("[e2e] upstream: people can't change what they may not see", () =>
  withTokens({}, async (app) => {
    const { incidents, watches, calendars, owners } = app.services.records!;
    const [hidden] = await incidents.open(102);
    const actor = { name: "Bob", known: "typed" } as const;
    const holidays = { name: "Holidays", days: ["2026-12-24"], changed: 1, actor };
    await calendars.save({ ...holidays, scheduleIds: [102] });
    await watches.change(102, { note: "Payroll" }, 1);
    const slack = "https://hooks.slack.com/services/T/B/ada";
    const days = { days: "2026-12-24", name: "Ada" };
    const forms = [
      // Otherwise Ada would be sent the incidents of a schedule that she may not see.
      ["/owners", { action: "save", owner: "Payroll", slack, name: "Ada" }, 403],
      ["/owners/payroll", { action: "save", slack, name: "Ada" }, 403],
      ["/owners", { calendar: "All", ...days }, 403],
      ["/owners", { calendar: "holidays", schedules: "101", ...days }, 403],
      ["/owners", { "remove-calendar": "Holidays", name: "Ada" }, 403],
      ["/owners", { calendar: "Mine", schedules: "101", ...days }, 303],
      ["/incidents/feeds", { renew: "runs.ics" }, 403],
      [`/incidents/${hidden.id}`, { action: "resolve", name: "Ada" }, 404],
      ["/schedules/watch", { remove: "102" }, 403],
      ["/schedules/102/check-now", {}, 403],
      ["/owners", { action: "save", owner: "Finance", give: "102", name: "Ada" }, 400],
      ["/schedules/102/plan", { action: "infer", name: "Ada" }, 403],
    ] as const;
    for (const [path, form, status] of forms) {
      const response = await ask(app, "ada", path, form);
      await response.body?.cancel();
      assertEquals(response.status, status, path);
    }
    assertEquals((await watches.list()).length, 2);
    assertEquals((await incidents.open(102)).length, 1);
    assertEquals([await owners.list(), await calendars.daysFor(102)], [[], ["2026-12-24"]]);
  }));

Deno.test("[e2e] upstream: while the service does not say who may read, nothing is shown", () =>
  withTokens({}, async (app, _asked, answers) => {
    answers.status = 500;
    for (const path of ["/", "/incidents", "/people", "/people/worklist", "/owners"]) {
      const bob = await pagesOf(app, "bob", [path]);
      assertEquals(/Sales|Salaries|Eve Hidden/.test(bob), false);
      assertStringIncludes(bob, "could not check yet if you may see more schedules", path);
      assertEquals(bob.includes("are hidden"), false);
      assertEquals(bob.includes("No schedules are watched yet"), false);
    }
    // A file would not say what it lacks.
    for (const path of ["/people/export?format=csv", "/people/worklist?format=csv"]) {
      const response = await ask(app, "bob", path);
      assertEquals([response.status, response.headers.get("retry-after")], [503, "5"], path);
      assertStringIncludes(
        await response.text(),
        "did not say yet whether you may see schedule 101",
      );
    }
  }));

Deno.test("[e2e] upstream: RECORDS_READERS=all shows all to everybody who signs in, and asks nothing", () =>
  withTokens({ RECORDS_READERS: "all" }, async (app, asked) => {
    const bob = await pagesOf(app, "bob");
    assert(bob.includes("Sales") && bob.includes("Salaries"));
    assertEquals(asked, []);
  }));

Deno.test("[e2e] upstream: of a person who receives more, only what the token may read is shown", () =>
  withTokens({}, async (app) => {
    const { records } = app.services;
    const { people, receipts, recipientDecisions } = records!;
    const dan = { userId: 101, displayName: "Dan Seen" };
    const secret = [{ ...dan, emailAddress: "dan@secret.example" }];
    const start = Date.now() - 60_000;
    const run = { ...makeRuns(1)[0], id: 99, status: "success", recipients: secret };
    const put = [{ id: 99, start, run: { ...run, startTime: new Date(start).toISOString() } }];
    await records!.commit(await records!.runs.changeSteps(102, { put }, Date.now()));
    for (const id of [101, 102]) await receipts.count(id);
    const id = (await people.find(101))!;
    const decision = { personId: id, domain: null, scheduleId: 102, expected: 0 } as const;
    const actor = { name: "Eve", known: "typed" } as const;
    await recipientDecisions.add([{
      ...{ ...decision, why: "Salaries are hidden", actor, at: Date.now(), until: null },
    }]);
    const paths = [
      `/people/${id}?addresses=shown`,
      "/people?addresses=shown",
      "/people?q=secret&addresses=shown",
      "/people/worklist?addresses=shown",
      "/people/worklist?format=csv&addresses=shown",
      "/people/export?format=csv&addresses=shown",
    ];
    const all = await pagesOf(app, "observer", paths);
    assert(all.includes("dan@secret.example") && all.includes("Salaries are hidden"));
    const seen = await pagesOf(app, "ada", paths);
    assertStringIncludes(seen, "Dan Seen");
    assertStringIncludes(seen, "1 schedule known; the service was never asked");
    assertEquals(seen.match(/secret\.example|Salaries|schedule 102|schedules\/102/g), null);
    const hidden = await pagesOf(app, "ada", [
      "/people?schedule=102&addresses=shown",
      "/people/export?format=csv&schedule=102&addresses=shown",
    ]);
    assertStringIncludes(hidden, "Nobody yet");
    assertEquals(hidden.match(/secret\.example|Dan Seen|Salaries/g), null);
    // Nobody learns whether somebody is known.
    for (const q of ["dan@secret.example", "102@x.example"]) {
      const found = await ask(app, "ada", "/people", { q });
      assertEquals(found.headers.get("location"), "/people?nobody=");
    }
    assertEquals(
      (await ask(app, "ada", "/people", { q: "102" })).headers.get("location"),
      "/people?q=102",
    );
  }));

Deno.test("[e2e] upstream: no file, form or meaning of statuses changes what the person may not see", () =>
  withTokens({}, async (app) => {
    const { records } = app.services;
    const before = (await records!.watches.getKnown(102))!;
    await records!.watches.remove(102);
    const headers = new Headers();
    await app.services.sessions.write(
      headers,
      { token: "ada", service: app.services.identity },
      ORIGIN,
    );
    const cookie = headers.getSetCookie()[0].split(";")[0];
    const body = new FormData();
    body.set("file", new File(["scheduleId,name,watched\n102,Mine,true\n"], "s.csv"));
    const uploaded = await app.fetch(
      new Request(`${ORIGIN}/schedules/file`, {
        method: "POST",
        body,
        headers: { cookie, origin: ORIGIN },
      }),
    );
    assertEquals(uploaded.status, 403);
    const meanings = { watched: "on", name: "success", meaning: "bad" };
    assertEquals((await ask(app, "ada", "/schedules/statuses", meanings)).status, 403);
    const after = (await records!.watches.getKnown(102))!;
    assertEquals([after.name, after.watched, after.statuses], [before.name, 0, before.statuses]);
  }));

Deno.test("[e2e] upstream: what a search for schedules found is shown as far as the token may read it", () =>
  withTokens({}, async (app) => {
    const { idSearches } = app.services.records!;
    const search = {
      ...{ from: 100, to: 102, next: 100, rate: 2, started: 1, ended: 1, stopped: null },
      ...{ pausedUntil: 0, failed: 0, answersEmpty: false },
    };
    await idSearches.begin(search);
    await idSearches.record(search, 100, "never-ran", 1);
    for (const id of [101, 102]) await idSearches.record(search, id, "missing", 1);
    const shown = (token: string) => pagesOf(app, token, ["/schedules/find", "/schedules"]);
    const all = await shown("observer");
    assertStringIncludes(all, "No longer there: 101-102.");
    assertStringIncludes(all, ": 1 never ran, 2 don't exist");
    const some = await shown("ada");
    assertStringIncludes(some, "No longer there: 101.");
    assertStringIncludes(some, ": 1 don't exist, not counting schedules hidden from you");
    assertEquals((await shown("bob")).includes("No longer there"), false);
  }));
