import { assertEquals, assertMatch } from "@std/assert";
import { ComparedRuns } from "../../../../components/runs/verdict/compared_runs.tsx";
import { Facts } from "../../../../components/runs/verdict/facts.tsx";
import { judgeSchedule, type Verdict } from "../../../../lib/judgement/judge_schedule.ts";
import type { ReasonCode } from "../../../../lib/judgement/reason.ts";
import { DAY } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";
import { sampleReason } from "../../../sample_reasons.ts";
import { daily, FIRST, GOOD, STATUSES } from "./daily.ts";

function judged(runs: readonly ReportRun[], days = runs.length): Verdict {
  return judgeSchedule({ runs }, { statuses: STATUSES, now: FIRST + days * DAY - 60_000 });
}

/** The facts by name. */
function facts(verdict: Verdict, days = 40): Record<string, string> {
  const props = { verdict, statuses: STATUSES, scheduleId: 7, now: FIRST + days * DAY };
  const html = htmlOf(<Facts {...props} />);
  const values = textsOf(html, "dd");
  return Object.fromEntries(textsOf(html, "dt").map((name, at) => [name, values[at]]));
}

Deno.test("Facts: five of a healthy schedule, and of one whose results are unknown", () => {
  assertEquals(facts(judged(daily(GOOD))), {
    "Sent, last 30 days": "29 of 29 | 100 % of all 40 runs",
    "Started on time": "40 of 40 | of the latest planned runs",
    "Usually takes": "1 min | 95 % within 1 min",
    "Attachments": "1.0 KB | steady",
    "Recipients": "1 | All recipients",
  });
  assertEquals(facts(judged(daily(["ARCHIVED"])), 1), {
    "Sent, last 30 days": "none | 1 with an unknown status",
    "Started on time": "unknown | 1 run shows no plan",
    "Usually takes": "1 min | 95 % within 1 min",
    "Attachments": "unknown | too few runs",
    "Recipients": "1 | All recipients",
  });
});

Deno.test("Facts: count failed, unknown, missed and overdue runs apart from those that were sent", () => {
  const runs = daily([...GOOD, "failure", "ARCHIVED"]).filter(({ id }) => id !== 30);
  const shown = facts(judged(runs, 43.6), 42);
  assertEquals(
    shown["Sent, last 30 days"],
    "26 of 27, needs attention | 97.5 % of all 40 runs, 1 with an unknown status",
  );
  assertEquals(shown["Started on time"], "41 of 44, needs attention | 1 missed, 2 overdue");
  const verdict = judged(daily(GOOD));
  const few = { ...verdict.schedule!, sees: { since: FIRST, enough: false } };
  assertEquals(facts({ ...verdict, schedule: few })["Started on time"], "unknown | too few runs");
});

Deno.test("Facts: say what differs from before, of the email if that one changed", () => {
  const runs = daily(GOOD).map((run) => run.id > 20 ? { ...run, attachmentSize: 40_000 } : run);
  assertEquals(facts(judged(runs)).Attachments, "40.0 KB | 1.0 KB before, 40 times larger");
  const slightly = daily(GOOD).map((run) => ({ ...run, attachmentSize: 1000 + run.id * 10 }));
  assertMatch(facts(judged(slightly)).Attachments, /^1\.\d KB \| 1\.0 KB before, \d+ % more$/);
  const verdict = judged(daily(GOOD));
  for (const field of ["emailSize", "attachmentSize"] as const) {
    const shown = facts({ ...verdict, reasons: [sampleReason("size-jump", { field })] });
    assertEquals(Object.keys(shown)[3], field === "emailSize" ? "Email size" : "Attachments");
  }
  const listed = ["a@example.com", "b@example.com", "c@example.com"];
  const more = daily(GOOD).map((run) => ({
    ...run,
    recipients: (run.id > 37 ? [...listed, "c@new.example"] : listed)
      .map((emailAddress) => ({ emailAddress })),
  }));
  assertEquals(facts(judged(more)).Recipients, "4, needs attention | 3 before, 1 new external");
});

Deno.test("Facts: each reason alerts only its own fact, and information none", () => {
  const verdict = judged(daily(GOOD));
  const alerted = (code: ReasonCode, severity = sampleReason(code).severity) => {
    const shown = facts({ ...verdict, reasons: [sampleReason(code, { severity })] });
    return Object.keys(shown).findIndex((name) => shown[name].includes("needs attention"));
  };
  const codes: readonly (readonly ReasonCode[])[] = [
    ["failing", "flaky", "started-by-hand", "stuck", "sent-twice"],
    ["overdue", "missed"],
    ["slower"],
    ["empty-delivery"],
    ["outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"],
  ];
  for (const [fact, all] of codes.entries()) {
    for (const code of all) assertEquals(alerted(code), fact, code);
  }
  for (const code of ["unreadable", "never-ran", "unknown-status", "clock", "late"] as const) {
    assertEquals(alerted(code), -1, code);
  }
  assertEquals(alerted("slower", "info"), -1);
});

Deno.test("ComparedRuns: shows two runs side by side, with what differs", () => {
  const failed = { attachmentCount: 0, attachmentSize: 0, emailSize: null, endTime: null };
  const [after, before] = daily(["success", "failure"]).toReversed();
  const table = htmlOf(
    <ComparedRuns
      runs={[before, { ...after, ...failed }]}
      names={["Last success", "Latest run"]}
      scheduleId={7}
      statuses={STATUSES}
      now={FIRST + DAY}
    />,
  );
  assertEquals(textsOf(table, "tr").map(textOf), [
    "Compared | Last success yesterday 06:00 | Latest run today 06:00",
    "Result | Sent | Failed",
    "Attachments | 1 file, 1.0 KB | none",
    "Email size | 2.0 KB | none",
    "Duration | 1 min | none",
    "Recipients | 1 | 1",
  ]);
  assertEquals(linksOf(table)["today 06:00"], "/schedules/7/runs/2");
});
