import { assertEquals } from "@std/assert";
import { ComparedRuns } from "../../../../components/runs/verdict/compared_runs.tsx";
import { Facts } from "../../../../components/runs/verdict/facts.tsx";
import { judgeSchedule } from "../../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../../lib/judgement/reason.ts";
import { makeRuns } from "../../../../lib/testing/make_rows.ts";
import { DAY } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { CODES, sampleReason } from "../../../sample_reasons.ts";
import { htmlOf, shownAt, textsOf } from "../../rendered.ts";
import { daily, FIRST, GOOD, STATUSES } from "./daily.ts";

/** The facts of these runs, with these reasons. */
function factsOf(runs: readonly ReportRun[], ...reasons: readonly Reason[]): string[] {
  const now = FIRST + 40 * DAY - 60_000;
  const verdict = judgeSchedule({ runs }, { statuses: STATUSES, now });
  const facts = <Facts verdict={{ ...verdict, reasons }} scheduleId={7} olderUnread={false} />;
  return textsOf(htmlOf(shownAt(now, facts)), "dd");
}

Deno.test("Facts: a reason marks only its own fact, and information marks none", () => {
  const alerted = (code: ReasonCode, severity = sampleReason(code).severity) =>
    factsOf(daily(GOOD), sampleReason(code, { severity }))
      .findIndex((fact) => fact.includes("needs attention"));
  const codes: readonly (readonly ReasonCode[])[] = [
    ["failing", "flaky", "started-by-hand", "stuck", "sent-twice"],
    ["overdue", "missed"],
    ["slower"],
    ["empty-delivery", "size-jump"],
    ["outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"],
  ];
  const ofService = ["behind", "channel-failing", "clock", "stale", "unknown-status", "unreadable"];
  const known = [...codes.flat(), ...ofService, "late", "never-ran"].sort();
  assertEquals(known, CODES.toSorted(), "a new reason marks a fact, or none");
  for (const code of CODES) {
    assertEquals(alerted(code), codes.findIndex((all) => all.includes(code)), code);
  }
  assertEquals(alerted("slower", "info"), -1);
});

Deno.test("Facts: what failed after a late start did not start on time", () => {
  const [last, ...runs] = daily([...GOOD.slice(1), "failure"]).reverse();
  const startTime = new Date(Date.parse(last.startTime!) + 3_600_000).toISOString();
  assertEquals(factsOf([...runs, { ...last, startTime }])[1], "39 of 40 | 1 late");
});

Deno.test("ComparedRuns: marks what differs, and of sizes and durations what differs much", () => {
  const [run] = makeRuns(1);
  const marked = (after: Partial<ReportRun>) => {
    const runs = [run, { ...run, ...after }];
    const html = htmlOf(<ComparedRuns runs={runs} names={["Before", "After"]} scheduleId={101} />);
    return [...html.matchAll(/<th scope="row">([^<]+)<\/th>(?:(?!<\/tr>).)*number other/g)]
      .map(([, name]) => name);
  };
  const size = run.emailSize!;
  assertEquals(marked({ emailSize: size + 1, endTime: run.startTime }), ["Duration"]);
  assertEquals(marked({ emailSize: size * 3, status: "failure" }), ["Result", "Email size"]);
  assertEquals(marked({ recipients: run.recipients?.slice(1), recipientCount: 2 }), ["Recipients"]);
});
