/** The API of records: what each operation does and answers, and every fault at once. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLog } from "../../server/log/log.ts";
import { type App, ORIGIN, withApp } from "../app.ts";
import { INCIDENT_ID, INCIDENT_PATH, OPENED, plantIncident } from "../planted_incident.ts";
import { callRecords, type RecordCall } from "./record_calls.ts";

/** Runs a test with the app and its API; `faults` are the places that a refusal names. */
function withRecords(
  test: (
    api: {
      readonly app: App;
      call(id: string, call?: RecordCall): ReturnType<typeof callRecords>;
      faults(id: string, call: RecordCall): Promise<readonly string[]>;
    },
  ) => Promise<void>,
  standIns: Parameters<typeof withApp>[2] = {},
): Promise<void> {
  return withApp({}, async (app) => {
    const call = (id: string, call?: RecordCall) => callRecords(app, id, call);
    await test({
      app,
      call,
      async faults(id, wrong) {
        const { status, answer } = await call(id, wrong);
        assertEquals(status, 400, id);
        type Fault = { readonly pointer?: string; readonly parameter?: string };
        return answer.errors.map(({ pointer, parameter }: Fault) => pointer ?? parameter);
      },
    });
  }, standIns);
}

Deno.test("[e2e] POST /watches: watches 300 schedules at once, and adding them again is no error", () =>
  withRecords(async ({ app, call, faults }) => {
    const { watches, events } = app.services.records!;
    const plan = {
      cron: "0 6 * * *; 0 12 * * *",
      zone: "Europe/Berlin",
      graceMinutes: 20,
      ...{ weeks: 2, weeksFrom: "2026-06-03" },
    };
    const watch = async (body: object) => (await call("watchSchedules", { body })).answer;
    const body = { scheduleIds: "1001-1300", owner: "Finance", ...plan };
    assertEquals(await watch(body), { added: 300, changed: 0, known: 0, notWatched: null });
    assertEquals((await watch(body)).known, 300);
    const more = await watch({ scheduleIds: [1300, 1301], owner: "Sales" });
    assertEquals(more, { added: 1, changed: 1, known: 0, notWatched: null });
    const { answer } = await call("listWatches", { query: { limit: 2, offset: 299 } });
    assertEquals([answer.total, answer.items.length], [301, 2]);
    const [{ owner, plan: shown }] = answer.items;
    assertEquals([owner, shown], ["Sales", { ...plan, source: "confirmed" }]);
    const done = (await events.latest(1299, 9)).map(({ kind, actor }) => `${kind} ${actor.known}`);
    assertEquals(done, ["plan confirmed token", "watched token"]);
    const wrong = { scheduleIds: "101, x", cron: "0 6 * *", zone: "Berln", graceMinutes: 0 };
    assertEquals(await faults("watchSchedules", { body: wrong }), [
      ...["/scheduleIds", "/cron", "/zone", "/graceMinutes"],
    ]);
    assertEquals((await watches.list()).length, 301);
  }));

Deno.test("[e2e] /watches/ID: is muted, planned, checked and no longer watched", () =>
  withRecords(async ({ app, call, faults }) => {
    const { watches, events } = app.services.records!;
    const params = { scheduleId: 101 };
    const change = (body: object) => call("changeWatch", { params, body });
    for (const id of ["changeWatch", "checkNow"]) {
      assertEquals((await call(id, { params, body: {} })).status, 404);
    }
    await call("watchSchedules", { body: { scheduleIds: [101] } });
    await change({ mutedUntil: "2999-01-01T00:00:00Z", name: "Revenue", cron: "0 6 * * *" });
    const muted = (await watches.get(101))!;
    assertEquals([muted.mutedUntil, muted.name], [Date.UTC(2999, 0), "Revenue"]);
    const past = { params, body: { mutedUntil: "1999-01-01T00:00:00Z" } };
    assertEquals(await faults("changeWatch", past), ["/mutedUntil"]);
    await change({ mutedUntil: null, cron: null });
    const { mutedUntil, plans } = (await watches.get(101))!;
    assertEquals([mutedUntil, plans], [null, []]);
    assertEquals((await events.latest(101, 9)).length, 6);
    await call("checkNow", { params });
    for (let time = 0; time < 2; time++) await call("stopWatching", { params });
    assertEquals(await watches.get(101), undefined);
  }));

Deno.test("[e2e] /schedules: adds ids and files, lists, scans and removes", () =>
  withRecords(async ({ app, call, faults }) => {
    const add = async (body: unknown) => (await call("addSchedules", { body })).answer;
    const none = { added: 0, changed: 0, known: 0 };
    assertEquals(await add({ scheduleIds: "1-5000" }), { ...none, added: 5000 });
    const rows = "scheduleId,name,watched,cron\r\n7,Sales,true,0 6 * * *\r\n8,Claims,false,\r\n";
    assertEquals(await add(rows), { ...none, changed: 2 });
    const wrong = `${rows}x,,,\r\n9,,perhaps,\r\n`;
    assertEquals(await faults("addSchedules", { body: wrong }), ["line 4", "line 5"]);
    assertEquals(await add(rows), { ...none, known: 2 });
    const { answer } = await call("listSchedules", { query: { limit: 1, offset: 6 } });
    const { name, watched, cron, grace, source } = answer.items[0];
    assertEquals([name, watched, cron, grace, source], ["Sales", true, "0 6 * * *", "10m", "hand"]);
    for (const [scheduleId, status] of [[7, 409], [8, 204], [8, 204]]) {
      assertEquals((await call("removeSchedule", { params: { scheduleId } })).status, status);
    }
    const range = { from: 1, to: 400, ratePerSecond: 50 };
    const { status, answer: scan } = await call("startScan", { body: range });
    assertEquals([status, scan.state, scan.secondsLeft], [202, "running", 8]);
    await call("stopScan");
    assertEquals((await call("listScans")).answer.items[0].state, "stopped");
    assertEquals((await add("scheduleId,watched\r\n7,false\r\n")).changed, 1);
    assertEquals(await app.services.records!.watches.get(7), undefined);
  }));

Deno.test("[e2e] /leavers: adds a list or a file, masks addresses, and clears", () =>
  withRecords(async ({ call, faults }) => {
    // Whoever stopped after leaving receives nothing.
    const [{ userId }] = (await call("listPeople", { query: { segment: "stopped" } })).answer.items;
    const people = [{ userId, left: "2020-01-01" }, { emailAddress: "jo@example.com" }];
    const added = await call("addLeavers", { body: { people } });
    assertEquals(added.answer, { listed: 2, receiving: 0 });
    assertEquals((await call("listPeople", { query: { segment: "left" } })).answer.total, 1);
    const wrong = { people: [{}, { emailAddress: "jo" }, { userId: 1, left: "soon" }] };
    assertEquals(await faults("addLeavers", { body: wrong }), [
      ...["/people/0", "/people/1", "/people/2"],
    ]);
    assertEquals(await faults("addLeavers", { body: "userId\r\nx\r\n" }), ["line 2"]);
    await call("addLeavers", { body: "userId,emailAddress,left\r\n28,,2026-09-30\r\n" });
    const { answer } = await call("listLeavers");
    assertEquals([answer.total, JSON.stringify(answer).includes("jo@example.com")], [3, false]);
    await call("clearLeavers");
    assertEquals((await call("listLeavers")).answer.total, 0);
  }));

const params = { incidentId: INCIDENT_ID };

Deno.test("[e2e] incidents: each action is an event with its actor, and can't be done twice", () =>
  withRecords(async ({ app, call, faults }) => {
    await plantIncident(app, { name: "Sales", since: OPENED - 1 });
    const { answer: { items: [{ sentence, url, state, since }], ...page } } = await call(
      "listIncidents",
    );
    assertEquals(page, { total: 1, limit: 100, offset: 0 });
    assertMatch(sentence, /^Schedule 101 \(Sales\): 2 runs due since /);
    assertEquals([url, state], [ORIGIN + INCIDENT_PATH, "open"]);
    assertEquals(Date.parse(since), OPENED);
    assertEquals((await call("getIncident", { params: { incidentId: "none" } })).status, 404);
    const token = (await app.services.tokens!.add("Ada", "operator", new Date()))!;
    const act = (body: object) => call("addIncidentEvent", { params, body, token });
    const until = "2100-01-31T06:00:00+01:00";
    const actions = [
      [{ kind: "acknowledged", note: "Looking" }, "acknowledged"],
      [{ kind: "muted", until }, "muted"],
      [{ kind: "unmuted" }, "acknowledged"],
      [{ kind: "unacknowledged" }, "open"],
      [{ kind: "noted", note: "Disk is full" }, "open"],
      [{ kind: "resolved" }, "resolved"],
    ] as const;
    for (const [body, state] of actions) {
      const { answer } = await act(body);
      const { kind, by } = answer.events.at(-1);
      assertEquals([answer.state, kind, by], [state, body.kind, "Ada"]);
    }
    assertEquals((await act({ kind: "resolved" })).status, 409);
    assertEquals((await call("listIncidents")).answer.total, 0);
    const all = (await call("listIncidents", { query: { state: "all", limit: 1 } })).answer;
    assertEquals([all.total, all.items[0].state], [1, "resolved"]);
    assertEquals((await act({ kind: "reopened" })).answer.state, "open");
    const wrong = { kind: "deleted", note: "x".repeat(1001), until: "tomorrow", why: 1 };
    assertEquals(await faults("addIncidentEvent", { params, body: wrong }), [
      ...["/why", "/kind", "/note", "/until"],
    ]);
    const query = { state: "shut", limit: 0, offset: -1 };
    assertEquals((await faults("listIncidents", { query })).length, 3);
  }));

Deno.test("[e2e] owners: adds one, changes what is named alone, renames and removes it", () =>
  withRecords(async ({ app, call, faults }) => {
    await plantIncident(app, { name: "Sales" });
    const params = { owner: "Finance & Co" };
    const put = (body: unknown) => call("putOwner", { params, body });
    const quiet = { from: "20:00", to: "07:00", zone: "Europe/Berlin" };
    const slack = "https://hooks.slack.com/services/T0/B0/planted";
    await put({ slack, quiet, scheduleIds: "101" });
    await put({ scheduleIds: [] });
    const { answer } = await call("listOwners");
    assertEquals(answer.items, [{
      name: "Finance & Co",
      channels: [{ kind: "slack", hint: "hooks.slack.com" }],
      quiet: { ...quiet, holdsCritical: false },
      schedules: 1,
      openIncidents: 1,
    }]);
    const wrong = { slack: "https://evil.example/planted", quiet: { from: "7" }, name: " " };
    assertEquals(await faults("putOwner", { params, body: wrong }), ["/quiet/to", "/quiet/zone"]);
    await call("putOwner", { params: { owner: "Sales" }, body: {} });
    await put({ name: "Money", slack: null, quiet: null });
    const [owner] = (await call("listOwners")).answer.items;
    assertEquals([owner.name, owner.channels, owner.quiet], ["Money", [], null]);
    const money = { params: { owner: "Money" } };
    assertEquals((await call("testOwner", money)).answer, { results: [] });
    assertEquals((await call("testOwner", { params })).status, 404);
    for (let time = 0; time < 2; time++) await call("deleteOwner", money);
    assertEquals((await call("listOwners")).answer.total, 1);
  }));

Deno.test("[e2e] calendars: saves days and iCalendar, names what is wrong, and removes one", () =>
  withRecords(async ({ app, call, faults }) => {
    await app.services.records!.watches.add([101, 105], 0);
    const params = { calendar: "de-holidays" };
    const put = async (calendar: string, body: unknown) =>
      (await call("putCalendar", { params: { calendar }, body })).answer;
    const days = ["2026-12-24", "2026-12-25"];
    const typed = { days: "2026-12-25, 2026-12-24", scheduleIds: "105, 101" };
    assertEquals(await put("de-holidays", typed), { days, skipped: 0 });
    const file = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261231\nEND:VEVENT\nEND:VCALENDAR";
    assertEquals((await put("a file", { days: file })).days, ["2026-12-31"]);
    const { answer } = await call("listCalendars", { query: { limit: 1, offset: 1 } });
    assertEquals(answer.items, [{ name: "de-holidays", days, scheduleIds: [101, 105] }]);
    assertEquals(answer.total, 2);
    const wrong = { params: { calendar: " " }, body: { days: "2026-02-30", scheduleIds: "x" } };
    assertEquals(await faults("putCalendar", wrong), ["/name", "/scheduleIds", "/days"]);
    const unknown = { params, body: { days: "2026-02-20", scheduleIds: "101, 9" } };
    assertEquals(await faults("putCalendar", unknown), ["/scheduleIds"]);
    await call("deleteCalendar", { params });
    assertEquals((await call("listCalendars")).answer.total, 1);
  }));

Deno.test("[e2e] lists: are as described; addresses are masked unless an operator asks", () =>
  withRecords(async ({ app, call }) => {
    const watched = (await call("listWatches")).answer;
    const states = new Set(watched.items.map(({ state }: { state: string }) => state));
    assert(states.has("down") && states.has("up"), [...states].join());
    assertEquals((await call("listSchedules")).answer.total, watched.total);
    const { answer } = await call("listPeople", { query: { limit: 3 } });
    for (const { emailAddress } of answer.items) assertMatch(emailAddress, /…|\*|•/);
    const full = { query: { addresses: "full", limit: 3 } };
    for (const { emailAddress } of (await call("listPeople", full)).answer.items) {
      assertMatch(emailAddress, /^[\w.]+@[\w.-]+$/);
    }
    const token = (await app.services.tokens!.add("Ada", "reader", new Date()))!;
    assertEquals((await call("listPeople", { ...full, token })).status, 403);
    const outside = await call("listPeople", { query: { segment: "outside" } });
    assert(outside.answer.total < answer.total);
    assertEquals((await call("getPerson", { params: { personId: 999_999 } })).status, 404);
  }, { isWatched: true }));

Deno.test("[e2e] POST /people/forgotten: erases one person, and nobody else", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "json", write: (line) => lines.push(line) });
  return withRecords(async ({ call, faults }) => {
    const full = { query: { addresses: "full" } };
    const before = (await call("listPeople", full)).answer;
    const [{ emailAddress: person }] = before.items;
    const forget = async (person: unknown) =>
      (await call("forgetPerson", { body: { person } })).answer;
    const { runs, ...others } = await forget(person);
    assert(runs > 0 && others.tables >= 0);
    assertEquals([others.isShared, others.channels], [false, []]);
    const after = (await call("listPeople", full)).answer;
    const known = after.items.filter(({ emailAddress }: { emailAddress: string }) => emailAddress);
    assertEquals(known, before.items.slice(1));
    assertEquals((await forget(person)).runs, 0);
    assertEquals(await faults("forgetPerson", { body: { person: "Ada" } }), ["/person"]);
    assertEquals((await call("forgetPerson", { body: { person: -1 } })).status, 409);
    // Nobody was erased in the last two.
    assertEquals(lines.filter((line) => line.includes("person was erased")).length, 2);
  }, { log });
});

Deno.test("[e2e] people: decides about a schedule and all, names faults at once, and withdraws", () =>
  withRecords(async ({ call, faults }) => {
    const [listed] = (await call("listPeople", { query: { limit: 1 } })).answer.items;
    const params = { personId: listed.id };
    const { receipts, decisions: _, ...person } = (await call("getPerson", { params })).answer;
    assertEquals(person, listed);
    const [{ scheduleId }] = receipts;
    const decide = (body: unknown) => call("decideRecipient", { params, body });
    const one = await decide({ expected: true, on: scheduleId, note: "Joined" });
    const [{ by, expected, on, note }] = one.answer.decisions;
    assertEquals([expected, on, note, by], [true, scheduleId, "Joined", "a developer token"]);
    const { answer } = await decide({ expected: false, on: "all", until: "2100-01-01T00:00:00Z" });
    const wrong = { params, body: { on: "none", note: 1 } };
    assertEquals(await faults("decideRecipient", wrong), ["/expected", "/on", "/note"]);
    const decisionId = answer.decisions[0].id;
    const withdraw = () => call("withdrawDecision", { params: { ...params, decisionId } });
    assertEquals([(await withdraw()).status, (await withdraw()).status], [204, 404]);
    const after = (await call("getPerson", { params })).answer.decisions;
    assertEquals(after.length, answer.decisions.length - 1);
  }));
