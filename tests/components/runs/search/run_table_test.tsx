import { assert, assertEquals } from "@std/assert";
import { RUN_COLUMNS, shownColumns } from "../../../../components/runs/search/run_columns.ts";
import { RunTable } from "../../../../components/runs/search/run_table.tsx";
import type { RunView } from "../../../../components/runs/run_links.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";
import { sampleRun as run } from "../sample_run.ts";

const dictionary = defaultStatusDictionary();
const view: RunView = { body: {}, limit: 100, skip: 0, load: 1000 };

function tableOf(runs: readonly ReportRun[], shown: Partial<RunView> = {}, zone = "UTC"): string {
  const present = { ...view, ...shown };
  return htmlOf(
    <RunTable
      runs={runs}
      view={present}
      columns={shownColumns(present.columns, runs)}
      scheduleId={101}
      dictionary={dictionary}
    />,
    zone,
  );
}

Deno.test("RunTable: the default columns, and a dash for what is missing", () => {
  const html = tableOf([run, { id: 13, status: "", automated: false }]);
  assertEquals(textsOf(html, "tr"), [
    "Started UTC | Status | Trigger | Report | Duration | Cards | Attachments | " +
    "Attachment size | Email size | Recipients",
    "2026-01-31 05:30 | success | automated | Open claims | 2 min 05 s | 1,200 | 0 | 0 bytes | " +
    "1.4 MB | 3",
    "run 13 | no status | manual | none | none | none | none | none | none | none",
  ]);
  assertEquals(linksOf(html)["2026-01-31 05:30"], "101/runs/12");
  assertEquals(linksOf(html)["run 13"], "101/runs/13");
  // Where rows are cards, each figure is named; a status and a trigger name themselves.
  assertEquals([...html.matchAll(/data-label="([^"]*)">([^<]+)/g)].map(([, ...pair]) => pair), [
    ["Report", "Open claims"],
    ["Duration", "2 min 05 s"],
    ["Cards", "1,200"],
    ["Attachments", "0"],
    ["Attachment size", "0 bytes"],
    ["Email size", "1.4 MB"],
    ["Recipients", "3"],
  ]);
});

Deno.test("RunTable: every column, the start first; times in the zone, exact on hover", () => {
  const html = tableOf([run], { columns: RUN_COLUMNS }, "Europe/Berlin");
  assertEquals(textsOf(html, "tr")[1].split(" | "), [
    "2026-01-31 06:30",
    "2026-01-31 06:32",
    "success",
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

Deno.test("RunTable: a status has a class for what it means", () => {
  const statuses = ["success", "failure", "paused"].map((status, id) => ({ id, status }));
  assertEquals(tableOf(statuses).match(/<td class="\w+">\w+/g), [
    '<td class="good">success',
    '<td class="bad">failure',
    '<td class="neutral">paused',
  ]);
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
  const search = "?filter=status:EQUALS:success";
  assertEquals(link(), [`${search}&sort=duration#runs`, undefined]);
  assertEquals(link("ASC"), [`${search}&sort=duration:DESC#runs`, "ascending"]);
  assertEquals(link("DESC"), [`${search}#runs`, "descending"]);
  assert(
    tableOf([run], { body: { fieldSort: [{ field: "duration", order: "DESC" }] } })
      .includes('<span aria-hidden="true"> ↓</span>'),
  );
});

Deno.test("RunTable: runs can be selected to be compared where that was asked for", () => {
  const html = tableOf([run], { pick: true });
  assert(html.includes('aria-label="Compare run 12"'));
  assert(html.includes('name="run" value="12"'));
  assertEquals(textsOf(html, "th")[0], "Compare");
  // The column of check boxes moves the numbers by one.
  assert(html.includes('class="scroll cards dense numbers-5"'));
  assertEquals(tableOf([run]).includes("checkbox"), false);
});

Deno.test("shownColumns: the report is shown where its title differs between runs", () => {
  const titles = (...names: string[]) =>
    shownColumns(undefined, names.map((reportTitle) => ({ reportTitle })));
  assertEquals(titles("A", "A").includes("reportTitle"), false);
  assertEquals(titles("A", "B").includes("reportTitle"), true);
  assertEquals(shownColumns(["status"], [{ reportTitle: "A" }, {}]), ["startTime", "status"]);
});
