import { assertEquals, assertMatch } from "@std/assert";
import { ScheduleHeader, type ShownSchedule } from "../../../components/runs/schedule_header.tsx";
import { htmlOf, textsOf } from "../rendered.ts";

const SHOWN: ShownSchedule = {
  scheduleId: 101,
  name: "Open claims",
  reportTitle: "",
  headline: "failing",
  plan: { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: 0 },
  planSource: "inferred",
  nextDue: Date.parse("2026-03-11T06:00:00Z"),
  settings: { name: "", title: "Claims 7", note: "" },
  now: Date.parse("2026-03-10T12:00:00Z"),
};

function header(shown: Partial<ShownSchedule> | null, isWatched: boolean | null = null): string {
  return htmlOf(
    <ScheduleHeader
      current="plan"
      data={{
        shown: shown && { ...SHOWN, ...shown },
        error: shown ? null : { title: "Not found", detail: "No.", issues: [] },
      }}
      params={{ scheduleId: "101" }}
      state={{ isWatched }}
    />,
    "Europe/Istanbul",
  );
}

Deno.test("ScheduleHeader: one line of plan in the reader's zone, title and owner; tabs", () => {
  assertEquals(textsOf(header({}), "p"), [
    "Daily at 09:00 · plan inferred Confirm · next tomorrow 09:00 · schedule 101",
  ]);
  const settings = { ...SHOWN.settings, note: "Claims" };
  assertEquals(
    textsOf(header({ plan: null, nextDue: null, reportTitle: "Claims 7", settings }), "p"),
    ["no plan · schedule 101 · report “Claims 7” · owned by Claims"],
  );
  assertEquals(textsOf(header({}), "nav")[1], "Overview | Recipients | Plan");
  assertEquals(header({}).match(/aria-current="page">\w+/g), ['aria-current="page">Plan']);
});

Deno.test("ScheduleHeader: watches, unwatches and names a schedule, also one that can't be shown", () => {
  assertEquals(textsOf(header({}, false), "button"), ["Watch"]);
  assertEquals(textsOf(header({}, true), "button"), ["Save", "Unwatch"]);
  assertMatch(header({}, true), /name="remove" value="101"/);
  // Without a place to store it, nothing can be watched.
  assertEquals(textsOf(header({}), "button"), []);
  assertEquals(textsOf(header(null, true), "button"), ["Unwatch"]);
  assertMatch(header(null, true), /name="next" value="\/schedules"/);
  assertEquals(textsOf(header(null, false), "button"), []);
});
