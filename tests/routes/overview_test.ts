/** The overview: counts, incidents, what is due, and the last 24 hours. */
import { HOUR } from "../../lib/time_units.ts";
import { write } from "../../server/store/records/transaction_step.ts";
import { sql } from "../../server/store/database/sql.ts";
import type { Headline } from "../../lib/judgement/headline.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { putVerdict, type StoredVerdict } from "../../server/store/records/verdicts.ts";
import { type App, ORIGIN, sessionCookie, withApp } from "../app.ts";
import { plantIncident } from "../planted_incident.ts";
import { pollAll, watchSample } from "../browser/sample_watches.ts";
import { textOf, textsOf } from "../components/rendered.ts";
import { sampleReason } from "../sample_reasons.ts";

async function read(app: App, path: string, status = 200): Promise<string> {
  const cookie = await sessionCookie(app, ORIGIN);
  const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
  assertEquals(response.status, status, path);
  return await response.text();
}

function verdict(
  scheduleId: number,
  headline: Headline,
  parts: Partial<StoredVerdict["details"]> = {},
): StoredVerdict {
  const now = Date.now();
  return {
    scheduleId,
    judged: now,
    holdsUntil: now + HOUR,
    state: "up",
    headline,
    planSource: "inferred",
    lastSuccess: now - 3 * HOUR,
    nextDue: now + 2 * HOUR + 60_000,
    overdue: 0,
    failing: 0,
    strip: [],
    day: [],
    people: null,
    reached: "",
    details: {
      reasons: [],
      plan: null,
      missed: [],
      overdue: [],
      runs: 9,
      waitsMs: 0,
      ...parts,
    },
  };
}

/** 101 is healthy, 102 fails with a missed and a failed run, 103 is late, 104 has no verdict. */
async function plant({ services }: App): Promise<void> {
  const records = services.records!;
  const now = Date.now();
  await records.watches.add([101], now, { name: "Sales" });
  await records.watches.add([102], now, { name: "Claims 100%", note: "Owner: Ada" });
  await records.watches.add([103, 104], now);
  const missed = [{ at: now - 5 * HOUR, id: "a" }, { at: now - 90 * HOUR, id: "b" }];
  const reasons = [
    sampleReason("failing", { severity: "critical", since: now, runs: [1], count: 7 }),
  ];
  const run = { id: 1, start: now - 2 * HOUR, run: { id: 1, status: "failure" } };
  await records.commit([
    putVerdict(verdict(101, "healthy")),
    putVerdict(verdict(102, "failing", { reasons, missed })),
    putVerdict(verdict(103, "late")),
    ...await records.runs.changeSteps(
      102,
      { put: [run, { ...run, id: 2, start: now - 80 * HOUR }] },
      now,
    ),
  ]);
}

/** The ids of the schedules in the grid, in order. */
function idsIn(html: string): string[] {
  return [...html.matchAll(/<th scope="row"[^>]*>.*?<a href="\/schedules\/(\d+)"/g)].map(([, id]) =>
    id
  );
}

Deno.test("[e2e] GET /: says what went out by now, and links each number to its schedules", () =>
  withApp({}, async (app) => {
    await plant(app);
    const { records } = app.services;
    const now = Date.now();
    // At midnight of the reader, everything of the day is due by now.
    const at = Math.floor(now / 86_400_000) * 86_400_000;
    const day = (outcome: "met" | "failed") => [{ at, outcome, run: null }];
    await records!.commit([
      putVerdict({ ...verdict(101, "healthy"), day: day("met"), people: 2, reached: "a b" }),
      putVerdict({ ...verdict(102, "failing"), day: day("failed") }),
      putVerdict({ ...verdict(103, "outside"), day: day("met"), people: 2, reached: "b c" }),
    ]);
    const html = await read(app, "/");
    assertEquals(textsOf(html, "h1"), [
      "Claims 100% failed and Schedule 103 went outside.",
    ]);
    assertMatch(textOf(html), /2 of 3 reports due by now have gone out, to 3 people\./);
    assertMatch(textOf(html), /1 schedule was not read yet/);
    const of = async (choice: string) => idsIn(await read(app, `/?day=${choice}`)).sort();
    assertEquals(await of("planned"), ["101", "102", "103"]);
    assertEquals(await of("sent"), ["101", "103"]);
    assertEquals(await of("failed"), ["102"]);
    assertEquals(await of("overdue"), []);
    await records!.watches.change(101, () => ({ mutedUntil: now + HOUR }), now, []);
    await records!.watches.change(103, () => ({ pauses: [{ from: 1, to: null }] }), now, []);
    const cookie = await sessionCookie(app, ORIGIN);
    const post = (path: string, fields: Record<string, string>) =>
      app.fetch(
        new Request(ORIGIN + path, {
          method: "POST",
          headers: { cookie, origin: ORIGIN },
          body: new URLSearchParams(fields),
        }),
      );
    for (const path of ["/schedules", "/go"]) {
      const shown = textOf(await read(app, path));
      assertMatch(shown, /Sales.*muted until.*\d\d:\d\d/);
      assertMatch(shown, /103.*paused until further notice/);
    }
    const failure = sql`failures = 1, failure = 'The service could not be reached'`;
    await records!.commit([
      write(sql`UPDATE known_schedules SET ${failure} WHERE schedule_id = 104`),
    ]);
    assertMatch(
      textOf(await read(app, "/schedules")),
      /Can't be read: the service could not be reached\./,
    );
    const silent = textOf(await read(app, "/"));
    assertMatch(
      silent,
      /2 muted or paused:.*Sales.*muted until.*Schedule 103.*paused until further notice/,
    );
    // Wherever that stands, one click ends it, and the page comes back.
    for (const [id, action] of [["101", "unmute"], ["103", "resume"]]) {
      const answer = await post(`/schedules/${id}/silence`, { action, next: "/schedules" });
      assertEquals([answer.status, answer.headers.get("location")], [303, "/schedules"]);
    }
    assertEquals(/muted or paused|Unmute|Resume/.test(textOf(await read(app, "/"))), false);
    assertEquals((await post("/schedules/101/silence", { action: "mute" })).status, 400);
    assertEquals((await post("/schedules/999/silence", { action: "unmute" })).status, 409);
  }));

Deno.test("[e2e] POST /schedules/check-all: polls every watch, and says what changed", () =>
  withApp({}, async (app) => {
    const records = app.services.records!;
    await records.watches.add([101, 102, 999], Date.now());
    const headers = { cookie: await sessionCookie(app, ORIGIN), origin: ORIGIN };
    const body = new URLSearchParams({ next: "/?state=unknown" });
    const url = `${ORIGIN}/schedules/check-all`;
    const answer = await app.fetch(new Request(url, { method: "POST", headers, body }));
    const next = answer.headers.get("location")!;
    assertMatch(next, /^\/\?state=unknown&checked=\d+$/);
    const html = await read(app, next);
    assertStringIncludes(textOf(html), "Checking: 0 of 3 schedules done.");
    assertMatch(html, /role="status"[^>]* data-busy/);
    await pollAll(app.services);
    await records.commit([write(sql`UPDATE incidents SET resolved = opened`)]);
    assertMatch(
      textOf(await read(app, next)),
      /Checked 3 schedules today \d\d:\d\d: 2 new incidents, 2 incidents ended, 1 schedule can't be read\./,
    );
    assertEquals((await read(app, "/?checked=1")).includes("Checked 3"), false);
  }));

Deno.test("[e2e] GET /: before the first poll, says that schedules are being read", () =>
  withApp({}, async (app) => {
    const ids = Array.from({ length: 31 }, (_, at) => at + 1);
    await app.services.records!.watches.add(ids, Date.now());
    await plantIncident(app, { name: "", scheduleId: null });
    const text = textOf(await read(app, "/"));
    assertStringIncludes(text, "Docket is reading 31 schedules for the first time.");
    assertStringIncludes(text, "1–30 of 31");
    assertMatch(text, /Needs attention 1.*The service/);
  }));

Deno.test("[e2e] GET /: without watches, says how to start; signed out, leads back after signing in", () =>
  withApp({}, async (app) => {
    const html = await read(app, "/");
    assertStringIncludes(html, "No schedules are watched yet");
    assertStringIncludes(html, 'action="/schedules/watch"');
    const signedOut = await app.fetch(new Request(`${ORIGIN}/?state=failing`));
    assertEquals(signedOut.headers.get("location"), "/sign-in?next=%2F%3Fstate%3Dfailing");
  }));

Deno.test("[e2e] GET /: where the observer is off, it says so and leads to the schedules", () =>
  withApp({ SERVICE_BASE_URL: "https://service.invalid" }, async (app) => {
    const html = await read(app, "/");
    assertStringIncludes(html, "set OBSERVER_TOKEN");
    assertStringIncludes(html, '<a href="/schedules">');
  }));

Deno.test("[e2e] GET /: acknowledges and mutes incidents in their rows, and returns to the page", () =>
  withApp({}, async (app) => {
    await watchSample(app.services);
    const { incidents } = app.services.records!;
    const html = await read(app, "/?state=healthy");
    const shown = textOf(html.match(/<section class="needs".*?<\/section>/s)![0]);
    assertStringIncludes(shown, "Needs attention 5");
    assert(shown.indexOf("Open claims") < shown.indexOf("Partner feed"), shown);
    const { items } = await incidents.list({ scheduleId: 102, state: "open", limit: 1 });
    const cookie = await sessionCookie(app, ORIGIN);
    const post = async (fields: Record<string, string>) => {
      const response = await app.fetch(
        new Request(`${ORIGIN}/incidents/${items[0].id}`, {
          method: "POST",
          headers: { cookie, origin: ORIGIN },
          body: new URLSearchParams({ next: "/?state=healthy", span: "1d", ...fields }),
        }),
      );
      return response.headers.get("location");
    };
    assertEquals(await post({ action: "acknowledge", name: "Ada" }), "/?state=healthy");
    assertEquals(await post({ action: "mute", name: "Ada" }), "/?state=healthy");
    assertEquals(await post({ action: "mute", name: "Ada", next: "//evil.example" }), "/");
    // Without a name it is the incident's page that asks for it.
    assertEquals(await post({ action: "acknowledge", name: "" }), null);
    const after = textOf(await read(app, "/"));
    assertStringIncludes(after, "Needs attention 4");
    assertMatch(
      after,
      /1 muted or paused:.*Open claims.*muted until.*\(Ada \(not verified\)\).*Unmute: Open claims/,
    );
    await post({ action: "unmute", name: "Ada" });
    assertMatch(
      textOf(await read(app, "/")),
      /1 acknowledged:.*Open claims.*\(Ada \(not verified\)/,
    );
  }));

Deno.test("[e2e] POST /incidents: acknowledges what a group of one cause showed, and no more", () =>
  withApp({}, async (app) => {
    const { incidents } = app.services.records!;
    const opened = Date.now() - HOUR;
    for (let id = 1; id <= 9; id++) {
      await plantIncident(app, { name: `S${id}`, scheduleId: id, opened });
    }
    const html = await read(app, "/");
    assertMatch(textOf(html), /Needs attention 9.*9 reports have not started.*Acknowledge 9/);
    const [, until] = /name="until" value="(\d+)"/.exec(html)!;
    await plantIncident(app, { name: "S10", scheduleId: 10, opened: Number(until) + 1 });
    const body = new URLSearchParams({ code: "overdue", until, name: "Ada", next: "/" });
    const headers = { cookie: await sessionCookie(app, ORIGIN), origin: ORIGIN };
    const request = new Request(`${ORIGIN}/incidents`, { method: "POST", headers, body });
    assertEquals((await app.fetch(request)).status, 303);
    const left = await incidents.attention("needed", Date.now(), 99);
    assertEquals(left.items.map(({ scheduleId }) => scheduleId), [10]);
  }));

Deno.test("[e2e] GET /schedules: filtered, 50 on a page, faults at their field", () =>
  withApp({}, async (app) => {
    const { records } = app.services;
    await records!.watches.add(Array.from({ length: 69 }, (_, at) => at + 1001), Date.now());
    await records!.commit([putVerdict(verdict(1069, "failing"))]);
    const first = await read(app, "/schedules");
    assertStringIncludes(textOf(first), "1–50 of 69");
    assertStringIncludes(first, 'href="/schedules?offset=50"');
    assertMatch(textOf(first), /1001.*not read yet.*Not checked yet\./);
    const second = await read(app, "/schedules?offset=50");
    assertEquals([...second.matchAll(/<th scope="row">/g)].length, 19);
    const down = await read(app, "/schedules?state=failing");
    assertStringIncludes(textOf(down), "1–1 of 1");
    assertStringIncludes(down, 'href="/schedules/1069"');
    for (const path of ["/schedules", "/"]) {
      const refused = textOf(await read(app, `${path}?state=x`, 400));
      assertStringIncludes(refused, "state must be one of");
    }
    await read(app, "/filesets?filter=owner:EQUALS:a", 400);
    for (const ids of ["1-", "500-400"]) {
      const text = textOf(await read(app, `/schedules?add=${ids}`));
      assertStringIncludes(text, `Nothing was added: the schedules must be ids and ranges`);
      assertStringIncludes(text, `not "${ids}"`);
    }
    const many = textOf(await read(app, "/schedules?add=1-99999"));
    assertStringIncludes(many, "the schedules must be at most 5,000 schedules at once");
  }));

Deno.test("[e2e] POST /schedules/watch: watches a whole range, or nothing of a list with a fault", () =>
  withApp({}, async (app) => {
    const { watches } = app.services.records!;
    const cookie = await sessionCookie(app, ORIGIN);
    const post = async (body: Record<string, string>) => {
      const request = new Request(`${ORIGIN}/schedules/watch`, {
        method: "POST",
        headers: { cookie, origin: ORIGIN },
        body: new URLSearchParams(body),
      });
      const { status, headers } = await app.fetch(request);
      return [status, headers.get("location")];
    };
    assertEquals(await post({ add: "1001-1300", next: "/" }), [303, "/"]);
    assertEquals((await watches.list()).length, 300);
    assertEquals(await post({ add: "2001, x" }), [303, "/schedules?add=2001%2C+x"]);
    assertEquals((await post({ remove: "1001-1069 x" }))[0], 400);
    assertEquals((await watches.list()).length, 300);
    assertEquals((await post({ remove: "1001-1300" }))[0], 303);
    assertEquals((await watches.list()).length, 0);
  }));

Deno.test("[e2e] GET /schedules: without a database it opens one schedule at a time, and says so", () =>
  withApp({
    SERVICE_BASE_URL: "http://127.0.0.1:9",
    DENO_DEPLOYMENT_ID: "x",
    SESSION_KEY: "k".repeat(43),
  }, async (app) => {
    const html = await read(app, "/schedules");
    assertStringIncludes(
      textOf(html),
      "Nothing is watched. Watching needs a database: set DATABASE_URL. You can open one schedule at a time.",
    );
    assertEquals(html.includes("Schedules to watch"), false);
    assertStringIncludes(await read(app, "/incidents", 403), "set DATABASE_URL");
  }));

Deno.test("[e2e] GET /, /schedules, /go: one order, what fails first", () =>
  withApp({}, async (app) => {
    await watchSample(app.services);
    const idsOf = async (path: string, from: string) => {
      const html = await read(app, path);
      const part = html.slice(html.indexOf(from), html.indexOf("<dialog"));
      return [...part.matchAll(/href="\/schedules\/(1\d\d)">/g)].map(([, id]) => Number(id));
    };
    const order = await idsOf("/", "<table");
    assertEquals(order.slice(0, 5), [102, 112, 103, 111, 109]);
    assertEquals(await idsOf("/schedules", "<table"), order);
    assertEquals((await idsOf("/go", "<main")).slice(0, 8), order.slice(0, 8));
  }));
