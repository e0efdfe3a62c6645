/** A plan as the fields of a form, and compared with runs. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { DAY } from "../../../lib/time_units.ts";
import {
  planFieldsIn,
  readPlanFields,
  toPlanFields,
} from "../../../server/schedules/plan_fields.ts";
import { comparePlan } from "../../../server/schedules/plan_fit.ts";
import { momentsFrom, runsAt } from "../../lib/judgement/runs_at.ts";

const NOW = Date.parse("2026-03-10T15:00:00Z");
const PLAN = {
  cron: ["0 6 * * 1-5", "0 9 1 * *"],
  zone: "Europe/Berlin",
  everyWeeks: { n: 2, from: "2026-01-05" },
  graceMs: 20 * 60_000,
  since: Date.parse("2026-01-04T23:00:00Z"),
};
const PAUSES = [
  ["2026-04-02T22:00:00Z", "2026-04-06T22:00:00Z", "2026-04-03 to 2026-04-06"],
  ["2026-04-30T22:00:00Z", "2026-05-01T22:00:00Z", "2026-05-01"],
  [
    ...["2026-02-01T06:00:12.345Z", "2026-02-02T07:00:00Z"],
    "2026-02-01T06:00:12.345Z to 2026-02-02T07:00:00Z",
  ],
  ["2026-06-01T06:00:00Z", null, "2026-06-01T06:00:00Z to"],
].map(([from, to, text]) => ({ from: Date.parse(from!), to: to ? Date.parse(to) : null, text }));
const FIELDS = toPlanFields(PLAN, PAUSES, "UTC");

Deno.test("toPlanFields: a plan and its pauses come back from their fields", () => {
  assertEquals(FIELDS.pauses.split("\n"), PAUSES.map(({ text }) => text!));
  const sent = new URLSearchParams({ ...FIELDS, cron: FIELDS.cron.replaceAll("\n", "\r\n") });
  const pauses = PAUSES.map(({ from, to }) => ({ from, to }));
  assertEquals(readPlanFields(planFieldsIn(sent), NOW, PLAN), { plan: PLAN, pauses, issues: null });
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
  const rows = [
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
  ] as const;
  for (const [name, text, words] of rows) {
    const { issues } = readPlanFields({ ...FIELDS, [name]: text }, NOW);
    assertEquals(Object.keys(issues!), [name], text);
    assertStringIncludes(issues![name]!, words);
  }
});

Deno.test("comparePlan: how many of the newest 50 runs started as planned, and what comes", () => {
  const newest = Date.parse("2026-03-01T06:00:00Z");
  /** Compares a plan of this cron line with `count` runs at 06:00, one every `days` days. */
  const compare = (days: number, count: number, cron: string, more: object = {}) =>
    comparePlan({
      plan: { cron: [cron], zone: "UTC", graceMs: 600_000, since: newest, ...more },
      pauses: [{ from: newest, to: newest + 3 * DAY }],
      runs: runsAt(momentsFrom(newest, count, -days * DAY)),
      ...{ now: newest, zone: "UTC", statuses: defaultStatusDictionary() },
    });
  const { fit, misfit, coming, cutMs } = compare(1, 60, "0 6 * * *");
  assertEquals([fit, misfit, cutMs], [{ fitting: 50, runs: 50 }, null, null]);
  assertEquals([coming.length, coming[0]], [8, newest + 3 * DAY]);
  const daily = (few: string) =>
    `Does the plan fit? ${few} started as planned; the runs look like daily at 06:00`;
  assertEquals(compare(1, 5, "0 7 * * *").misfit, daily("None of the newest 5 runs"));
  assertEquals(compare(1, 5, "0 6 * * 0").misfit, daily("Of the newest 5 runs, only 1"));
  const weeks = { everyWeeks: { n: 2, from: "2026-03-08" } };
  assertMatch(compare(14, 12, "0 6 * * 0", weeks).misfit!, /Sundays at 06:00, but in other weeks/);
  assertEquals([compare(1, 4, "0 6 * * *").fit, compare(0.5, 6, "0 6 * * *").misfit], [null, null]);
  // More slots than a plan gives at once, if all the runs were compared.
  assertEquals(compare(30, 50, "* * * * *").fit, { fitting: 13, runs: 13 });
});
