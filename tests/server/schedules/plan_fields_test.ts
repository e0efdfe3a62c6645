import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  planFieldsIn,
  readPlanFields,
  toPlanFields,
} from "../../../server/schedules/plan_fields.ts";

const NOW = Date.parse("2026-03-10T15:00:00Z");
const PLAN = {
  cron: ["0 6 * * 1-5", "0 9 1 * *"],
  zone: "Europe/Berlin",
  everyWeeks: { n: 2, from: "2026-01-05" },
  graceMs: 20 * 60_000,
  since: Date.parse("2026-01-04T23:00:00Z"),
};
const PAUSES = [
  { from: Date.parse("2026-04-02T22:00:00Z"), to: Date.parse("2026-04-06T22:00:00Z") },
  { from: Date.parse("2026-04-30T22:00:00Z"), to: Date.parse("2026-05-01T22:00:00Z") },
  { from: Date.parse("2026-02-01T06:00:12.345Z"), to: Date.parse("2026-02-02T07:00:00Z") },
  { from: Date.parse("2026-06-01T06:00:00Z"), to: null },
];
const FIELDS = toPlanFields(PLAN, PAUSES, "UTC");

Deno.test("toPlanFields: a plan and its pauses come back from their fields", () => {
  assertEquals(FIELDS.pauses.split("\n"), [
    "2026-04-03 to 2026-04-06",
    "2026-05-01",
    "2026-02-01T06:00:12.345Z to 2026-02-02T07:00:00Z",
    "2026-06-01T06:00:00Z to",
  ]);
  const sent = new URLSearchParams({ ...FIELDS, cron: FIELDS.cron.replaceAll("\n", "\r\n") });
  const read = readPlanFields(planFieldsIn(sent), NOW, PLAN);
  assertEquals(read, { plan: PLAN, pauses: PAUSES, issues: null });
  // Without a plan, a form begins with these.
  const first = Object.values(toPlanFields(null, [], "Pacific/Auckland"));
  assertEquals(first, ["", "Pacific/Auckland", "10", "1", "", ""]);
});

Deno.test("readPlanFields: other times hold from now, and the same ones as long as before", () => {
  const rows = [
    [{ grace: "45" }, PLAN.since],
    [{ cron: "0 3 * * *" }, NOW],
    // A day that comes once in some years.
    [{ cron: "0 6 29 2 *", weeks: "1" }, NOW],
    [{ zone: "UTC" }, NOW],
    [{ weeks: "3" }, NOW],
  ] as const;
  for (const [changes, since] of rows) {
    const read = readPlanFields({ ...FIELDS, ...changes }, NOW, PLAN);
    assertEquals(read.issues === null ? read.plan.since : read.issues, since);
  }
});

Deno.test("readPlanFields: says of each field what is wrong", () => {
  for (
    const [name, text, words] of [
      ["cron", " ", "must have at least one line"],
      ["cron", "0 6 * *", "must have five fields"],
      ["cron", "0 6 30 2 *", "is never due"],
      ["cron", "0 6 * * *\n".repeat(21), "at most 20 lines"],
      ["cron", `${"0,".repeat(99)}0 6 * * *`, "must have at most 200 characters"],
      ["cron", "* * * * *\n".repeat(20), "not 28,800: remove lines"],
      ["zone", "Mars/Olympus", "must be the name of a time zone"],
      ["zone", "+01:00", "must be the name of a time zone"],
      ["grace", "0", "minutes from 1 to 44640"],
      ["grace", "1.5", "whole number of minutes"],
      ["weeks", "53", "whole number from 1 to 52"],
      ["weeksFrom", "2026-02-30", "must be a day"],
      ["pauses", "Christmas", "must be a day such as 2026-12-24"],
      ["pauses", "2026-12-24 to 9999-12-31", "must be a day such as 2026-12-24"],
      ["pauses", "2026-12-24 to 2026-12-23", "ends before it begins"],
    ] as const
  ) {
    const { issues } = readPlanFields({ ...FIELDS, [name]: text }, NOW);
    assertEquals(Object.keys(issues!), [name], text);
    assertStringIncludes(issues![name]!, words);
  }
});
