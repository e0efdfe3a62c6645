/** Owners and calendars by the API of records. */
import { assertEquals } from "@std/assert";
import { type App, withApp } from "../app.ts";
import { plantIncident } from "../planted_incident.ts";
import { callRecords } from "./record_calls.ts";

const SLACK = "https://hooks.slack.com/services/T0/B0/planted";
const params = { owner: "Finance & Co" };

function withSchedule(test: (app: App) => Promise<void>): Promise<void> {
  return withApp({}, async (app) => {
    await plantIncident(app, { name: "Sales" });
    await test(app);
  });
}

Deno.test("[e2e] owners: adds one, changes what is named alone, renames and removes it", () =>
  withSchedule(async (app) => {
    const quiet = { from: "20:00", to: "07:00", zone: "Europe/Berlin" };
    const put = (body: unknown) => callRecords(app, "putOwner", { params, body });
    assertEquals((await put({ slack: SLACK, quiet, scheduleIds: "101" })).status, 204);
    await put({ scheduleIds: [] });
    const { answer } = await callRecords(app, "listOwners");
    assertEquals(answer.items, [{
      name: "Finance & Co",
      channels: [{ kind: "slack", hint: "hooks.slack.com" }],
      quiet: { ...quiet, holdsCritical: false },
      schedules: 1,
      openIncidents: 1,
    }]);
    assertEquals(JSON.stringify(answer).includes("planted"), false);
    await put({ name: "Money", slack: null, quiet: null });
    const [owner] = (await callRecords(app, "listOwners")).answer.items;
    assertEquals([owner.name, owner.channels, owner.quiet], ["Money", [], null]);
    const money = { params: { owner: "Money" } };
    assertEquals((await callRecords(app, "testOwner", money)).answer, { results: [] });
    assertEquals((await callRecords(app, "testOwner", { params })).status, 404);
    await callRecords(app, "deleteOwner", money);
    await callRecords(app, "deleteOwner", money);
    assertEquals((await callRecords(app, "listOwners")).answer.total, 0);
  }));

Deno.test("[e2e] owners: every fault is named at once, without a secret, and nothing is saved", () =>
  withSchedule(async (app) => {
    const body = {
      slack: "https://evil.example/planted",
      mail: "fin@example.com",
      quiet: { from: "7", to: "7", zone: "UTC" },
      scheduleIds: "1-3",
      name: " ",
    };
    const { status, answer } = await callRecords(app, "putOwner", { params, body });
    const pointers = answer.errors.map(({ pointer }: { pointer: string }) => pointer);
    assertEquals([status, pointers], [
      400,
      ["/name", "/scheduleIds", "/quiet", "/mail", "/slack"],
    ]);
    assertEquals(JSON.stringify(answer).includes("planted"), false);
    assertEquals((await callRecords(app, "listOwners")).answer.total, 0);
  }));

Deno.test("[e2e] calendars: saves days and iCalendar, names what is wrong, and removes one", () =>
  withSchedule(async (app) => {
    const holidays = { calendar: "de-holidays" };
    const put = (body: unknown, params = holidays) =>
      callRecords(app, "putCalendar", { params, body });
    const saved = await put({ days: "2026-12-25, 2026-12-24", scheduleIds: "105, 101" });
    assertEquals(saved.answer, { days: ["2026-12-24", "2026-12-25"], skipped: 0 });
    const file = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261231\nEND:VEVENT\nEND:VCALENDAR";
    assertEquals((await put({ days: file }, { calendar: "a file" })).answer.days, ["2026-12-31"]);
    const { answer } = await callRecords(app, "listCalendars", { query: { limit: 1, offset: 1 } });
    const days = ["2026-12-24", "2026-12-25"];
    assertEquals(answer.items, [{ name: "de-holidays", days, scheduleIds: [101, 105] }]);
    assertEquals(answer.total, 2);
    const wrong = await put({ days: "2026-02-30", scheduleIds: "x" }, { calendar: " " });
    assertEquals(wrong.answer.errors.map(({ pointer }: { pointer: string }) => pointer), [
      ...["/name", "/scheduleIds", "/days"],
    ]);
    await callRecords(app, "deleteCalendar", { params: holidays });
    assertEquals((await callRecords(app, "listCalendars")).answer.total, 1);
  }));
