import { assert, assertEquals, assertRejects } from "@std/assert";
import { clearImmediate, setImmediate } from "node:timers";
import { HOUR } from "../../../lib/time_units.ts";
import { feedText } from "../../../server/observer/feeds.ts";
import { ADA } from "../../actors.ts";
import { goneOverview } from "./gone_overview.ts";
import { textOf } from "./text_of.ts";
import { START, withWorld } from "./world.ts";

const ABOUT = { origin: "https://docket.example.com", now: START };

Deno.test("feedText: the calendar has every schedule with a plan, confirmed or inferred", () =>
  withWorld([1, 2], async ({ records, run, observer }) => {
    const daily = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: 0 };
    // Of 2 the plan is inferred, so this is what its verdict says; 3 was not polled.
    for (let hour = 1; hour < 9; hour++) run(2, START - hour * HOUR);
    await observer.pollDue();
    await records.watches.change(1, { plan: daily, name: "Sales" }, START);
    await records.watches.change(2, { plan: null }, START);
    await records.watches.add([3], START);
    const text = await textOf(feedText("runs.ics", { ...ABOUT, records }));
    assertEquals(text.match(/SUMMARY:.*(?=\r)/g)?.filter((line, at, all) => all[at - 1] !== line), [
      "SUMMARY:Report 1 Sales",
      "SUMMARY:Report 2 (inferred)",
    ]);
    // 14 of each day, and of each hour as many as are shown.
    assertEquals(text.match(/BEGIN:VEVENT/g)?.length, 14 + 200);
    assertEquals(text.match(/BEGIN:VCALENDAR[^]*?END:VCALENDAR/g), [text.trimEnd()]);
    assertEquals(text.match(/^(BEGIN|END):VEVENT/gm)?.length, 2 * 214);
    // By its id, a calendar knows an event again.
    assertEquals(new Set(text.match(/^UID:.*/gm)).size, 214);
    const [first] = text.match(/BEGIN:VEVENT[^]*?END:VEVENT/)!;
    assert(first.includes("URL;VALUE=URI:https://docket.example.com/schedules/1\r\n"), first);
    assert(/DTSTART:\d{8}T060000Z\r\nDTEND:\d{8}T060500Z/.test(first), first);
  }));

Deno.test("feedText: the calendar leaves out days without runs, in the zone of each plan", () =>
  withWorld([1, 2], async ({ records }) => {
    const zones = ["Asia/Tokyo", "UTC"];
    for (const [at, zone] of zones.entries()) {
      const plan = { cron: ["0 6 * * *"], zone, graceMs: 300_000, since: 0 };
      await records.watches.change(at + 1, { plan }, START);
    }
    const days = (name: string, days: string[], scheduleIds: number[] | null) =>
      records.calendars.save({ name, days, scheduleIds, changed: START, actor: ADA });
    await days("all", ["2026-03-12"], null);
    await days("some", ["2026-03-13"], [2]);
    const text = await textOf(feedText("runs.ics", { ...ABOUT, records }));
    const starts = (id: number) =>
      [...text.replaceAll("\r\n ", "").matchAll(/UID:(\d)-.*\r\n[^]*?DTSTART:(\w+)/g)]
        .filter(([, of]) => of === `${id}`).map(([, , start]) => start).slice(0, 4);
    assertEquals(
      starts(1),
      ["20260310", "20260312", "20260313", "20260314"].map((day) => `${day}T210000Z`),
    );
    assertEquals(
      starts(2),
      ["20260310", "20260311", "20260314", "20260315"].map((day) => `${day}T060000Z`),
    );
  }));

Deno.test("feedText: others are served while a long calendar is made", () =>
  withWorld([1], async ({ records }) => {
    const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: 0 };
    await records.watches.add(Array.from({ length: 300 }, (_, id) => id), START, { plan });
    let turns = 0;
    let timer = setImmediate(function turn() {
      turns++;
      timer = setImmediate(turn);
    });
    await textOf(feedText("runs.ics", { ...ABOUT, records }));
    clearImmediate(timer);
    assert(turns > 10, `${turns} turns`);
  }));

Deno.test("feedText: with many schedules, the calendar has fewer days, and says so", () =>
  withWorld([1], async ({ records }) => {
    const plan = { cron: ["0 * * * *"], zone: "UTC", graceMs: 300_000, since: 0 };
    const description = async () => {
      const text = (await textOf(feedText("runs.ics", { ...ABOUT, records })))
        .replaceAll("\r\n ", "");
      return [/^X-WR-CALDESC:(.*)\r/m.exec(text)?.[1], text.match(/BEGIN:VEVENT/g)?.length];
    };
    assertEquals(await description(), [
      "Expected runs of the next 14 days. At most 200 runs of each schedule are shown.",
      200,
    ]);
    await records.watches.add(Array.from({ length: 499 }, (_, id) => id + 2), START, { plan });
    const [words, events] = await description();
    // 40 hours of 500 schedules are as many as there may be.
    assertEquals(events, 20_000);
    const end = new Date(START + 40 * HOUR).toISOString().slice(0, 16);
    assertEquals(
      words,
      `Expected runs until ${end}Z: later ones are left out, because there are too many. ` +
        "At most 200 runs of each schedule are shown.",
    );
  }));

Deno.test("feedText: without a plan the calendar is empty, and without incidents the feed", () =>
  withWorld([], async ({ records }) => {
    const calendar = await textOf(feedText("runs.ics", { ...ABOUT, records }));
    assertEquals(calendar.match(/^BEGIN:.*(?=\r)/gm), ["BEGIN:VCALENDAR"]);
    assert(calendar.endsWith("END:VCALENDAR\r\n") || calendar.endsWith("END:VCALENDAR"));
    assert(!(await textOf(feedText("incidents.atom", { ...ABOUT, records }))).includes("<entry>"));
  }));

Deno.test("feedText: an error of the database comes before the calendar's first piece", () =>
  withWorld([1], async ({ records }) => {
    const about = { ...ABOUT, records: { ...records, overview: goneOverview() } };
    const pieces = feedText("runs.ics", about).pieces[Symbol.asyncIterator]();
    await assertRejects(() => pieces.next(), Error, "The database is gone");
  }));
