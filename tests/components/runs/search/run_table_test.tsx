import { assert, assertEquals } from "@std/assert";
import { RUN_COLUMNS, shownColumns } from "../../../../components/runs/search/run_view.ts";
import { listRuns, RunTable } from "../../../../components/runs/search/run_table.tsx";
import type { RunView } from "../../../../components/runs/run_links.tsx";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { JudgedPlan, PlannedRun, Verdict } from "../../../../lib/judgement/judge_schedule.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";
import { sampleRun as run } from "../sample_run.ts";

const dictionary = defaultStatusDictionary();
const view: RunView = { body: {}, skip: 0 };

function tableOf(
  runs: readonly ReportRun[],
  shown: Partial<RunView> = {},
  zone = "UTC",
  verdict: Pick<Verdict, "schedule" | "planned"> = { schedule: null, planned: [] },
): string {
  const present = { ...view, ...shown };
  const { rows, outcomeOf } = listRuns(runs, { view: present, verdict, dictionary });
  return htmlOf(
    <RunTable
      {...{ rows, outcomeOf }}
      view={present}
      columns={shownColumns(present.columns, runs)}
      scheduleId={101}
      dictionary={dictionary}
      now={Date.parse("2026-02-01T00:00:00Z")}
    />,
    zone,
  );
}

Deno.test("RunTable: the default columns, and a dash for what is missing", () => {
  const html = tableOf([run, { id: 13, status: "", automated: false }]);
  assertEquals(textsOf(html, "tr"), [
    "Started UTC | Status | Trigger | Report | Duration | Attachment size | Email size | Recipients",
    "yesterday 05:30 | Sent | automated | Open claims | 2 min 05 s | 0 bytes | 1.4 MB | 3",
    "run 13 | Unknown (no status) | manual | none | none | none | none | none",
  ]);
  assertEquals(linksOf(html)["yesterday 05:30"], "101/runs/12");
  assertEquals(linksOf(html)["run 13"], "101/runs/13");
  // Where rows are cards, each figure is named; a status and a trigger name themselves.
  assertEquals([...html.matchAll(/data-label="([^"]*)">([^<]+)/g)].map(([, ...pair]) => pair), [
    ["Report", "Open claims"],
    ["Duration", "2 min 05 s"],
    ["Attachment size", "0 bytes"],
    ["Email size", "1.4 MB"],
    ["Recipients", "3"],
  ]);
});

Deno.test("RunTable: every column, the start first; times in the zone, exact on hover", () => {
  const html = tableOf([run], { columns: RUN_COLUMNS }, "Europe/Berlin");
  assertEquals(textsOf(html, "tr")[1].split(" | "), [
    "yesterday 06:30",
    "yesterday 06:32",
    "Sent",
    "automated",
    "Open claims",
    "Claims of today",
    "page",
    "Claims",
    "2 min 05 s",
    "1,200",
    "0",
    "0 bytes",
    "1.4 MB",
    "3",
    "77",
    "3",
    "5",
    "12",
  ]);
  assert(html.includes('title="2026-01-31T05:30:07Z"'));
  // Numbers are the columns from the ninth on.
  assert(html.includes('class="scroll cards dense numbers-9"'));
});

Deno.test("RunTable: marks a status with the run's outcome", () => {
  const runs = ["success", "failure", "paused", "success", "failure"].map((status, id) => ({
    id,
    status,
    recipientCount: 6,
  }));
  const planned: PlannedRun[] = [{ at: 0, outcome: "late", run: 3 }];
  const html = tableOf(runs, {}, "UTC", { schedule: null, planned });
  assertEquals(
    [...html.matchAll(/<td class="(\w+)"><svg class="mark"><use href="#mark-(.*?)">/g)]
      .map(([, ...names]) => names.join(" ")),
    ["good met", "bad failed", "neutral other", "late late", "bad failed"],
  );
  const rows = textsOf(html, "tr").slice(1);
  assertEquals(rows[3].split(" | ")[1], "Sent, late");
  assertEquals(rows.map((row) => row.split(" | ").at(-1)).slice(0, 3), [
    "6",
    "6 did not get it",
    "6",
  ]);
});

Deno.test("listRuns: inserts planned runs that did not happen, unless runs are filtered", () => {
  const at = (day: number) => Date.UTC(2026, 0, day, 6);
  const runs = [9, 8, 3].map((day) => ({ id: day, startTime: new Date(at(day)).toISOString() }));
  const slots = (...days: number[]) => days.map((day) => ({ at: at(day), id: String(day) }));
  const schedule = {
    overdue: slots(11, 10),
    missed: slots(7, 6, 5, 4, 1),
  } as unknown as JudgedPlan;
  const rows = (shown: Partial<RunView>) =>
    textsOf(
      tableOf(runs, { columns: ["status"], ...shown }, "UTC", { schedule, planned: [] }),
      "tr",
    )
      .slice(1).map((row) => row.replace(/ 06:00/g, "").replace("Unknown (no status)", "ran"));
  assertEquals(rows({}), [
    "Sun 11 Jan | overdue: the planned run did not start",
    "Sat 10 Jan | overdue: the planned run did not start",
    "Fri 9 Jan | ran",
    "Thu 8 Jan | ran",
    "Wed 7 Jan | missed: 4 planned runs since Sun 4 Jan",
    "Sat 3 Jan | ran",
    "Thu 1 Jan | missed: the planned run did not start",
  ]);
  assertEquals(rows({ skip: 2, limit: 1 }), [
    "Wed 7 Jan | missed: 4 planned runs since Sun 4 Jan",
    "Sat 3 Jan | ran",
    "Thu 1 Jan | missed: the planned run did not start",
  ]);
  assertEquals(rows({ skip: 0, limit: 2 }).length, 4);
  const filters = [{ field: "status", operator: "IS_NULL" }];
  for (const body of [{ filters }, { fieldSort: [{ field: "startTime" }] }]) {
    assertEquals(rows({ body }).length, 3);
  }
  assertEquals(rows({ show: "overdue" }), [
    "Sun 11 Jan | overdue: the planned run did not start",
    "Sat 10 Jan | overdue: the planned run did not start",
  ]);
  assertEquals(rows({ show: "missed", skip: 1, limit: 1 }), [
    "Tue 6 Jan | missed: the planned run did not start",
  ]);
  assertEquals(rows({ show: "failed" }), []);
});

Deno.test("listRuns: narrows runs to an outcome, and counts those of each", () => {
  const runs = ["success", "failure", "failure", "success"].map((status, id) => ({ id, status }));
  const planned: PlannedRun[] = [
    { at: 0, outcome: "extra-failed", run: 2 },
    { at: 0, outcome: "late", run: 3 },
  ];
  const list = (shown: Partial<RunView>) =>
    listRuns(runs, {
      view: { ...view, ...shown },
      verdict: { schedule: null, planned },
      dictionary,
    });
  assertEquals(list({}).counts, [["failed", 2], ["overdue", 0], ["missed", 0], ["late", 1]]);
  const failed = list({ show: "failed", skip: 1 });
  assertEquals(failed.rows.map((row) => "run" in row && row.run.id), [2]);
  assertEquals([failed.all, failed.count, failed.total], [4, 1, 2]);
});

Deno.test("RunTable: a header sorts ascending, then descending, then not; filters stay", () => {
  const filters = [{ field: "status", operator: "EQUALS", value: ["success"] }];
  const link = (order?: string) => {
    const body = { filters, ...(order ? { fieldSort: [{ field: "duration", order }] } : {}) };
    const html = tableOf([run], { body, skip: 100 });
    return [
      Object.entries(linksOf(html)).find(([name]) => name.startsWith("Duration"))![1],
      /aria-sort="(\w+)"/.exec(html)?.[1],
    ];
  };
  const search = "?q=status:success";
  assertEquals(link(), [`${search}&sort=took#runs`, undefined]);
  assertEquals(link("ASC"), [`${search}&sort=-took#runs`, "ascending"]);
  assertEquals(link("DESC"), [`${search}#runs`, "descending"]);
  assert(
    tableOf([run], { body: { fieldSort: [{ field: "duration", order: "DESC" }] } })
      .includes('<span aria-hidden="true">↓</span>'),
  );
});

Deno.test("shownColumns: shows the report if titles differ between runs", () => {
  const titles = (...names: string[]) =>
    shownColumns(undefined, names.map((reportTitle) => ({ reportTitle })));
  assertEquals(titles("A", "A").includes("reportTitle"), false);
  assertEquals(titles("A", "B").includes("reportTitle"), true);
  assertEquals(shownColumns(["status"], [{ reportTitle: "A" }, {}]), ["startTime", "status"]);
});
