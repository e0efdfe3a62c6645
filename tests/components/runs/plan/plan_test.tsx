import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { DueLine } from "../../../../components/runs/run_facts.tsx";
import { DAY } from "../../../../lib/time_units.ts";
import type { ReplayedIncident } from "../../../../lib/judgement/replay.ts";
import { PlanBacktest } from "../../../../components/runs/plan/plan_backtest.tsx";
import { PlanForm } from "../../../../components/runs/plan/plan_form.tsx";
import { plannedDays } from "../../../../lib/judgement/planned_days.ts";
import { PlanMonth, PlanSlots, PlanWords } from "../../../../components/runs/plan/plan_preview.tsx";
import type { JudgedSlot, SlotOutcome } from "../../../../lib/judgement/slots.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";
import { sampleReason } from "../../../sample_reasons.ts";

/** A planned run, and run 5 that started so much later. */
function slotAt(due: string, outcome: SlotOutcome, lateMs?: number): JudgedSlot<ReportRun> {
  const at = Date.parse(due);
  return {
    at,
    outcome,
    runs: lateMs === undefined
      ? []
      : [{ run: { id: 5 }, time: at + lateMs, ms: 0, meaning: "good" }],
  };
}

const PLAN = { cron: ["0 6 * * 1-5"], zone: "Europe/Berlin", graceMs: 1_200_000, since: 0 };

const PREVIEW = { plan: PLAN, isPreview: true, confirmed: null, runs: 1, cutMs: null };

Deno.test("PlanWords: says if the next planned run shortens the grace", () => {
  const words = (cutMs: number | null) =>
    textsOf(htmlOf(<PlanWords {...PREVIEW} cutMs={cutMs} />), "dd").at(
      -1,
    )!;
  assertMatch(words(82_080_000), /more than 22 h 48 min late counts as the next planned run/);
  const html = htmlOf(<PlanWords {...PREVIEW} />);
  assertEquals(textsOf(html, "dl"), [
    "Cron | 0 6 * * 1-5 | Time zone | Europe/Berlin | Grace | 20 min",
  ]);
  assertNotMatch(words(null), /late/);
});

Deno.test("PlanWords: says whether the plan is inferred or confirmed", () => {
  const saved = { ...PREVIEW, isPreview: false };
  const confirmed = Date.parse("2026-03-10T15:00:00Z");
  for (
    const [plan, words] of [
      [{ ...saved, confirmed }, "Confirmed on 2026-03-10 15:00 UTC"],
      [saved, "Inferred from 1 run, not confirmed"],
      [PREVIEW, "Not saved yet. Check the planned runs below, then confirm."],
    ] as const
  ) {
    const html = htmlOf(<PlanWords {...plan} />);
    assertEquals(textsOf(html, "p"), ["Due weekdays at 06:00, Europe/Berlin", words]);
    assertEquals(textsOf(html, "h2"), [plan.isPreview ? "Preview" : "Plan"]);
  }
});

Deno.test("DueLine: says when a run was due, how late it started, and whether by hand", () => {
  const line = (lateMs: number, outcome: SlotOutcome) =>
    textsOf(
      htmlOf(
        <DueLine
          slot={slotAt("2026-03-10T06:00:00Z", outcome, lateMs)}
          schedule={{ plan: { ...PLAN, cron: ["0 6 * * *"], zone: "UTC" }, source: "inferred" }}
        />,
      ),
      "p",
    )[0];
  const plan = "Plan (inferred): daily at 06:00, UTC.";
  const due = "Due 2026-03-10 06:00 UTC, started";
  assertEquals(line(-5000, "met"), `${due} on time. ${plan}`);
  assertEquals(line(59_999, "met"), `${due} on time. ${plan}`);
  assertEquals(line(60_000, "met"), `${due} 1 min later. ${plan}`);
  assertEquals(line(600_000, "late"), `${due} 10 min later, after the grace. ${plan}`);
  assertEquals(line(600_000, "by-hand"), `${due} 10 min later, by hand. ${plan}`);
});

Deno.test("PlanSlots: show the result of each slot, and why some do not count", () => {
  const since = Date.parse("2026-03-07T12:00:00Z");
  const html = htmlOf(
    <PlanSlots
      scheduleId={101}
      since={since}
      pauses={[{
        from: Date.parse("2026-03-08T00:00:00Z"),
        to: Date.parse("2026-03-09T00:00:00Z"),
      }]}
      slots={[
        slotAt("2026-03-10T06:00:00Z", "overdue"),
        slotAt("2026-03-09T06:00:00Z", "late", 1_800_000),
        slotAt("2026-03-08T06:00:00Z", "missed"),
        slotAt("2026-03-07T06:00:00Z", "late", 10_800_000),
        slotAt("2026-03-07T13:00:00Z", "by-hand"),
        slotAt("2026-03-10T05:00:00Z", "due"),
        slotAt("2026-03-10T04:00:00Z", "met"),
        slotAt("2026-03-10T03:00:00Z", "missed"),
      ]}
    />,
  );
  assertEquals(textsOf(html, "h2"), ["Latest planned runs"]);
  assertEquals(textsOf(html, "p"), [
    "The plan is valid from 2026-03-07 12:00 UTC. Earlier planned runs only show how it fits: they do " +
    "not count.",
  ]);
  assertEquals(
    textsOf(htmlOf(<PlanSlots scheduleId={101} since={since} pauses={[]} slots={[]} />), "p"),
    [
      "No planned runs since the first run.",
    ],
  );
  assertEquals(textsOf(html, "tr"), [
    "Due UTC | Result | Run started",
    "2026-03-10 06:00 | ✕ overdue | none",
    "2026-03-09 06:00 | ○ late | 30 min later",
    "2026-03-08 06:00 | ○ no run expected | none",
    "2026-03-07 06:00 | ○ late, not counted | 3 h later",
    "2026-03-07 13:00 | ○ started by hand instead | none",
    "2026-03-10 05:00 | ○ due | none",
    "2026-03-10 04:00 | ✓ on time | none",
    "2026-03-10 03:00 | ✕ missed | none",
  ]);
  assertEquals(linksOf(html)["30 min later"], "/schedules/101/runs/5");
  const meanings = [...html.matchAll(/class="status (\w+)"/g)].map(([, meaning]) => meaning);
  assertEquals(meanings, "bad late neutral off late neutral good bad".split(" "));
});

Deno.test("PlanMonth: weeks from Monday in the plan's zone, with pauses and counts", () => {
  const from = Date.parse("2026-03-10T12:00:00Z");
  const zone = "Pacific/Auckland";
  const pauses = [
    { from: from + DAY, to: from + 1.5 * DAY },
    { from: from + 9 * DAY, to: null },
  ];
  const slots = [
    "2026-03-10T17:00:00Z",
    "2026-03-11T17:00:00Z",
    ...[0, 1, 2, 3].map((hour) => `2026-03-12T1${hour + 2}:00:00Z`),
  ].map(Date.parse);
  const days = plannedDays(slots, pauses, zone);
  const html = htmlOf(<PlanMonth zone={zone} from={from} to={from + 3 * DAY} days={days} />);
  assertEquals(textsOf(html, "h2"), ["Coming month"]);
  assertEquals(textsOf(html, "p"), ["Times in Pacific/Auckland"]);
  assertEquals(textsOf(html, "tr"), [
    "Mon | Tue | Wed | Thu | Fri | Sat | Sun",
    "03-11 06:00 | 03-12 paused | 03-13 4 runs | 03-14",
  ]);
});

Deno.test("PlanMonth: counts the runs on a day with a clock change", () => {
  const from = Date.parse("2026-03-28T23:00:00Z");
  const slots = Array.from({ length: 1440 }, (_, minute) => from + minute * 60_000);
  const zone = "Europe/Berlin";
  const month = { zone, from, to: from + DAY, days: plannedDays(slots, [], zone) };
  assertEquals(textsOf(htmlOf(<PlanMonth {...month} />), "tr").at(-2), "03-29 1,380 runs");
});

function incident(since: number, opened: number): ReplayedIncident {
  const code = "overdue";
  const reason = sampleReason(code, { severity: "critical", since, due: since, latest: since });
  return { key: `${code}-${since}`, code, reason, opened, passed: null, resolved: null };
}

const BACKTEST = { runs: 20, falseIncidents: null, person: "", href: "", mutedUntil: null };

Deno.test("PlanBacktest: lists incidents, those of one plan only, and false alarms", () => {
  const backtest = {
    ...BACKTEST,
    incidents: [incident(0, 60_000), { ...incident(DAY, DAY), resolved: 2 * DAY }],
    standing: [incident(0, 60_000), incident(5 * DAY, 5 * DAY)],
    falseIncidents: ["overdue-0"],
    mutedUntil: DAY,
  };
  const html = htmlOf(<PlanBacktest backtest={backtest} />);
  assertEquals(textsOf(html, "p"), [
    "Watching the last 20 runs with this plan would have opened 2 incidents, and with the current plan 2.",
    "New with this plan: 1. No longer opened: 1.",
    "With this plan: 1 marked as false, 1 other. With the current plan: 1 marked as false, 1 other.",
    "The schedule is muted until 1970-01-02 00:00 UTC: nothing is sent before then.",
  ]);
  assertEquals([textsOf(html, "h2"), textsOf(html, "h3")], [["Backtest"], ["No longer opened"]]);
  assertEquals(
    [...html.matchAll(/role="region" aria-label="([^"]*)"/g)].map(([, name]) => name),
    ["Backtest", "No longer opened"],
  );
  const [headings, first, second, , gone] = textsOf(html, "tr").map((row) => row.split(" | "));
  assertEquals(headings, ["Incident", "Severity", "Opened UTC", "Over UTC", "False?"]);
  assertEquals(first.slice(1), ["⚠ critical", "1970-01-01 00:01", "still open", "false Undo"]);
  assertMatch(second[0], / \(new\)$/);
  assertEquals(second.slice(2), ["1970-01-02 00:00", "1970-01-03 00:00", "False alarm"]);
  assertNotMatch(first[0] + gone[0], /new/);
  assertMatch(html, /<form id="marks" method="post"/);
  assertEquals(html.match(/<button type="submit" form="marks"/g)?.length, 3);
  assertMatch(html, /name="unmark" value="overdue-0" aria-label="Undo false alarm: /);
  assertMatch(html, /name="mark" value="overdue-86400000" aria-label="False alarm: /);
});

Deno.test("PlanBacktest: marks need a watch, and only the newest incidents are listed", () => {
  const many = Array.from({ length: 51 }, (_, day) => incident(day * DAY, day * DAY));
  const shown = (count: number) =>
    htmlOf(
      <PlanBacktest
        backtest={{ ...BACKTEST, incidents: many.slice(0, count), standing: null }}
      />,
    );
  assertEquals(textsOf(shown(51), "p"), [
    "Watching the last 20 runs with this plan would have opened 51 incidents.",
    "To mark incidents as false here, watch the schedule.",
    "and 1 earlier one",
  ]);
  assertEquals(textsOf(shown(51), "tr").length, 51);
  assertEquals(textsOf(shown(50), "p").length, 2);
  assertNotMatch(shown(1), /<button|False\?/);
  assertEquals(textsOf(shown(0), "p").length, 1);
  assertNotMatch(shown(0), /<table/);
});

Deno.test("PlanBacktest: says how incidents differ, even if only in time", () => {
  const words = (...opened: number[]) => {
    const incidents = opened.map((at, day) => incident(day * DAY, at));
    const standing = [10, 10].map((at, day) => incident(day * DAY, at));
    return textsOf(
      htmlOf(<PlanBacktest backtest={{ ...BACKTEST, falseIncidents: [], incidents, standing }} />),
      "p",
    ).slice(1).join();
  };
  assertEquals(words(10, 10), "The incidents are the same.");
  assertEquals(words(20, 5), "The incidents are the same. Opened later: 1. Opened earlier: 1.");
  assertEquals(words(20), "New with this plan: 0. No longer opened: 1. Opened later: 1.");
});

Deno.test("PlanForm: shows errors beside fields, and says if no plan can be saved", () => {
  const fields = {
    cron: "x\ny\nz",
    zone: "UTC",
    grace: "10",
    weeks: "1",
    weeksFrom: "",
    from: "2026-03-10",
    pauses: "",
  };
  const common = { scheduleId: 101, fields, person: "Ada", seen: "v1", isConfirmed: true };
  const wrong = htmlOf(
    <PlanForm {...common} issues={{ cron: "must have five fields" }} whyNotSaved={null} />,
  );
  assertEquals(wrong.match(/aria-invalid="true"/g)?.length, 1);
  assertEquals(textsOf(wrong, "button"), [
    "Preview",
    "Preview with a backtest",
    "Confirm this plan",
    "Use the inferred plan",
  ]);
  assertEquals(textOf(wrong).includes("Cron expressions must have five fields."), true);
  assertMatch(wrong, /<input name="name" required [^>]*value="Ada"/);
  const areas = [...wrong.matchAll(/<textarea id="(\w+)"[^>]* rows="(\d+)"/g)];
  assertEquals(areas.map(([, name, rows]) => [name, rows]), [["cron", "4"], ["pauses", "2"]]);
  assertNotMatch(wrong, /<details open/);
  const biweekly = { ...fields, weeks: "2" };
  assertMatch(
    htmlOf(<PlanForm {...common} fields={biweekly} issues={{}} whyNotSaved={null} />),
    /<details open/,
  );
  const unsaved = htmlOf(
    <PlanForm {...common} isConfirmed={false} issues={{}} whyNotSaved={null} />,
  );
  assertEquals(textsOf(unsaved, "button").at(-1), "Confirm this plan");
  const kept = htmlOf(<PlanForm {...common} issues={{}} whyNotSaved="Set DATABASE_URL" />);
  assertEquals(textsOf(kept, "button"), ["Preview", "Preview with a backtest"]);
  assertEquals(textOf(kept).includes("A plan can't be saved here. Set DATABASE_URL."), true);
});
