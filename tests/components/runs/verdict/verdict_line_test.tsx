import { assert, assertEquals } from "@std/assert";
import { Advice, VerdictLine } from "../../../../components/runs/verdict/verdict_line.tsx";
import { judgeSchedule, type Verdict } from "../../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../../lib/judgement/reason.ts";
import { DAY } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";
import { sampleReason } from "../../../sample_reasons.ts";
import { daily, FIRST, GOOD, STATUSES } from "./daily.ts";

const good = GOOD.slice(0, 20);

/** The verdict for runs, a minute before the run that is due `days` days after the first. */
function verdictOf(runs: readonly ReportRun[], days = runs.length, newerUnread = false): Verdict {
  const now = FIRST + days * DAY - 60_000;
  return judgeSchedule({ runs, newerUnread }, { statuses: STATUSES, now });
}

/** The section for runs. */
function shown(verdict: Verdict, days = 20): string {
  const props = { verdict, statuses: STATUSES, scheduleId: 9, now: FIRST + days * DAY - 60_000 };
  return htmlOf(<VerdictLine {...props} />);
}

/** All sentences, with what to do. */
function wordsOf(verdict: Verdict, days?: number): string {
  return textsOf(shown(verdict, days), "p").join(" ");
}

Deno.test("VerdictLine: says first who has no report, then why, and when it was last sent", () => {
  const byCase: readonly [runs: ReportRun[], days: number, words: string][] = [
    [daily(good), 20, "Last sent yesterday 06:00 to 1 person."],
    [
      daily([...good, "failure", "failure"]),
      22,
      "1 person has had no report for 3 days. Failing since Sun 25 Jan 06:00, 2 runs in a row. " +
      "Last sent Sat 24 Jan 06:00 to 1 person. " +
      "Find out why the latest run failed, and run the report again.",
    ],
    [
      daily(["failure", "failure"]),
      2,
      "Failing since Mon 5 Jan 06:00 or earlier, 2 runs in a row. " +
      "2 runs show no plan: too few, or at irregular times. No success among the loaded runs. " +
      "Find out why the latest run failed, and run the report again.",
    ],
    [
      daily(good),
      20.1,
      "1 person is waiting. Due 06:00 UTC, not started. Last sent yesterday 06:00 to 1 person. " +
      "Check that the scheduler runs this report, and that its plan is still right.",
    ],
    [
      daily(good).map((run) => ({ ...run, recipients: run.id < 20 ? run.recipients : [] })),
      20,
      "Sent to nobody, since yesterday 06:00. Last success yesterday 06:00. " +
      "Check who left the list of recipients, and send the report again.",
    ],
    [[{ id: 1, status: "paused" }], 1, "No status is known as success or failure."],
    [[], 1, "Has never run. Check the id, and when the first run is due."],
  ];
  for (const [runs, days, words] of byCase) {
    assertEquals(wordsOf(verdictOf(runs, days), days), words);
  }
  const unread = shown(verdictOf(daily(good), 22, true), 22);
  assert(textsOf(unread, "p")[0] === "Newer runs could not be loaded.");
  assert(unread.includes('class="verdict neutral"'));
});

Deno.test("VerdictLine: mentions half as many more recipients, and runs started by hand", () => {
  const verdict = (from: number, to: number, byHand = 0) =>
    verdictOf(
      daily(good).map((run) => ({
        ...run,
        automated: run.id > byHand,
        recipients: Array.from(
          { length: run.id <= 10 ? from : to },
          (_, userId) => ({ userId: userId + 1 }),
        ),
      })),
    );
  assert(wordsOf(verdict(2, 3)).startsWith("Recipients grew from 2 to 3. Last sent"));
  assert(wordsOf(verdict(3, 2)).startsWith("Recipients fell from 3 to 2."));
  assert(wordsOf(verdict(10, 11)).startsWith("Last sent"));
  assert(wordsOf(verdict(1, 1, 4)).endsWith("20.0 % of its runs were started by hand."));
  assert(!wordsOf(verdict(1, 1, 3)).includes("by hand"));
});

Deno.test("VerdictLine: shows the headline's reason first, then the others with their colours", () => {
  const judged = verdictOf(daily(good));
  const first = (...reasons: [ReasonCode, Reason["severity"]][]) =>
    wordsOf({
      ...judged,
      state: "down" as const,
      reasons: reasons.map(([code, severity]) => sampleReason(code, { severity })),
    });
  assert(/^1 person is waiting/.test(
    first(["outside-recipient", "critical"], ["overdue", "critical"]),
  ));
  assert(!first(["missed", "warning"], ["unknown-status", "warning"]).includes("Missed"));
  const html = shown(verdictOf(daily([...good, "failure"]), 21.1), 21.1);
  assertEquals(textsOf(html, "li"), ["Due 06:00 UTC, not started"]);
  assert(html.includes('<li class="tier bad"') && html.includes('class="verdict bad"'));
});

Deno.test("VerdictLine: says of failures here and there how many were rerun by hand", () => {
  const runs = daily(good.map((each, at) => [3, 7, 11].includes(at) ? "failure" : each));
  const lead = sampleReason("flaky", { since: null, failed: 3, of: 20, runs: [4, 8, 12] });
  const words = (...rerun: number[]) => {
    const newest = runs.map((run) => ({ ...run, automated: !rerun.includes(run.id) })).reverse();
    return wordsOf({ ...verdictOf(daily(good)), runs: newest, reasons: [lead] }).split(". ")[0];
  };
  assertEquals(words(), "3 of the last 20 runs failed");
  assertEquals(words(5, 9), "3 of the last 20 runs failed; 2 were rerun by hand");
  assertEquals(words(5, 9, 13), "3 of the last 20 runs failed; each was rerun by hand");
});

Deno.test("Advice: links to what it is about", () => {
  const advice = (code: ReasonCode, reason: Reason = sampleReason(code), results = good) => {
    const verdict = { ...verdictOf(daily(results)), reasons: [reason] };
    const html = htmlOf(<p>{Advice({ code, verdict, scheduleId: 9 })}</p>);
    return Object.entries(linksOf(html)).join() || textsOf(html, "p").join();
  };
  assertEquals(advice("missed"), "change its plan,/schedules/9/plan");
  assertEquals(advice("stuck"), "the open run,/schedules/9/runs/8");
  assertEquals(advice("sent-to-nobody"), "recipients,/schedules/9/recipients");
  assertEquals(advice("unknown-status"), "what this status means,/service");
  assertEquals(
    advice("failing", sampleReason("failing"), ["success", "failure", "failure"]),
    "the latest run,/schedules/9/runs/3",
  );
  assertEquals(
    advice("slower", sampleReason("slower", { runs: [] })),
    "Compare a slow run with one before the change.",
  );
  assertEquals(
    advice("late", sampleReason("late", { due: 1 })),
    "It may still start. Nothing to do yet.",
  );
  assertEquals(advice("unreadable"), "Reload the page, or load more runs below.");
  assertEquals(advice("never-ran"), "|");
});
