import { assertEquals } from "@std/assert";
import { shownRunColumns } from "../../../../components/runs/search/run_view.ts";
import {
  formatMatches,
  listRuns,
  RunResults,
} from "../../../../components/runs/search/run_table.tsx";
import { RecipientList } from "../../../../components/runs/recipients/recipient_list.tsx";
import type { RunView } from "../../../../components/runs/run_links.tsx";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { JudgedPlan, PlannedRun, Verdict } from "../../../../lib/judgement/judge_schedule.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, shownAt, textsOf } from "../../rendered.ts";

const dictionary = defaultStatusDictionary();
const view: RunView = { body: {}, skip: 0 };
const schedule = { overdue: [], missed: [], counts: {} } as unknown as JudgedPlan;

function tableOf(
  runs: readonly ReportRun[],
  shown: Partial<RunView> = {},
  verdict: Pick<Verdict, "schedule" | "planned"> = { schedule: null, planned: [] },
): string {
  const present = { ...view, ...shown };
  const list = listRuns(runs, { view: present, verdict, dictionary });
  const columns = shownRunColumns(present.columns, runs);
  const results = <RunResults {...{ view: present, scheduleId: 101, list, columns }} />;
  return htmlOf(shownAt(Date.parse("2026-02-01T00:00:00Z"), results));
}

Deno.test("RunResults: marks a status with the run's outcome", () => {
  const runs = ["success", "failure", "paused", "success", "failure"]
    .map((status, id) => ({ id, status, recipientCount: 1 }));
  const planned: PlannedRun[] = [
    // Its first run was good, and this is its last.
    { at: 0, outcome: "met", run: 1 },
    { at: 0, outcome: "late", run: 3 },
    { at: 0, outcome: "extra-failed", run: 4 },
  ];
  const html = tableOf(runs, {}, { schedule, planned });
  const marks = [...html.matchAll(/class="status (\w+)"><span aria-hidden="true">(.)</g)]
    .map(([, ...mark]) => mark.join(" "));
  assertEquals(marks, ["good ✓", "bad ✕", "neutral ○", "late ◷", "bad ✕"]);
  const cells = textsOf(html, "tr").slice(1).map((row) => row.split(" | "));
  assertEquals([cells[3][1], cells[4][1]], ["Sent, late", "Failed, not planned"]);
  // Without a plan, nobody knows what was planned.
  assertEquals(tableOf(runs, {}, { schedule: null, planned }).includes("not planned"), false);
  assertEquals(cells.slice(0, 3).map((row) => row[3]), ["1", "1 did not get it", "1"]);
});

Deno.test("RunResults: says how long after its time a planned run started", () => {
  const runs = ["06:00:00", "06:10:00", "05:59:57", "06:01:00", "06:00:05"]
    .map((time, id) => ({ id, startTime: `2026-01-09T${time}.300Z` }));
  const planned = (["met", "late", "met", "by-hand", "extra"] as const)
    .map((outcome, run): PlannedRun => ({ at: Date.parse("2026-01-09T06:00Z"), outcome, run }));
  const html = tableOf(runs, { columns: ["startTime"] }, { schedule, planned });
  const starts = ["06:00 +0 s", "06:10 +10 min", "05:59 −3 s", "06:01", "06:00"];
  assertEquals(textsOf(html, "th").slice(1), starts.map((words) => `Fri 9 Jan ${words}`));
});

Deno.test("listRuns: lists planned runs that did not happen, unless runs are filtered", () => {
  const at = (day: number) => Date.UTC(2026, 0, day, 6);
  const runs = [9, 8, 3].map((day) => ({ id: day, startTime: new Date(at(day)).toISOString() }));
  const slots = (...days: number[]) => days.map((day) => ({ at: at(day), id: String(day) }));
  const schedule = {
    overdue: slots(12, 11, 10),
    missed: slots(1, 7, 6),
    counts: { overdue: 3, missed: 999 },
  } as unknown as JudgedPlan;
  const rows = (shown: Partial<RunView>) =>
    textsOf(tableOf(runs, shown, { schedule, planned: [] }), "tr").slice(1)
      .map((row) => row.split(" | ").slice(0, 2).join(" "));
  const filters = [{ field: "status", operator: "IS_NULL" }];
  for (const body of [{}, { filters }, { fieldSort: [{ field: "startTime" }] }]) {
    assertEquals(rows({ body }).length, 3);
    assertEquals(rows({ body, show: "missed" }).length, 3);
  }
  const missed = tableOf(runs, { show: "missed" }, { schedule, planned: [] });
  assertEquals(textsOf(missed, "p"), ["996 older ones are not listed."]);
  assertEquals(rows({ show: "missed", skip: 1, limit: 1 }), ["Tue 6 Jan 06:00 Missed"]);
  assertEquals(rows({ show: "overdue" })[0], "Mon 12 Jan 06:00 Overdue");
  assertEquals(rows({ show: "failed" }), []);
});

Deno.test("listRuns: narrows runs to an outcome, and counts those of each", () => {
  const runs = ["success", "failure", "failure", "success"].map((status, id) => ({ id, status }));
  const verdict = { schedule: null, planned: [] };
  const list = (shown: Partial<RunView>) =>
    listRuns(runs, { view: { ...view, ...shown }, verdict, dictionary });
  assertEquals(list({}).counts, { failed: 2, overdue: 0, missed: 0 });
  assertEquals(list({}).outcomeOf(runs[1]), "failed");
  const failed = list({ show: "failed", skip: 1 });
  assertEquals(failed.runs.map(({ id }) => id), [2]);
  assertEquals([failed.all, failed.total], [4, 2]);
  assertEquals(formatMatches(failed, 4), "2 of 4 runs");
  assertEquals(formatMatches(list({ show: "missed" }), 4), "4 runs");
});

Deno.test("shownRunColumns: shows the report if titles differ between runs", () => {
  for (const [other, isShown] of [["A", false], ["B", true]] as const) {
    const columns = shownRunColumns(undefined, [{ reportTitle: "A" }, { reportTitle: other }]);
    assertEquals(columns.includes("reportTitle"), isShown);
  }
  assertEquals(shownRunColumns(["status"], [{ reportTitle: "A" }, {}]), ["startTime", "status"]);
});

Deno.test("RecipientList: shows twenty, lists a thousand, and says where the others are", () => {
  const list = (count: number) => {
    const recipients = Array.from({ length: count }, (_, userId) => ({ userId }));
    const html = htmlOf(<RecipientList meaning="good" run={{ id: 1, recipients }} />);
    const notes = textsOf(html, "p").map((text) => text.split(" ")[0]);
    // With the headings of both tables.
    return [textsOf(html, "tr").length, textsOf(html, "summary"), ...notes];
  };
  assertEquals(list(0), [0, [], "Nobody"]);
  assertEquals(list(20), [21, []]);
  assertEquals(list(1000), [1002, ["980 more recipients"]]);
  assertEquals(list(1001), [1002, ["980 more recipients"], "Only"]);
});
