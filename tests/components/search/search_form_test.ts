import { assertEquals } from "@std/assert";
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { parseSearchQuery } from "../../../lib/search/search_query.ts";
import { RUNS } from "../../../components/runs/search/run_view.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";
import { formatPageView, type SearchedRows } from "../../../components/search/page_view.ts";
import { isFromForm, readForm } from "../../../components/search/search_form.ts";

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
  const { view, issues } = formOf(fields, zone);
  assertEquals(issues, []);
  return fileSetsHref(view);
}

Deno.test("readForm: adds a condition to the others", () => {
  const fields = { "q": "owner:Finance", "new-field": "fileCount" };
  assertEquals(
    hrefOfForm({ ...fields, "new-operator": "!GREATER_THAN", "new-value": "10" }),
    "/filesets?q=owner:Finance+-files:%3E10",
  );
});

Deno.test("readForm: several values, with commas in quotes, or none", () => {
  const owner = { "new-field": "owner", "new-operator": "EQUALS" };
  assertEquals(
    hrefOfForm({ ...owner, "new-value": ' Finance, "Legal, Claims",Audit' }),
    "/filesets?q=owner:Finance,%22Legal,+Claims%22,Audit",
  );
  assertEquals(
    hrefOfForm({ ...owner, "new-value": '"say ""hi"""' }),
    "/filesets?q=owner:%22say+%22%22hi%22%22%22",
  );
  assertEquals(
    hrefOfForm({ "new-field": "description", "new-operator": "!IS_NULL", "new-value": "left" }),
    "/filesets?q=has:description",
  );
});

Deno.test("readForm: a range such as this month stays relative", () => {
  const fields = { "q": "payroll", "new-field": "created", "new-value": "this-month" };
  assertEquals(
    hrefOfForm(fields),
    "/filesets?q=payroll+created:this-month",
  );
  assertEquals(
    hrefOfForm({ ...fields, "new-operator": "!EQUALS", limit: "25" }),
    "/filesets?q=payroll+-created:this-month&limit=25",
  );
});

Deno.test("readForm: reads days in the reader's zone, both ends included", () => {
  const fields = { "new-field": "created", "new-operator": "EQUALS" };
  assertEquals(
    hrefOfForm({ ...fields, "new-value": "2026-01-31" }, "Europe/Berlin"),
    "/filesets?q=created:2026-01-31",
  );
  assertEquals(
    hrefOfForm({ ...fields, "new-value": "2026-01-31.." }),
    "/filesets?q=created:2026-01-31..",
  );
});

Deno.test("readForm: combines the query with the added condition", () => {
  assertEquals(hrefOfForm({ q: "new" }), "/filesets?q=new");
  assertEquals(hrefOfForm({ q: "" }), "/filesets");
  const relative = { q: "updated:last-month sort:-updated" };
  assertEquals(hrefOfForm(relative), "/filesets?q=updated:last-month&sort=-updated");
  assertEquals(
    hrefOfForm({
      ...relative,
      "new-field": "owner",
      "new-operator": "EQUALS",
      "new-value": "Finance",
    }),
    "/filesets?q=owner:Finance+updated:last-month&sort=-updated",
  );
});

Deno.test("readForm: table options don't change the search", () => {
  const columns = [["new-column", "name"], ["new-column", "owner"], ["limit", "100"]];
  assertEquals(
    hrefOfForm([["q", "payroll"], ...columns]),
    "/filesets?q=payroll&columns=name,owner",
  );
  const usual = ["name", "owner", "permission", "fileCount", "updated"];
  const checked = (names: readonly string[]) => names.map((name) => ["new-column", name]);
  assertEquals(hrefOfForm([["q", "payroll"], ...checked(usual)]), "/filesets?q=payroll");
  assertEquals(
    hrefOfForm([["q", "payroll"], ...checked([...usual, "id"])]),
    `/filesets?q=payroll&columns=${usual},id`,
  );
});

Deno.test("readForm: a wrong condition has an issue, and keeps what was typed", () => {
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
  assertEquals(issueOf("created", "2026-02-30"), "There is no day 2026-02-30");
  assertEquals(issueOf("created", "2026-02-01..2026-01-01"), "2026-02-01 is after 2026-01-01");
  // Of what is wrong with the query, the query says so first.
  const wrong = formOf({ q: "colour:red", "new-field": "owner", "new-value": "a" });
  assertEquals([wrong.issues.length, wrong.condition.value], [1, "a"]);
});

Deno.test("readForm: reads a condition on runs", () => {
  const added = (field: string, operator: string, value: string) => {
    const fields = { "new-field": field, "new-operator": operator, "new-value": value };
    const { view, condition } = formOf(fields, "UTC", RUNS);
    return condition.issue ?? decodeURIComponent(String(formatPageView(view, RUNS.table)));
  };
  assertEquals(added("status", "!EQUALS", "a, b"), "q=-status:a,b");
  assertEquals(added("text", "LIKE", "late"), "q=late");
  assertEquals(
    added("emailSize", "GREATER_THAN", "1.5 MB"),
    "q=email-size:>1.5MB",
  );
  assertEquals(
    added("duration", "EQUALS", "long"),
    "Write a duration, such as 90s, >5m, <=2h or 1m..5m",
  );
  assertEquals(added("duration", "LESS_THAN", "2 min"), "q=took:<2m");
  assertEquals(added("automated", "EQUALS", "Manual"), "q=trigger:manual");
  assertEquals(added("recipient", "!EQUALS", "@A.org"), "q=-recipient:@a.org");
  assertEquals(added("endTime", "!IS_NULL", ""), "q=has:ended");
});

Deno.test("parsePageView: a view is read from its link as it was", () => {
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
  assertEquals(parse("q=fils>5&sort=name").meant?.body.fieldSort?.length, 1);
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
    isFromForm(new URLSearchParams("q=a:EQUALS:b&limit=25&new-field=owner")),
    false,
  );
  assertEquals(isFromForm(new URLSearchParams("new-form=1")), true);
});
