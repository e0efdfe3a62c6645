import { assertEquals } from "@std/assert";
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { RUNS } from "../../../components/runs/search/run_view.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";
import { formatPageView, type SearchedRows } from "../../../components/search/page_view.ts";
import { isFromForm, viewOfForm } from "../../../components/search/search_form.ts";

const DATES = { now: Date.parse("2026-06-15T12:00:00Z"), zone: "UTC" };

function formOf(
  fields: Record<string, string> | string[][],
  zone = "UTC",
  rows: SearchedRows = FILE_SETS,
) {
  const params = new URLSearchParams(fields);
  const options = { ...DATES, zone };
  return viewOfForm(params, rows, options, parsePageView(params, rows, options));
}

function hrefOfForm(fields: Record<string, string> | string[][], zone = "UTC"): string {
  const { view, issues } = formOf(fields, zone);
  assertEquals(issues, []);
  return fileSetsHref(view);
}

Deno.test("viewOfForm: adds a condition to the others", () => {
  const fields = { "q": "owner:Finance", "new-field": "fileCount" };
  assertEquals(
    hrefOfForm({ ...fields, "new-operator": "!GREATER_THAN", "new-value": "10" }),
    "/filesets?filter=owner:EQUALS:Finance&filter=!fileCount:GREATER_THAN:10",
  );
});

Deno.test("viewOfForm: several values, with commas in quotes, or none", () => {
  const owner = { "new-field": "owner", "new-operator": "EQUALS" };
  assertEquals(
    hrefOfForm({ ...owner, "new-value": ' Finance, "Legal, Claims",Audit' }),
    "/filesets?filter=owner:EQUALS:Finance,Legal%252C+Claims,Audit",
  );
  assertEquals(
    hrefOfForm({ ...owner, "new-value": '"say ""hi"""' }),
    "/filesets?filter=owner:EQUALS:say+%22hi%22",
  );
  assertEquals(
    hrefOfForm({ "new-field": "description", "new-operator": "!IS_NULL", "new-value": "left" }),
    "/filesets?filter=!description:IS_NULL",
  );
});

Deno.test("viewOfForm: a range such as this month stays relative", () => {
  const fields = { "q": "payroll", "new-field": "created", "new-value": "this-month" };
  assertEquals(
    hrefOfForm(fields),
    "/filesets?filter=name:LIKE:payroll&date=created:this-month",
  );
  assertEquals(
    hrefOfForm({ ...fields, "new-operator": "!EQUALS", limit: "25" }),
    "/filesets?filter=name:LIKE:payroll&date=!created:this-month&limit=25",
  );
});

Deno.test("viewOfForm: reads days in the reader's zone, both ends included", () => {
  const fields = { "new-field": "created", "new-operator": "EQUALS" };
  assertEquals(
    hrefOfForm({ ...fields, "new-value": "2026-01-31" }, "Europe/Berlin"),
    "/filesets?date=created:2026-01-30T23:00:00Z..2026-01-31T23:00:00Z",
  );
  assertEquals(
    hrefOfForm({ ...fields, "new-value": "2026-01-31.." }),
    "/filesets?date=created:2026-01-31T00:00:00Z..",
  );
});

Deno.test("viewOfForm: combines the query with the added condition", () => {
  assertEquals(hrefOfForm({ q: "new" }), "/filesets?q=new");
  assertEquals(hrefOfForm({ q: "" }), "/filesets");
  const relative = { q: "updated:last-month sort:-updated" };
  assertEquals(hrefOfForm(relative), "/filesets?q=updated:last-month+sort:-updated");
  assertEquals(
    hrefOfForm({
      ...relative,
      "new-field": "owner",
      "new-operator": "EQUALS",
      "new-value": "Finance",
    }),
    "/filesets?filter=owner:EQUALS:Finance&date=updated:last-month&sort=updated:DESC",
  );
});

Deno.test("viewOfForm: table options don't change the search", () => {
  const columns = [["new-column", "name"], ["new-column", "owner"], ["limit", "100"]];
  assertEquals(
    hrefOfForm([["q", "payroll"], ...columns]),
    "/filesets?columns=name,owner&q=payroll",
  );
  const usual = ["name", "owner", "permission", "fileCount", "updated"];
  const checked = (names: readonly string[]) => names.map((name) => ["new-column", name]);
  assertEquals(hrefOfForm([["q", "payroll"], ...checked(usual)]), "/filesets?q=payroll");
  assertEquals(
    hrefOfForm([["q", "payroll"], ...checked([...usual, "id"])]),
    `/filesets?columns=${usual},id&q=payroll`,
  );
  const sorted = { q: "sort:name,updated", "new-sort": "name", "new-order": "DESC" };
  assertEquals(hrefOfForm(sorted), "/filesets?sort=updated&sort=name:DESC");
});

Deno.test("viewOfForm: a wrong condition has an issue, and keeps what was typed", () => {
  const { view, condition, issues } = formOf({ "q": "payroll", "new-field": "owner" });
  assertEquals([issues, view.body.filters?.length], [[], 1]);
  assertEquals(condition, {
    field: "owner",
    operator: "EQUALS",
    value: "",
    issue: "A value is missing",
  });
  const issueOf = (field: string, value: string, operator = "EQUALS") =>
    formOf({ "new-field": field, "new-operator": operator, "new-value": value }).condition.issue;
  assertEquals(issueOf("", "payroll"), "Choose a field");
  assertEquals(
    issueOf("fileCount", "27,000"),
    "Write a number without commas or leading zeros, such as 27000",
  );
  assertEquals(
    issueOf("owner", "a", "GREATER_THAN"),
    "Owner takes one of: is, contains, has no value",
  );
  assertEquals(issueOf("created", "2026-02-30"), "There is no such day");
  assertEquals(issueOf("created", "2026-02-01..2026-01-01"), "2026-02-01 is after 2026-01-01");
  // Of what is wrong with the query, the query says so first.
  const wrong = formOf({ q: "colour:red", "new-field": "owner", "new-value": "a" });
  assertEquals([wrong.issues.length, wrong.condition.value], [1, "a"]);
});

Deno.test("viewOfForm: reads a condition on runs", () => {
  const added = (field: string, operator: string, value: string) => {
    const fields = { "new-field": field, "new-operator": operator, "new-value": value };
    const { view, condition } = formOf(fields, "UTC", RUNS);
    return condition.issue ?? decodeURIComponent(String(formatPageView(view)));
  };
  assertEquals(added("status", "!EQUALS", "a, b"), "filter=!status:EQUALS:a,b");
  assertEquals(added("text", "LIKE", "late"), "filter=text:LIKE:late");
  assertEquals(
    added("emailSize", "GREATER_THAN", "1.5 MB"),
    "filter=emailSize:GREATER_THAN:1500000",
  );
  assertEquals(
    added("duration", "EQUALS", "long"),
    "Write a duration, such as 90s, >5m, <=2h or 1m..5m",
  );
  assertEquals(added("duration", "LESS_THAN", "2 min"), "filter=duration:LESS_THAN:120");
  assertEquals(added("automated", "EQUALS", "Manual"), "filter=automated:EQUALS:false");
  assertEquals(added("recipient", "!EQUALS", "@A.org"), "filter=!recipientDomain:EQUALS:a.org");
  assertEquals(added("endTime", "!IS_NULL", ""), "filter=!endTime:IS_NULL");
});

Deno.test("parsePageView: keeps a query as it was typed", () => {
  const parse = (text: string) => parsePageView(new URLSearchParams(text), FILE_SETS, DATES);
  assertEquals(parse("q=updated:last-month").view.q, "updated:last-month");
  assertEquals(parse("q=owner:Finance++payroll").view.q, "owner:Finance  payroll");
  assertEquals(parse("q=payroll&limit=25").query, "payroll");
  assertEquals(parse("filter=owner:EQUALS:Finance&sort=name").query, "owner:Finance sort:name");
  assertEquals(parse("q=payroll&filter=owner:EQUALS:Finance").query, "payroll owner:Finance");
});

Deno.test("parsePageView: an issue of a query has its place, and the text stays", () => {
  const { query, issues } = parsePageView(
    new URLSearchParams({ q: "payroll colour:red" }),
    FILE_SETS,
    DATES,
  );
  assertEquals(query, "payroll colour:red");
  assertEquals(issues[0].parameter, "Query, character 9");
  assertEquals(issues[0].place, [8, 14]);
  assertEquals(issues[0].detail.startsWith("“colour”: No field is called colour."), true);
});

Deno.test("isFromForm: a link is not a form", () => {
  assertEquals(
    isFromForm(new URLSearchParams("filter=a:EQUALS:b&limit=25&new-field=owner")),
    false,
  );
  assertEquals(isFromForm(new URLSearchParams("new-form=1")), true);
});
