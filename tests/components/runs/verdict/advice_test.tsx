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
import { sampleReason } from "../../../sample_reasons.ts";

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

function advice(code: ReasonCode, reason: Reason = sampleReason(code), statuses?: string[]) {
  const verdict = verdictOf([reason], statuses);
  const html = htmlOf(<p>{Advice({ code, verdict, scheduleId: 9 })}</p>);
  return [code, textsOf(html, "p")[0].replace(/^\|$/, ""), ...Object.values(linksOf(html))].join(
    " ",
  );
}

Deno.test("Advice: says what to do about each reason, with a link", () => {
  const codes = "overdue missed late stuck flaky started-by-hand outside-recipient " +
    "recipients-dropped sent-to-nobody empty-delivery size-jump slower clock unreadable " +
    "sent-twice";
  assertEquals(codes.split(" ").map((code) => advice(code as ReasonCode)), [
    "overdue Check that the scheduler runs this report, and that its plan is still right. " +
    "/schedules/9/plan",
    "missed Find out why it did not run then. If no run was expected, change its plan. " +
    "/schedules/9/plan",
    "late Look at the late run. /schedules/9/runs/8",
    "stuck Check whether the open run is still working. /schedules/9/runs/8",
    "flaky Find out what the failed runs have in common. /schedules/9/runs/8",
    "started-by-hand Find out what the failed runs have in common. /schedules/9/runs/8",
    "outside-recipient Check whether these recipients should get this report. /schedules/9/recipients",
    "recipients-dropped Check who left the list of recipients. /schedules/9/recipients",
    "sent-to-nobody Check who left the list of recipients, and send the report again. " +
    "/schedules/9/recipients",
    "empty-delivery Find out why the run has no content, and send the report again. " +
    "/schedules/9/runs/8",
    "size-jump Check the content of the run where it changed. /schedules/9/runs/8",
    "slower Compare a slow run with one before the change. /schedules/9/runs/8",
    "clock Check the clocks of the service and of Docket, and the times of the run. " +
    "/schedules/9/runs/8",
    "unreadable Reload the page, or load more runs below.",
    "sent-twice Find out why the run started more than once. /schedules/9/runs/8",
  ]);
  assertEquals([
    advice("late", sampleReason("late", { due: 1 })),
    advice("unknown-status", sampleReason("unknown-status", { status: "on hold" })),
    advice("slower", sampleReason("slower", { runs: [] })),
    advice("failing"),
    advice("failing", sampleReason("failing"), ["failure"]),
  ], [
    "late It may still start. Nothing to do yet.",
    "unknown-status Say what this status means on the page Service. /service",
    "slower Compare a slow run with one before the change.",
    "failing Find out why the latest run failed, and run the report again. /schedules/9/runs/3",
    "failing Find out why the latest run failed, and run the report again. /schedules/9/runs/1",
  ]);
});

Deno.test("Advice: if nothing ever ran, suggests to check the id", () => {
  assertEquals(
    advice("never-ran", sampleReason("never-ran"), []),
    "never-ran Check the id, and when the first run is due.",
  );
  assertEquals(advice("never-ran"), "never-ran ");
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
    ...["neutral", "drift", "drift", "drift", "drift"],
    ...["good", "neutral"],
  ]);
});

Deno.test("reasonMark: is that of the headline, but never alarming for information", () => {
  assertEquals(reasonMark({ code: "overdue", severity: "critical" }), ["!", "bad"]);
  assertEquals(reasonMark({ code: "missed", severity: "info" }), ["∅", "drift"]);
  assertEquals(reasonMark({ code: "outside-recipient", severity: "info" }), ["⚠", "drift"]);
  assertEquals(reasonMark({ code: "clock", severity: "warning" }), ["◆", "drift"]);
  assertEquals(reasonMark({ code: "unreadable", severity: "warning" }), ["?", "neutral"]);
});

const NONE_LOADED: LoadedRuns = {
  runs: [],
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
    "Checked 2 h ago. This verdict is from the runs that you can read, so Today may show another. " +
      "Check now",
  );
});
