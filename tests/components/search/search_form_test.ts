import { assertEquals } from "@std/assert";
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { parseSearchQuery } from "../../../lib/search/search_query.ts";
import { RUNS } from "../../../components/runs/search/run_view.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";
import { formatPageView, type SearchedRows } from "../../../components/search/page_view.ts";
import { readForm } from "../../../components/search/search_form.ts";

const DATES = { now: Date.parse("2026-06-15T12:00:00Z"), zone: "UTC" };

function formOf(
  fields: Record<string, string> | string[][],
  zone = "UTC",
  rows: SearchedRows = FILE_SETS,
) {
  const params = new URLSearchParams(fields);
  const options = { ...DATES, zone };
  return readForm(params, rows, options, parsePageView(params, rows, options));
}

function hrefOfForm(fields: Record<string, string> | string[][], zone = "UTC"): string {
  const { view, issues, condition } = formOf(fields, zone);
  assertEquals([issues, condition.issue], [[], undefined]);
  return fileSetsHref(view);
}

/** What is typed as a condition: its field, operator and value. */
const added = (field: string, operator: string, value: string) => ({
  "new-field": field,
  "new-operator": operator,
  "new-value": value,
});

Deno.test("readForm: combines the query with the added condition", () => {
  const forms: readonly [fields: Record<string, string>, link: string, zone?: string][] = [
    [{ q: "new" }, "?q=new"],
    [{ q: "" }, ""],
    [{ q: "updated:last-month sort:-updated" }, "?q=updated:last-month&sort=-updated"],
    [
      { q: "owner:Finance", ...added("fileCount", "!GREATER_THAN", "10") },
      "?q=owner:Finance+-files:%3E10",
    ],
    // Several values, with commas in quotes, or none.
    [
      added("owner", "EQUALS", ' Finance, "Legal, Claims",Audit'),
      "?q=owner:Finance,%22Legal,+Claims%22,Audit",
    ],
    [added("owner", "EQUALS", '"say ""hi"""'), "?q=owner:%22say+%22%22hi%22%22%22"],
    [added("description", "!IS_NULL", "left"), "?q=has:description"],
    // A range stays relative.
    [{ q: "payroll", ...added("created", "", "this-month") }, "?q=payroll+created:this-month"],
    [
      { q: "payroll", limit: "25", ...added("created", "!EQUALS", "this-month") },
      "?q=payroll+-created:this-month&limit=25",
    ],
    // Days are the reader's, both ends included.
    [added("created", "EQUALS", "2026-01-31"), "?q=created:2026-01-31", "Europe/Berlin"],
    [added("created", "EQUALS", "2026-01-31.."), "?q=created:2026-01-31.."],
  ];
  for (const [fields, link, zone] of forms) {
    assertEquals(hrefOfForm(fields, zone), `/filesets${link}`);
  }
});

Deno.test("readForm: table options don't change the search", () => {
  const checked = (...names: string[]) =>
    hrefOfForm([["q", "payroll"], ...names.map((name) => ["new-column", name])]);
  const usual = ["name", "owner", "permission", "fileCount", "updated"];
  assertEquals(checked("name", "owner"), "/filesets?q=payroll&columns=name,owner");
  assertEquals(checked(...usual), "/filesets?q=payroll");
  assertEquals(checked(...usual, "id"), `/filesets?q=payroll&columns=${usual},id`);
  // A column that can't be left out stays, though its box is not sent.
  const { view } = formOf([["new-column", "status"]], "UTC", RUNS);
  assertEquals(view.columns, ["startTime", "status"]);
});

Deno.test("readForm: a wrong condition has an issue, and keeps what was typed", () => {
  const typed = formOf({ "q": "payroll", "new-field": "owner" });
  assertEquals([typed.issues, typed.view.body.filters?.length], [[], 1]);
  const missing = { field: "owner", operator: "EQUALS", value: "", issue: "A value is missing" };
  assertEquals(typed.condition, missing);
  const issues = [
    ["", "EQUALS", "payroll", "Choose a field"],
    [
      ...["fileCount", "EQUALS", "27,000"],
      "Write a number, such as 27000, >100, <=100 or 10..100",
    ],
    ["owner", "GREATER_THAN", "a", "Owner takes one of: is, contains, has no value"],
    ["created", "EQUALS", "2026-02-01..2026-01-01", "2026-02-01 is after 2026-01-01"],
  ];
  for (const [field, operator, value, issue] of issues) {
    assertEquals(formOf(added(field, operator, value)).condition.issue, issue);
  }
  // Of what is wrong with the query, the query says so first.
  const wrong = formOf({ q: "colour:red", ...added("owner", "EQUALS", "a") });
  assertEquals([wrong.issues.length, wrong.condition.value], [1, "a"]);
});

Deno.test("readForm: reads a condition on runs", () => {
  for (
    const [field, operator, value, query] of [
      ["status", "!EQUALS", "a, b", "q=-status:a,b"],
      ["text", "LIKE", "late", "q=late"],
      ["emailSize", "GREATER_THAN", "1.5 MB", "q=email-size:>1.5MB"],
      ["duration", "EQUALS", "long", "Write a duration, such as 90s, >5m, <=2h or 1m..5m"],
      ["duration", "LESS_THAN", "2 min", "q=took:<2m"],
      ["automated", "EQUALS", "Manual", "q=trigger:manual"],
      ["recipient", "!EQUALS", "@A.org", "q=-recipient:@a.org"],
      ["endTime", "!IS_NULL", "", "q=has:ended"],
    ]
  ) {
    const { view, condition } = formOf(added(field, operator, value), "UTC", RUNS);
    const written = decodeURIComponent(String(formatPageView(view, RUNS.table)));
    assertEquals(condition.issue ?? written, query);
  }
});

Deno.test("parsePageView: reads from a link the very view that was written into it", () => {
  const view = {
    body: parseSearchQuery('payroll owner:"a, b" -created:2026-01.. no:name sort:-updated,id').body,
    ...{ limit: 25, offset: 50, open: "x", columns: ["name", "a,b", "-c"] },
  };
  const params = formatPageView(view, FILE_SETS.table);
  assertEquals(parsePageView(params, FILE_SETS, DATES).view, view);
  assertEquals(fileSetsHref({ body: view.body }).slice(0, 24), "/filesets?q=payroll+owne");
});

Deno.test("parsePageView: sort keys in the query replace those of the link", () => {
  const parse = (text: string) => parsePageView(new URLSearchParams(text), FILE_SETS, DATES);
  const { view, query } = parse("q=payroll+sort:-files&sort=name");
  assertEquals([fileSetsHref(view), query], ["/filesets?q=payroll&sort=-files", "payroll"]);
  assertEquals(fileSetsHref(parse("q=fils>5&sort=name").view), "/filesets?sort=name");
});
