import { assertEquals } from "@std/assert";
import { Advice } from "../../../../components/runs/verdict/verdict_line.tsx";
import {
  Observation,
  type ObservedSchedule,
} from "../../../../components/runs/verdict/observation.tsx";
import { reasonMark, StateBadge } from "../../../../components/runs/verdict/state_badge.tsx";
import { HOUR } from "../../../../lib/time_units.ts";
import { HEADLINES } from "../../../../lib/judgement/headline.ts";
import { judgeSchedule } from "../../../../lib/judgement/judge_schedule.ts";
import type { LoadedRuns } from "../../../../lib/runs/load_runs.ts";
import type { Reason, ReasonCode } from "../../../../lib/judgement/reason.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";

function reasonOf(code: ReasonCode, evidence: Reason["evidence"] = {}): Reason {
  return { code, severity: "warning", since: null, runs: [8, 7], evidence };
}

const START = Date.parse("2026-01-05T06:00:00Z");

/** A success and then two failures, with a reason. */
function verdictOf(reasons: readonly Reason[], statuses = ["success", "failure", "failure"]) {
  const runs = statuses.map((status, at) => ({
    id: at + 1,
    status,
    startTime: new Date(START + at * 24 * HOUR).toISOString(),
  })).reverse();
  const now = START + 72 * HOUR;
  const judged = judgeSchedule({ runs }, { statuses: defaultStatusDictionary(), now });
  return { ...judged, reasons };
}

function advice(code: ReasonCode, reason = reasonOf(code), statuses?: string[]) {
  const verdict = verdictOf([reason], statuses);
  const html = htmlOf(<p>{Advice({ code, verdict, scheduleId: 9 })}</p>);
  return [textsOf(html, "p")[0].replace(/^\|$/, ""), Object.values(linksOf(html))];
}

Deno.test("Advice: says what to do about each reason, with a link", () => {
  const plan = [
    "Check that the scheduler runs this report, and that the plan is still right.",
    ["/schedules/9/plan"],
  ];
  const left = ["Check who left the list of recipients.", ["/people?schedule=9"]];
  const content = ["Check the content of the run where it changed.", ["/schedules/9/runs/8"]];
  const common = ["Find out what the failed runs have in common.", ["/schedules/9/runs/8"]];
  const odd = ["Look at the inconsistencies.", ["/schedules/9/check"]];
  assertEquals(advice("overdue"), plan);
  assertEquals(advice("missed"), [
    "Find out why it did not run then. If no run was expected, change the plan.",
    ["/schedules/9/plan"],
  ]);
  assertEquals(advice("recipients-dropped"), left);
  assertEquals(advice("sent-to-nobody"), left);
  assertEquals(advice("empty-delivery"), content);
  assertEquals(advice("size-jump"), content);
  assertEquals(advice("flaky"), common);
  assertEquals(advice("started-by-hand"), common);
  assertEquals(advice("clock"), odd);
  assertEquals(advice("inconsistent"), odd);
  const due = reasonOf("late", { due: 1 });
  assertEquals(advice("late", due), ["It may still start. Nothing to do yet.", []]);
  assertEquals(advice("late"), ["Look at the late run.", ["/schedules/9/runs/8"]]);
  assertEquals(advice("stuck"), [
    "Check whether the open run is still working.",
    ["/schedules/9/runs/8"],
  ]);
  assertEquals(advice("unknown-status", reasonOf("unknown-status", { status: "on hold" })), [
    "Define what the status means.",
    ["/schedules/statuses?next=%2Fschedules%2F9&status=on+hold"],
  ]);
  assertEquals(advice("outside-recipient"), [
    "Check that they should get this report: recipients.",
    ["/people?schedule=9"],
  ]);
  assertEquals(advice("slower"), [
    "Look at a slow run and at the chart of durations.",
    ["/schedules/9/runs/8"],
  ]);
  assertEquals(advice("unread"), ["Reload the page, or load more runs below.", []]);
});

Deno.test("Advice: links a comparison with the last success, if there is one", () => {
  assertEquals(advice("failing"), [
    "Open the latest failed run, or compare it with the last success.",
    ["/schedules/9/runs/3", "/schedules/9/runs/3?with=1"],
  ]);
  assertEquals(advice("failing", reasonOf("failing"), ["failure"]), [
    "Open the latest failed run.",
    ["/schedules/9/runs/1"],
  ]);
});

Deno.test("Advice: has no link without a run", () => {
  assertEquals(advice("slower", { ...reasonOf("slower"), runs: [] }), [
    "Look at a slow run and at the chart of durations.",
    [],
  ]);
});

Deno.test("Advice: if nothing ever ran, suggests to check the id", () => {
  assertEquals(advice("never-ran", reasonOf("never-ran"), []), [
    "Check the id, and when the first run is due.",
    [],
  ]);
  assertEquals(advice("never-ran"), ["", []]);
});

Deno.test("StateBadge: shows each headline by a word, a sign and a colour", () => {
  const marksOf = (html: string) => [
    textOf(html),
    /hidden="true">(.)/.exec(html)?.[1],
    /class="badge (\w+)"/.exec(html)?.[1],
  ];
  const marks = HEADLINES.map((headline) => marksOf(htmlOf(<StateBadge headline={headline} />)));
  assertEquals(marks.map(([word]) => word?.toLowerCase()), [...HEADLINES]);
  assertEquals(new Set(marks.map(([, sign]) => sign)).size, HEADLINES.length);
  assertEquals(marks.map(([, , tone]) => tone), [
    ...["bad", "bad", "bad", "bad"],
    ...["drift", "drift", "drift", "drift"],
    ...["good", "neutral", "neutral"],
  ]);
});

Deno.test("reasonMark: is that of the headline, but never alarming for information", () => {
  assertEquals(reasonMark({ code: "overdue", severity: "critical" }), ["!", "bad"]);
  assertEquals(reasonMark({ code: "missed", severity: "info" }), ["∅", "drift"]);
  assertEquals(reasonMark({ code: "outside-recipient", severity: "info" }), ["⚠", "drift"]);
  assertEquals(reasonMark({ code: "clock", severity: "warning" }), ["◆", "drift"]);
  assertEquals(reasonMark({ code: "unread", severity: "warning" }), ["?", "neutral"]);
});

const NONE_LOADED: LoadedRuns = {
  runs: [],
  repeated: [],
  stopped: "end",
  olderUnread: false,
  newerUnread: false,
};

const NOT_OBSERVED: ObservedSchedule = {
  polled: null,
  isDue: false,
  silences: [],
  failure: null,
  incidents: [],
  marked: [],
};

Deno.test("Observation: says when the schedule was checked, what failed, and which verdict is shown", () => {
  const help = (more: Partial<ObservedSchedule>, basis: "stored" | "computed" | null = null) =>
    textOf(htmlOf(
      <Observation
        observed={{ ...NOT_OBSERVED, ...more }}
        loaded={NONE_LOADED}
        basis={basis}
        scheduleId={9}
        now={START + 2 * HOUR}
      />,
    ));
  assertEquals(help({}), "The first check is in progress. Check now");
  assertEquals(
    help({ polled: START, failure: "the service was busy" }),
    "Checked 2 h ago, then failed: the service was busy. Check now",
  );
  assertEquals(help({ polled: START, isDue: true }), "Checking. Check now");
  assertEquals(help({ polled: START }, "stored"), "Checked 2 h ago. Check now");
  assertEquals(
    help({ polled: START }, "computed"),
    "Checked 2 h ago. This verdict is from the runs that you can read and your meanings of " +
      "statuses, so Today may show another. Check now",
  );
});
