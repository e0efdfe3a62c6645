import { assert, assertEquals } from "@std/assert";
import { VerdictLine } from "../../../../components/runs/verdict/verdict_line.tsx";
import { DAY } from "../../../../lib/time_units.ts";
import { judgeSchedule } from "../../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode, ReasonOf } from "../../../../lib/judgement/reason.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";
import { sampleReason } from "../../../sample_reasons.ts";

const statuses = defaultStatusDictionary();
/** The sample's newest day is the day before. */
const NOW = Date.parse("2026-11-21T00:30:00Z");
const FIRST = Date.parse("2026-01-05T06:00:00Z");

/** The section for runs, judged at a moment. */
function sectionOf(runs: readonly ReportRun[], now = NOW, newerUnread = false): string {
  const verdict = judgeSchedule({ runs, newerUnread }, { statuses, now });
  return htmlOf(<VerdictLine {...{ verdict, statuses, now }} scheduleId={101} />);
}

/** The state, and the sentence after it. */
function firstLine(html: string): string {
  const [sentence] = textsOf(html, "p");
  return sentence.replace(/^(\w+)\. /, "$1: ");
}

/** A run a day from 5 January 2026. */
function daily(statuses: readonly string[]): ReportRun[] {
  return statuses.map((status, index) => ({
    id: index + 1,
    status,
    startTime: new Date(FIRST + index * DAY).toISOString(),
    recipientCount: 1,
    attachmentCount: 1,
  }));
}

const good = Array.from({ length: 20 }, () => "success");

Deno.test("VerdictLine: says first whether a schedule is healthy, and since when not", () => {
  const after = (days: number) => FIRST + days * DAY - 60_000;
  assertEquals(
    firstLine(sectionOf(daily(good), after(20))),
    "Healthy: No problems. Plan (inferred): daily at 06:00, UTC. Last sent 24 h ago to 1 person.",
  );
  const failing = sectionOf(daily([...good, "failure", "failure"]), after(22));
  assertEquals(
    firstLine(failing),
    "Failing: Failing since 25 Jan, 2 runs. Last sent 3 days ago to 1 person.",
  );
  assert(failing.includes('class="verdict bad"'));
  assert(
    failing.includes('<time datetime="2026-01-24T06:00:00.000Z" title="2026-01-24 06:00 UTC">'),
  );
  const links = linksOf(failing);
  assertEquals(links["the latest run"], "/schedules/101/runs/22");
  assertEquals(
    firstLine(sectionOf(daily(["failure", "failure"]), after(2))),
    "Failing: Failing since 5 Jan or earlier, 2 runs. 2 runs show no plan: they are " +
      "too few, or at irregular times. " +
      "No success among the loaded runs.",
  );
});

Deno.test("VerdictLine: does not call a success without recipients sent", () => {
  const runs = daily(good).map((run) => ({ ...run, recipientCount: run.id < 20 ? 3 : 0 }));
  assertEquals(
    firstLine(sectionOf(runs, FIRST + 20 * DAY - 60_000)),
    "Empty: Sent to nobody, since 24 Jan. Last success 24 h ago.",
  );
});

Deno.test("VerdictLine: shows the worst reason first, then the others with their colours", () => {
  const overdue = sectionOf(daily(good), FIRST + 21 * DAY);
  assertEquals(
    firstLine(overdue),
    "Overdue: Overdue, was due on 25 Jan, 06:00 UTC (inferred plan). Last sent 2 days ago to 1 person.",
  );
  const html = sectionOf(daily([...good, "failure"]), FIRST + 22 * DAY);
  assertEquals(
    firstLine(html),
    "Failing: Failing since 25 Jan, 1 run. Last sent 3 days ago to 1 person.",
  );
  assertEquals(textsOf(html, "li")[0], "Overdue, was due on 26 Jan, 06:00 UTC (inferred plan)");
  assert(html.includes('<li class="tier bad"'));
});

Deno.test("VerdictLine: shows the headline's reason first among equally severe ones", () => {
  const now = FIRST + 20 * DAY - 60_000;
  const judged = judgeSchedule({ runs: daily(good).reverse() }, { statuses, now });
  const lineOf = (...reasons: [ReasonCode, Reason["severity"]][]) => {
    const verdict = {
      ...judged,
      state: "down" as const,
      reasons: reasons.map(([code, severity]) => sampleReason(code, { severity })),
    };
    return textsOf(
      htmlOf(<VerdictLine statuses={statuses} verdict={verdict} scheduleId={1} now={now} />),
      "p",
    )[0];
  };
  const overdue = lineOf(["outside-recipient", "critical"], ["overdue", "critical"]);
  assert(overdue.includes("Overdue"), overdue);
  assert(lineOf(["flaky", "warning"], ["missed", "warning"]).includes("Missed"));
  assert(!lineOf(["missed", "warning"], ["unknown-status", "warning"]).includes("Missed"));
});

Deno.test("VerdictLine: is grey if the state is unknown", () => {
  const unread = sectionOf(daily(good), FIRST + 22 * DAY, true);
  assert(firstLine(unread).startsWith("Unknown: Newer runs could not be loaded."));
  assert(unread.includes('class="verdict neutral"'));
  assertEquals(
    firstLine(sectionOf([{ id: 1, status: "paused" }])),
    "Unknown: No status is known as success or failure.",
  );
  const irregular = daily(good).map((run, at) => ({
    ...run,
    startTime: new Date(FIRST + at * at * 7_919_000 + at * 31 * 3_600_000).toISOString(),
  }));
  assert(
    textOf(sectionOf(irregular, FIRST + 60 * DAY)).includes("20 runs show no plan: they are "),
  );
  assertEquals(firstLine(sectionOf([])), "New: Has never run.");
});

Deno.test("VerdictLine: says since when an abrupt change holds, but not a drift", () => {
  const now = FIRST + 20 * DAY - 60_000;
  const line = <Code extends ReasonCode>(code: Code, more: Partial<ReasonOf<Code>> = {}) => {
    const judged = judgeSchedule({ runs: daily(good).reverse() }, { statuses, now });
    const reason = sampleReason(code, { since: FIRST, runs: [], ...more });
    const verdict = { ...judged, reasons: [reason] };
    return textsOf(
      htmlOf(<VerdictLine statuses={statuses} verdict={verdict} scheduleId={1} now={now} />),
      "p",
    )[0];
  };
  const changes = [
    "outside-recipient",
    "recipients-dropped",
    "sent-to-nobody",
    "empty-delivery",
    "size-jump",
    "slower",
  ] as const;
  for (const code of changes) assert(line(code).includes(", since 5 Jan."), line(code));
  for (const code of ["flaky", "clock"] as const) {
    assert(!line(code).includes("since"), line(code));
  }
  assert(!line("slower", { slowly: true }).includes("since"));
});

Deno.test("VerdictLine: says how many runs followed a missed one", () => {
  const now = FIRST + 20 * DAY - 60_000;
  const judged = judgeSchedule({ runs: daily(good).reverse() }, { statuses, now });
  const lineOf = (latest: number) => {
    const reason = sampleReason("missed", { due: latest, latest });
    const verdict = { ...judged, reasons: [reason] };
    return textsOf(
      htmlOf(<VerdictLine statuses={statuses} verdict={verdict} scheduleId={1} now={now} />),
      "p",
    )[0];
  };
  assert(lineOf(FIRST + 17 * DAY).includes("; 2 runs since then."), lineOf(FIRST + 17 * DAY));
  assert(!lineOf(FIRST + 19 * DAY).includes("since then"), lineOf(FIRST + 19 * DAY));
});

Deno.test("VerdictLine: mentions twice as many recipients, but not one more", () => {
  const moved = (from: number, to: number) =>
    firstLine(sectionOf(
      daily(good).map((run, at) => ({ ...run, recipientCount: at < 10 ? from : to })).reverse(),
      FIRST + 20 * DAY - 60_000,
    ));
  assert(
    moved(1, 2).startsWith("Healthy: Recipients grew from 1 to 2."),
    moved(1, 2),
  );
  assert(moved(1000, 1100).startsWith("Healthy: No problems. Plan"), moved(1000, 1100));
  assert(
    moved(1000, 1500).startsWith("Healthy: Recipients grew from 1,000 to 1,500."),
    moved(1000, 1500),
  );
});
