/** The API of watched and known schedules, scans and leavers. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { withApp } from "../app.ts";
import { pollAll, watchSample } from "../browser/sample_watches.ts";
import { callRecords } from "./record_calls.ts";

Deno.test("[e2e] POST /watches: watches 300 schedules at once, and adding them again is no error", () =>
  withApp({}, async (app) => {
    const { watches, events } = app.services.records!;
    const plan = { cron: "0 6 * * *; 0 12 * * *", zone: "Europe/Berlin", graceMinutes: 20 };
    const body = { scheduleIds: "1001-1300", owner: "Finance", ...plan };
    const added = await callRecords(app, "watchSchedules", { body });
    assertEquals(added.answer, { added: 300, changed: 0, known: 0, notWatched: null });
    const again = await callRecords(app, "watchSchedules", { body });
    assertEquals(again.answer, { added: 0, changed: 0, known: 300, notWatched: null });
    const { plan: stored, note } = (await watches.get(1300))!;
    assertEquals([stored!.cron, stored!.graceMs, note], [
      ["0 6 * * *", "0 12 * * *"],
      1_200_000,
      "Finance",
    ]);
    const done = await events.latest(1300, 9);
    assertEquals(done.map(({ kind, actor }) => [kind, actor.known]), [
      ["plan confirmed", "token"],
      ["watched", "token"],
    ]);
    const more = await callRecords(app, "watchSchedules", {
      body: { scheduleIds: [1300, 1301], owner: "Sales" },
    });
    assertEquals(more.answer, { added: 1, changed: 1, known: 0, notWatched: null });
    const { answer } = await callRecords(app, "listWatches", { query: { limit: 2, offset: 299 } });
    assertEquals([answer.total, answer.items.length], [301, 2]);
    assertEquals(answer.items[0].plan, { ...plan, source: "confirmed" });
  }));

Deno.test("[e2e] POST /watches: names all faults at once, and then watches none", () =>
  withApp({}, async (app) => {
    const { status, answer } = await callRecords(app, "watchSchedules", {
      body: { scheduleIds: "101, x", cron: "0 6 * *", zone: "Berln", graceMinutes: 0 },
    });
    assertEquals(status, 400);
    assertEquals(answer.errors.map(({ pointer }: { pointer: string }) => pointer), [
      "/scheduleIds",
      "/cron",
      "/zone",
      "/graceMinutes",
    ]);
    assertEquals((await app.services.records!.watches.list()).length, 0);
  }));

Deno.test("[e2e] /watches/ID: is muted, planned, checked and no longer watched", () =>
  withApp({}, async (app) => {
    const { watches, events } = app.services.records!;
    const params = { scheduleId: 101 };
    const change = (body: object) => callRecords(app, "changeWatch", { params, body });
    assertEquals((await change({ mutedUntil: null })).status, 404);
    await callRecords(app, "watchSchedules", { body: { scheduleIds: [101] } });
    await change({ mutedUntil: "2999-01-01T00:00:00Z", name: "Revenue", cron: "0 6 * * *" });
    const muted = (await watches.get(101))!;
    assertEquals([muted.mutedUntil, muted.name], [Date.UTC(2999, 0), "Revenue"]);
    const past = await change({ mutedUntil: "1999-01-01T00:00:00Z" });
    assertStringIncludes(past.answer.detail, "must be in the future");
    await change({ mutedUntil: null, cron: null });
    const { mutedUntil, plan, name } = (await watches.get(101))!;
    assertEquals([mutedUntil, plan, name], [null, null, "Revenue"]);
    const done = (await events.latest(101, 9)).map(({ kind }) => kind);
    const ended = ["plan left to Docket", "schedule unmuted"];
    const started = ["watched", "plan confirmed", "watch changed", "schedule muted"];
    assertEquals([new Set(done.slice(0, 2)), new Set(done.slice(2))], [
      new Set(ended),
      new Set(started),
    ]);
    await callRecords(app, "checkNow", { params });
    for (let time = 0; time < 2; time++) {
      assertEquals((await callRecords(app, "stopWatching", { params })).status, 204);
    }
    assertEquals(await watches.get(101), undefined);
  }));

Deno.test("[e2e] /schedules: adds ids and files, lists what can be read again, and removes", () =>
  withApp({}, async (app) => {
    const added = await callRecords(app, "addSchedules", { body: { scheduleIds: "1-5000" } });
    assertEquals(added.answer, { added: 5000, changed: 0, known: 0, skipped: 0 });
    const rows = "scheduleId,name,watched,cron\r\n7,Sales,true,0 6 * * *\r\n8,Claims,false,\r\n";
    const file = await callRecords(app, "addSchedules", { body: rows });
    assertEquals(file.answer, { added: 0, changed: 2, known: 0, skipped: 0 });
    assertEquals((await callRecords(app, "addSchedules", { body: rows })).answer.known, 2);
    const wrong = `${rows}x,,,\r\n9,,perhaps,\r\n`;
    const refused = await callRecords(app, "addSchedules", { body: wrong });
    assertEquals([refused.status, refused.answer.errors.length], [400, 2]);
    assertEquals(refused.answer.errors[0].parameter, "line 4");
    const skipped = await callRecords(app, "addSchedules", {
      body: wrong,
      query: { skipInvalid: "true" },
    });
    assertEquals(skipped.answer.skipped, 2);
    const { answer } = await callRecords(app, "listSchedules", { query: { limit: 1, offset: 6 } });
    const { scheduleId, name, watched, cron, grace, source } = answer.items[0];
    assertEquals(
      [scheduleId, name, watched, cron, grace, source, answer.total],
      [7, "Sales", true, "0 6 * * *", "10m", "hand", 5000],
    );
    const remove = (scheduleId: number) =>
      callRecords(app, "removeSchedule", { params: { scheduleId } });
    assertEquals((await remove(7)).status, 409);
    assertEquals([(await remove(8)).status, (await remove(8)).status], [204, 204]);
    const stopped = await callRecords(app, "addSchedules", {
      body: "scheduleId,watched\r\n7,false\r\n",
    });
    assertEquals(stopped.answer.changed, 1);
    assertEquals(await app.services.records!.watches.get(7), undefined);
  }));

Deno.test("[e2e] /schedules/scans: starts, is listed with its progress, and stops", () =>
  withApp({}, async (app) => {
    const start = (body: object) => callRecords(app, "startScan", { body });
    const wrong = await start({ from: 5, to: 1, ratePerSecond: 500 });
    assertEquals(wrong.answer.errors.length, 1);
    assertEquals((await start({ from: 5, to: 1 })).answer.errors[0].pointer, "/to");
    const { answer: scan } = await start({ from: 1, to: 400, ratePerSecond: 50 });
    assertEquals([scan.state, scan.next, scan.secondsLeft], ["running", 1, 8]);
    assertEquals((await start({ from: 1, to: 9 })).status, 409);
    await callRecords(app, "stopScan");
    const { answer } = await callRecords(app, "listScans");
    assertEquals([answer.items[0].state, answer.items[0].stopped], [
      "stopped",
      "Stopped by a person",
    ]);
    assertEquals((await start({ from: 1, to: 400, ratePerSecond: 9 })).answer.ratePerSecond, 9);
    const coverage = await callRecords(app, "getCoverage");
    assertStringIncludes(coverage.answer.sentence, "ids 1 to 400");
  }));

Deno.test("[e2e] /leavers: adds a list or a file, masks addresses, and clears", () =>
  withApp({}, async (app) => {
    const people = [{ userId: 27, left: "2026-09-30" }, { emailAddress: "jo@example.com" }];
    const added = await callRecords(app, "addLeavers", { body: { people } });
    assertEquals(added.answer, { listed: 2, receiving: 0 });
    const wrong = { people: [{}, { emailAddress: "jo" }, { userId: 1, left: "soon" }] };
    const refused = await callRecords(app, "addLeavers", { body: wrong });
    assertEquals(
      refused.answer.errors.map(({ pointer }: { pointer: string }) => pointer),
      ["/people/0", "/people/1", "/people/2"],
    );
    const file = "userId,emailAddress,left\r\n28,,2026-09-30\r\n";
    await callRecords(app, "addLeavers", { body: file });
    const { answer } = await callRecords(app, "listLeavers");
    assertEquals([answer.total, JSON.stringify(answer).includes("jo@example.com")], [3, false]);
    assert(answer.items.some(({ left }: { left: string }) => left === "2026-09-30"));
    const line = await callRecords(app, "addLeavers", { body: "userId\r\nx\r\n" });
    assertEquals([line.status, line.answer.errors[0].parameter], [400, "line 2"]);
    await callRecords(app, "clearLeavers");
    assertEquals((await callRecords(app, "listLeavers")).answer.total, 0);
  }));

Deno.test("[e2e] GET /watches, /schedules: every state and headline of the sample is as described", () =>
  withApp({}, async (app) => {
    await watchSample(app.services);
    await callRecords(app, "watchSchedules", { body: { scheduleIds: "999" } });
    await pollAll(app.services);
    const { answer } = await callRecords(app, "listWatches");
    const states = new Set(answer.items.map(({ state }: { state: string }) => state));
    assert(states.has("unknown") || states.has(null), [...states].join());
    assert(states.has("down") && states.has("up"));
    assertEquals((await callRecords(app, "listSchedules")).answer.total, answer.total);
  }));
