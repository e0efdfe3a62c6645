import { assertEquals, assertObjectMatch, assertStringIncludes } from "@std/assert";
import {
  type PlanFields,
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
  ["2026-04-02T22:00:00Z", "2026-04-06T22:00:00Z"],
  ["2026-04-30T22:00:00Z", "2026-05-01T22:00:00Z"],
  ["2026-02-01T06:00:12.345Z", "2026-02-02T07:00:00Z"],
  ["2026-06-01T06:00:00Z", null],
].map(([from, to]) => ({ from: Date.parse(from!), to: to && Date.parse(to) || null }));
const FIELDS = toPlanFields(PLAN, PAUSES, "UTC");

const read = (changes: Partial<PlanFields>) => readPlanFields({ ...FIELDS, ...changes }, NOW, PLAN);

Deno.test("toPlanFields: a plan and its pauses come back from their fields", () => {
  assertEquals(FIELDS.pauses.split("\n"), [
    "2026-04-03 to 2026-04-06",
    "2026-05-01",
    "2026-02-01T06:00:12.345Z to 2026-02-02T07:00:00Z",
    "2026-06-01T06:00:00Z to",
  ]);
  const sent = new URLSearchParams({ ...FIELDS, cron: FIELDS.cron.replaceAll("\n", "\r\n") });
  const back = { plan: PLAN, pauses: PAUSES, issues: null };
  assertEquals(read(planFieldsIn(sent)), back);
  const empty = Object.values(toPlanFields(null, [], "Pacific/Auckland"));
  assertEquals(empty, ["", "Pacific/Auckland", "10", "1", "", ""]);
});

Deno.test("readPlanFields: other times hold from now, and the same ones as long as before", () => {
  const changes = [{ grace: "45" }, { cron: "0 3 * * *" }, { zone: "UTC" }, { weeks: "3" }];
  for (const [at, change] of changes.entries()) {
    assertObjectMatch(read(change), { plan: { since: at === 0 ? PLAN.since : NOW } });
  }
});

Deno.test("readPlanFields: says of each field what is wrong", () => {
  const cases: [keyof PlanFields, text: string, words: string][] = [
    ["cron", " ", "must have at least one line"],
    ["cron", "0 0 6 * * *", "must have five fields"],
    ["cron", "0 6 * * MOX", "the day of the week is 0 to 7"],
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
  ];
  for (const [name, text, words] of cases) {
    const issues: Partial<PlanFields> = read({ [name]: text }).issues ?? {};
    assertEquals(Object.keys(issues), [name], text);
    assertStringIncludes(issues[name]!, words);
  }
  // A day that comes once in some years is a plan.
  assertEquals(read({ cron: "0 6 29 2 *", weeks: "1" }).issues, null);
});
