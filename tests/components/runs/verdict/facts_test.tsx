import { assertEquals } from "@std/assert";
import { Facts } from "../../../../components/runs/verdict/facts.tsx";
import { ComparedRuns } from "../../../../components/runs/verdict/compared_runs.tsx";
import { judgeSchedule, type Verdict } from "../../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../../lib/judgement/reason.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { DAY } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";
import { sampleReason } from "../../../sample_reasons.ts";

const statuses = defaultStatusDictionary();
const FIRST = Date.parse("2026-01-05T06:00:00Z");
const inside = [{ userId: 1, emailAddress: "ann@example.com" }];

/** A run a day from 5 January 2026. */
function daily(results: readonly string[], more: Partial<ReportRun> = {}): ReportRun[] {
  return results.map((status, index) => ({
    ...{ id: index + 1, status, automated: true, attachmentCount: 1, attachmentSize: 1000 },
    ...{ emailSize: 2000, recipients: inside },
    startTime: new Date(FIRST + index * DAY).toISOString(),
    endTime: new Date(FIRST + index * DAY + 60_000).toISOString(),
    ...more,
  }));
}

const good = Array.from({ length: 40 }, () => "success");

function judged(runs: readonly ReportRun[], now = FIRST + runs.length * DAY - 60_000): Verdict {
  return judgeSchedule({ runs }, { statuses, now });
}

function html(verdict: Verdict, days = 40): string {
  return htmlOf(<Facts {...{ verdict, statuses, scheduleId: 7 }} now={FIRST + days * DAY} />);
}

/** The facts by name, without those that need attention. */
function facts(verdict: Verdict, days?: number): Record<string, string> {
  const shown = html(verdict, days);
  const values = textsOf(shown, "dd");
  return Object.fromEntries(textsOf(shown, "dt").map((name, at) => [name, values[at]]));
}

Deno.test("Facts: five of a healthy schedule", () => {
  assertEquals(facts(judged(daily(good))), {
    "Sent, last 30 days": "29 of 29 | 40 of 40 runs, 100 %",
    "Missed": "0 runs",
    "Usually takes": "1 min | 95 % within 1 min",
    "Attachments": "1.0 KB | steady",
    "Recipients": "1 | All recipients",
  });
});

Deno.test("Facts: count failed and unknown runs apart from those that were sent", () => {
  const runs = daily([...good, "failure", "ARCHIVED"]);
  const { "Sent, last 30 days": sent } = facts(judged(runs), 42);
  assertEquals(sent, "27 of 28, needs attention | 40 of 41 runs, 97.6 %, 1 with an unknown status");
  const silent = facts(judged(daily(["ARCHIVED"])), 1);
  assertEquals(silent, {
    "Sent, last 30 days": "none | 1 with an unknown status",
    "Missed": "unknown | 1 run shows no plan",
    "Usually takes": "1 min | 95 % within 1 min",
    "Attachments": "unknown | too few runs",
    "Recipients": "1 | All recipients",
  });
});

Deno.test("Facts: list missed and overdue runs, of many the first fifty", () => {
  const runs = daily(good).filter(({ id }) => id !== 30);
  assertEquals(
    facts(judged(runs, FIRST + 41.6 * DAY)).Missed,
    "1 run, needs attention | 2 runs overdueWhich | 2026-02-15 06:00 | 2026-02-14 06:00 | " +
      "2026-02-03 06:00",
  );
  const verdict = judged(daily(good));
  const missed = Array.from({ length: 51 }, (_, at) => ({ at: FIRST - at * DAY, id: String(at) }));
  const counts = { missed: 51, overdue: 0 };
  const many = { ...verdict, schedule: { ...verdict.schedule!, missed, counts } };
  assertEquals(facts(many).Missed.endsWith("and 1 more"), true);
  const sees = { since: FIRST, enough: false };
  const few = { ...verdict, schedule: { ...verdict.schedule!, sees } };
  assertEquals(facts(few).Missed, "unknown | too few runs to see it");
});

Deno.test("Facts: say from when a size differs, of the email if that one changed", () => {
  const runs = daily(good).map((run) => run.id > 20 ? { ...run, attachmentSize: 40_000 } : run);
  assertEquals(
    facts(judged(runs)).Attachments,
    "40.0 KB | 1.0 KB before, 40 times larger, since 2026-01-25 06:00",
  );
  const field = "emailSize" as const;
  const verdict = { ...judged(daily(good)), reasons: [sampleReason("size-jump", { field })] };
  assertEquals(Object.keys(facts(verdict))[3], "Email size");
});

Deno.test("Facts: count recipients at other domains than most, unless some are new", () => {
  const link = (lists: readonly (readonly string[])[]) => {
    const runs = daily(lists.map(() => "success")).map((run) => ({
      ...run,
      recipients: lists[run.id - 1].map((emailAddress) => ({ emailAddress })),
    }));
    const links = linksOf(html(judged(runs)));
    return Object.keys(links).find((text) => links[text] === "/schedules/7/recipients");
  };
  const most = ["a@example.com", "b@Example.com", "c@example.com"];
  const now = [...most, "d@one.example", "e@two.example", "f@two.example", "g@mail.example.com"];
  assertEquals(link([[...most, "gone@old.example"], now]), "3 at other domains");
  assertEquals(link([most]), "All recipients");
  const days = Array.from({ length: 40 }, (_, day) => day > 37 ? [...most, "c@new.example"] : most);
  assertEquals(link(days), "1 new external");
});

Deno.test("Facts: each reason alerts only its own fact, and information none", () => {
  const alerted = (reason: Reason) => {
    const shown = facts({ ...judged(daily(good)), reasons: [reason] });
    return Object.keys(shown).filter((name) => shown[name].includes("needs attention"));
  };
  const codes: Readonly<Record<string, readonly ReasonCode[]>> = {
    "Sent, last 30 days": ["failing", "flaky", "started-by-hand", "stuck", "sent-twice"],
    "Missed": ["overdue", "missed"],
    "Usually takes": ["slower"],
    "Attachments": ["empty-delivery"],
    "Recipients": ["outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"],
  };
  for (const [name, all] of Object.entries(codes)) {
    for (const code of all) assertEquals(alerted(sampleReason(code)), [name], code);
  }
  for (const code of ["unreadable", "never-ran", "unknown-status", "clock", "late"] as const) {
    assertEquals(alerted(sampleReason(code)), [], code);
  }
  assertEquals(alerted(sampleReason("slower", { severity: "info" })), []);
});

Deno.test("ComparedRuns: shows two runs side by side, with what differs", () => {
  const failed = { attachmentCount: 0, attachmentSize: 0, emailSize: null, endTime: null };
  const [after, before] = daily(["success", "failure"]).toReversed();
  const table = htmlOf(
    <ComparedRuns
      runs={[before, { ...after, ...failed }]}
      names={["Last success", "Latest run"]}
      scheduleId={7}
      statuses={statuses}
    />,
  );
  assertEquals(textsOf(table, "tr").map(textOf), [
    "Compared | Last success 2026-01-05 06:00 | Latest run 2026-01-06 06:00",
    "Result | Sent | Failed",
    "Attachments | 1 file, 1.0 KB | none",
    "Email size | 2.0 KB | none",
    "Duration | 1 min | none",
    "Recipients | 1 | 1",
  ]);
  assertEquals(linksOf(table)["2026-01-06 06:00"], "/schedules/7/runs/2");
});
