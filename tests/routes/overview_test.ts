/** Today and Schedules: acting on rows and groups, checking all, the filter, and watching ranges. */
import { HOUR } from "../../lib/time_units.ts";
import { putVerdict } from "../../server/store/records/verdicts.ts";
import { verdictOf } from "../server/store/records/stored_rows.ts";
import { write } from "../../server/store/records/transaction_step.ts";
import { sql } from "../../server/store/database/sql.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ADA, BY_ADA } from "../actors.ts";
import { assertAnswer, withPerson } from "../app.ts";
import { OPENED, plantIncident } from "../planted_incident.ts";
import { sampleReason } from "../sample_reasons.ts";
import { pollAll } from "../browser/sample_watches.ts";
import { callRecords } from "./record_calls.ts";

Deno.test("[e2e] POST /schedules/watch: ends a silence that both lists say, and returns there", () =>
  withPerson(async ({ records: { watches }, read, post }) => {
    const now = Date.now();
    await watches.add([101], now);
    await watches.add([103], now, { name: "Open claims" });
    await watches.change(101, () => ({ mutedUntil: now + HOUR }), now, []);
    await watches.change(103, () => ({ pauses: [{ from: 1, to: null }] }), now, []);
    for (const path of ["/", "/schedules"]) {
      assertMatch(await read(path), /101.*muted until.*Open claims.*paused until further notice/);
    }
    for (const [id, action] of [["101", "unmute"], ["103", "resume"]]) {
      const { to } = await post(`/schedules/watch?id=${id}`, { action, next: "/schedules" });
      assertEquals(to, "/schedules");
    }
    assertEquals(/muted or paused|Unmute|Resume/.test(await read("/")), false);
    assertAnswer(await post("/schedules/watch?id=101", { action: "mute" }), 400);
    assertAnswer(await post("/schedules/watch?id=999", { action: "unmute" }), 409);
  }));

Deno.test("[e2e] POST /schedules/watch: makes every watched schedule due", () =>
  withPerson(async ({ app, records: { watches, polls }, post }) => {
    await watches.add([101, 102], Date.now());
    await pollAll(app.services);
    assertEquals(await polls.anyDue(Date.now()), false);
    const { to } = await post("/schedules/watch", { action: "check-all", next: "/?state=unknown" });
    assertEquals([to, await polls.anyDue(Date.now())], ["/?state=unknown", true]);
  }));

Deno.test("[e2e] GET /: says what is being read, and no all-clear of what was not", () =>
  withPerson(async ({ app, records: { watches }, get, read }) => {
    const assertSays = async (words: string) => assertStringIncludes(await read("/"), words);
    await watches.add([101], Date.now());
    await assertSays("Nothing was read yet.");
    await pollAll(app.services);
    await assertSays("Nothing needs attention now.");
    assertMatch((await get("/")).text, /aria-label="Today's runs/);
    await watches.add([104], Date.now());
    await assertSays("Nothing that was read so far needs attention.");
    await watches.remove([101], BY_ADA);
    await watches.add(Array.from({ length: 30 }, (_, at) => at + 1), Date.now());
    await plantIncident(app, { name: "", scheduleId: null });
    const text = await read("/");
    assertMatch(text, /Docket is reading 31 schedules for the first time\./);
    assertMatch(text, /Needs attention 1.*The service.*1–30 of 31/);
  }));

Deno.test("[e2e] GET /, /schedules: without an observer or a database, say what to set", async () => {
  await withPerson(async ({ get }) => {
    assertMatch((await get("/")).text, /set OBSERVER_TOKEN.*<a href="\/schedules">/s);
  }, { SERVICE_BASE_URL: "https://service.invalid" });
  await withPerson(async ({ app, get, read }) => {
    const text = await read("/schedules");
    const why = "Nothing is watched. Watching needs a database: set DATABASE_URL. To open a " +
      "schedule, type its id into the search.";
    assertStringIncludes(text, why);
    assertEquals(text.includes("Schedules to watch"), false);
    assertEquals((await get("/go?q=102")).to, "/schedules/102");
    assertEquals((await read("/go")).includes("more schedule"), false);
    assertAnswer(await get("/incidents"), 403, "set DATABASE_URL");
    assertAnswer(await get("/evidence/key"), 404, "Without records there is no key");
    assertEquals((await callRecords(app, "listWatches", { token: "observer" })).status, 404);
  }, {
    OBSERVER_TOKEN: "observer",
    SERVICE_BASE_URL: "http://127.0.0.1:9",
    DENO_DEPLOYMENT_ID: "x",
    SESSION_KEY: "k".repeat(43),
  });
});

Deno.test("[e2e] POST /incidents/:id: acts on a row of Today, and returns to the page", () =>
  withPerson(
    async ({ records: { incidents }, get, post, read }) => {
      const { items } = await incidents.list({ scheduleId: 102, limit: 1 });
      const send = (action: string, fields: Record<string, string> = {}) =>
        post(`/incidents/${items[0].id}`, {
          ...{ action, name: "Ada", next: "/?state=healthy" },
          ...fields,
        });
      const act = async (...sent: Parameters<typeof send>) => (await send(...sent)).to;
      const { to, cookies } = await send("acknowledge");
      assertEquals(to, "/?state=healthy");
      // It is the first thing that is read.
      const said =
        /<div[^>]* autofocus>Acknowledged\..*action="([^"]*)".*value="unacknowledge">Undo</s;
      assertEquals(said.exec((await get(to!, cookies)).text)?.[1], `/incidents/${items[0].id}`);
      assertEquals(await act("mute", { next: "//evil.example" }), "/");
      // Without a name it is the incident's page that asks for it.
      const asking = await send("acknowledge", { name: "" });
      assertEquals(asking.to, null);
      assertEquals(/role="alert"[^>]* autofocus/.test(asking.text), false);
      assertMatch(asking.text, /<input name="name" [^>]*autofocus/);
      const muted = /1 muted or paused:.*Open claims.*muted until.*\(Ada \(not verified\)\)/;
      assertMatch(await read("/"), new RegExp(`Needs attention 4.*${muted.source}`));
      const { mutedUntil } = (await incidents.get(items[0].id))!;
      assertEquals(Math.round((mutedUntil! - Date.now()) / HOUR), 24);
      await act("unmute", { name: "" });
      assertMatch(await read("/"), /1 acknowledged/);
    },
    {},
    { isWatched: true },
  ));

Deno.test("[e2e] POST /incidents: acknowledges what a group of one cause showed, and no more", () =>
  withPerson(async ({ app, records, get, post, read }) => {
    const opened = Date.now() - HOUR;
    for (let id = 1; id <= 9; id++) {
      await plantIncident(app, { name: id === 2 ? "" : `S${id}`, scheduleId: id, opened });
    }
    // It is a row of its own.
    await plantIncident(app, { name: "", scheduleId: null, opened });
    const group =
      /Needs attention 10.*9 reports have not started.*scheduler\? (.*) \| Acknowledge 9/
        .exec(await read("/"))!;
    assertEquals(group[1], "S1, Schedule 2, S3, S4, S5 and 4 more");
    const { text } = await get("/");
    assertMatch(await read("/incidents?code=overdue"), /Acknowledge all \|/);
    await records.watches.change(1, { mutedUntil: Date.now() + HOUR }, opened);
    assertMatch(await read("/incidents?code=overdue"), /Acknowledge all that are not muted \|/);
    await records.watches.change(1, { mutedUntil: null }, opened);
    const [, until] = /name="until" value="(\d+)"/.exec(text)!;
    await plantIncident(app, { name: "S10", scheduleId: 10, opened: Number(until) + 1 });
    const [, of = ""] = /name="of" value="(\w+)"/.exec(text) ?? [];
    const form = { code: "overdue", of, until, name: "Ada", next: "/" };
    // Without a name it is the page of the cause that asks for it.
    const { to } = await post("/incidents", { ...form, name: "" });
    assertStringIncludes((await get(to!)).text, 'placeholder="Your name"');
    const needed = async () =>
      (await records.incidents.attention("needed", Date.now(), 99)).items
        .map(({ scheduleId }) => scheduleId);
    const { cookies } = await post("/incidents", form);
    assertEquals(await needed(), [10, null]);
    const undo = /action="\/incidents">.*name="id" value="(\d+)".*value="unacknowledge">Undo</s;
    const [, id] = undo.exec((await get("/", cookies)).text)!;
    await post("/incidents", { action: "unacknowledge", id, name: "Ada" });
    assertEquals((await needed()).length, 11);
  }));

Deno.test("[e2e] GET /: says how many did not get what went to nobody", () =>
  withPerson(async ({ app, read }) => {
    const { store } = app.services;
    const [newest] = await store!.reportSchedules.history(112, { limit: 1 });
    const startTime = new Date().toISOString();
    const run = { ...newest, id: newest.id + 1, startTime, endTime: startTime, recipients: [] };
    await store!.put({ runs: [{ scheduleId: 112, run: run as never }] });
    const reason = sampleReason("sent-to-nobody");
    await plantIncident(app, { name: "Margin", scheduleId: 112, reason });
    assertMatch(await read("/"), /Margin.* 7 people did not get it\. Sent to nobody/);
  }));

Deno.test("[e2e] GET /: somebody left, also where a person resolved that incident", () =>
  withPerson(async ({ app, read }) => {
    const reason = sampleReason("leaver-recipient");
    await plantIncident(app, { name: "Margin", reason, resolved: Date.now(), resolvedBy: ADA });
    const { records } = app.services;
    await records!.commit([putVerdict(verdictOf(101, { headline: "outside" }))]);
    assertStringIncludes(await read("/"), "Margin went to somebody who left.");
  }));

Deno.test("[e2e] GET /schedules: says why, but for a healthy schedule", () =>
  withPerson(async ({ records, read }) => {
    await records.watches.add([1, 2, 3, 101], Date.now());
    const { details } = verdictOf(1);
    const reasons = [sampleReason("late", { due: Date.UTC(2026, 2, 10, 6) })];
    await records.commit([
      putVerdict(verdictOf(1, { headline: "late", details: { ...details, reasons } })),
      putVerdict(verdictOf(2, { headline: "unknown" })),
      putVerdict(verdictOf(3)),
      write(
        sql`UPDATE known_schedules SET failures = 1, failure = 'It broke'
          WHERE schedule_id IN (3, 101)`,
      ),
    ]);
    // As in lists, a failure alone leaves the state as it was.
    assertMatch(await read("/schedules/101"), /Daily revenue \| Healthy/);
    const text = await read("/schedules");
    assertMatch(text, /Due Tue 10 Mar.* not started yet\./);
    assertStringIncludes(text, "Its runs show no plan: too few, irregular, or many at once.");
    assertEquals([text.includes("Healthy"), text.includes("it broke")], [true, false]);
  }));

Deno.test("[e2e] GET /schedules: filtered, 50 on a page, faults at their field", () =>
  withPerson(async ({ app, get, read }) => {
    const { records } = app.services;
    await records!.watches.add(Array.from({ length: 69 }, (_, at) => at + 1001), Date.now());
    const failure = sql`failures = 1, failure = 'The service could not be reached'`;
    const step = write(sql`UPDATE known_schedules SET ${failure} WHERE schedule_id = 1002`);
    await records!.commit([step]);
    assertMatch(await read("/schedules"), /1001.*not read yet.*1–50 of 69/);
    assertMatch(
      await read("/schedules?q=1002"),
      /can't be read.*The service could not be reached\./,
    );
    const reason = sampleReason("unreadable", {
      failure: "The service could not be reached",
      since: OPENED + 2 * HOUR,
    });
    await plantIncident(app, { name: "", scheduleId: null, reason });
    const outage =
      /Can't read the service since \D+10 Mar 08:00 \(the service could not be reached\)\./;
    for (const path of ["/", "/schedules"]) {
      const text = await read(`${path}?q=1002`);
      assertMatch(text, outage);
      assertEquals(text.includes("Can't be read:"), path === "/");
    }
    assertMatch(await read("/service"), /Last read.* can't be read since \D+10 Mar 08:00/);
    assertEquals((await get("/schedules?offset=50")).text.match(/<th scope="row"/g)?.length, 19);
    const wrong = /Schedules to watch must be ids .* not "500-400"/;
    assertMatch(await read("/schedules?add=500-400"), wrong);
    const most = /must be at most 5,000 schedules at once/;
    assertMatch(await read("/schedules?add=1-99999"), most);
  }));

Deno.test("[e2e] POST /schedules/watch: checks one now, and changes nothing for a list with a fault", () =>
  withPerson(async ({ records: { watches }, post }) => {
    await watches.add([1001], 0);
    const form = { id: "1001", next: "/schedules/1001" };
    const before = Date.now();
    assertEquals((await post("/schedules/watch", { ...form, action: "check" })).to, form.next);
    assert((await watches.get(1001))!.due >= before);
    const add = async (id: string) => (await post("/schedules/watch", { action: "watch", id })).to;
    assertEquals(await add("2001, x"), "/schedules?add=2001%2C+x");
    assertEquals(await add("1001-1003 1005"), "/schedules");
    for (const wrong of [{ ...form, action: "sell" }, { action: "unwatch", id: "1001 x" }]) {
      assertAnswer(await post("/schedules/watch", wrong), 400);
    }
    const { headers } = await post("/schedules/watch", { action: "forget", id: "1001, 2001" });
    assertMatch(headers.get("set-cookie")!, /=removed-schedules;/);
    assertAnswer(await post("/schedules/watch", { action: "watch", id: "" }), 303);
    assertEquals((await watches.list()).length, 4);
  }));

Deno.test("[e2e] POST /schedules/watch: one press watches all that was found, and ends can be undone", () =>
  withPerson(async ({ records: { watches, overview }, get, post }) => {
    const found = Array.from({ length: 60 }, (_, at) => 1001 + at);
    await watches.add(found, 0, {}, undefined, { source: "found", watched: 0 });
    const offers = async (query: string) =>
      (await get(`/schedules?${query}`)).text.match(/Watch all \d+/g);
    for (const narrowed of ["", "q=10", "owner=Ada", "state=new"]) {
      assertEquals(await offers(`list=unwatched&${narrowed}`), narrowed ? null : ["Watch all 60"]);
    }
    assertEquals(await offers(""), null);
    assertEquals((await post("/schedules/watch", { action: "watch-all" })).to, "/schedules");
    assertEquals((await overview.countLists()).watched, 60);
    // Whoever ends one may take that back.
    const { cookies } = await post("/schedules/watch", { action: "unwatch", id: "1001" });
    const ended = (await get("/", cookies)).text;
    // What a link says is not believed.
    assertEquals((await get("/?unwatched=1001&saved=plan")).text.includes("no longer"), false);
    const undo =
      /Schedule 1001 is no longer watched,.*name="id" value="1001".*value="watch">Undo</s;
    assertMatch(ended, undo);
    const none = await post("/schedules/watch", { action: "unwatch" });
    assertAnswer(await get("/", none.cookies), 200, "Nothing was done: choose at least one");
    await post("/schedules/watch", {
      action: "owner",
      id: "1001",
      owner: "Ada",
      schedule: "Sales",
    });
    const { name, owner } = (await watches.known([1001])).get(1001)!;
    assertEquals([name, owner], ["Sales", "Ada"]);
  }));

Deno.test("[e2e] POST /schedules/find: scans a range, says how far that is and why not, and stops", () =>
  withPerson(async ({ get, read, post }) => {
    const path = "/schedules/find";
    assertMatch((await get(path)).text, /value="1".*value="1000".*value="5"/s);
    const wrong = await post(path, { from: "-1", to: "many", rate: "51" });
    assertEquals(wrong.text.match(/(First id|Last id|Requests per second) must/g)?.length, 3);
    assertEquals([wrong.status, /role="alert"|data-busy/.test(wrong.text)], [400, false]);
    const range = { from: "200", to: "5000", rate: "5" };
    const one = await post(path, { ...range, rate: "51" });
    assertEquals([one.status, /role="alert"/.test(one.text)], [400, false]);
    assertEquals((await post(path, range)).to, path);
    const open = (await get(path)).text;
    assertMatch(
      open,
      /data-refreshed="true" data-busy="true">.*<progress [^>]*value="0" max="4801"/s,
    );
    assertMatch(open, /0 of 4,801 ids scanned, at least 16 min 01 s left\./);
    assertEquals(/id="scans"|name="from"/.test(open), false);
    const another = await post(path, { ...range, from: "1" });
    assertAnswer(another, 409, ">Another scan is running: stop it first.<");
    assertEquals((await post(path, { stop: "true" })).to, path);
    const ended =
      /Scan \| Scans \| Watch what was found \| scan of ids 200 to 5,000 .* by a person\./;
    assertMatch(await read(path), ended);
    assertMatch((await get(path)).text, /<li class="capital" data-announced="true">scan of/);
  }));
