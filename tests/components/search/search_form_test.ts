import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { formatIssue } from "../../../components/page/format_issue.ts";
import { RUNS } from "../../../components/runs/search/run_columns.ts";
import { draftOf, quoteValue, splitValues } from "../../../components/search/draft.ts";
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

Deno.test("splitValues: commas separate, double quotes keep them", () => {
  assertEquals(splitValues("a, b ,c"), ["a", "b", "c"]);
  assertEquals(splitValues('"a, b",c'), ["a, b", "c"]);
  assertEquals(splitValues('"say ""hi"""'), ['say "hi"']);
  assertEquals(splitValues(" , ,"), []);
});

Deno.test("splitValues: what quoteValue wrote is read back", () => {
  const value = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
  fc.assert(fc.property(fc.array(value), (values) => {
    assertEquals(splitValues(values.map(quoteValue).join(", ")), values);
  }));
});

Deno.test("viewOfForm: adds a condition to those there are", () => {
  const fields = { "q": "owner:Finance", "new-field": "fileCount" };
  assertEquals(
    hrefOfForm({ ...fields, "new-operator": "!GREATER_THAN", "new-value": "10" }),
    "/filesets?filter=owner:EQUALS:Finance&filter=!fileCount:GREATER_THAN:10",
  );
});

Deno.test("viewOfForm: values are chosen and typed, each counts once", () => {
  const chosen = [["new-chosen", "Finance"], ["new-chosen", "Legal"], [
    "new-value",
    "Legal, Claims",
  ]];
  assertEquals(
    hrefOfForm([["new-field", "owner"], ["new-operator", "EQUALS"], ...chosen]),
    "/filesets?filter=owner:EQUALS:Finance,Legal,Claims",
  );
  assertEquals(
    hrefOfForm({ "new-field": "description", "new-operator": "!IS_NULL", "new-value": "left" }),
    "/filesets?filter=!description:IS_NULL",
  );
});

Deno.test("viewOfForm: another operator of a link is kept, with values or without", () => {
  const typed = { "new-field": "name", "new-operator": "SOUNDS_LIKE" };
  assertEquals(hrefOfForm(typed), "/filesets?filter=name:SOUNDS_LIKE");
  assertEquals(hrefOfForm({ ...typed, "new-value": "a" }), "/filesets?filter=name:SOUNDS_LIKE:a");
});

Deno.test("viewOfForm: a condition that is edited keeps its place, on or off", () => {
  const edit = { "new-field": "owner", "new-operator": "EQUALS", "new-value": "Legal" };
  assertEquals(
    hrefOfForm({ q: "owner:Finance payroll", ...edit, "new-replaces": "owner:EQUALS:Finance" }),
    "/filesets?filter=owner:EQUALS:Legal&filter=name:LIKE:payroll",
  );
  assertEquals(
    hrefOfForm({
      q: "payroll",
      off: "filter:owner:EQUALS:Finance",
      ...edit,
      "new-replaces": "owner:EQUALS:Finance",
    }),
    "/filesets?filter=name:LIKE:payroll&off=filter:owner:EQUALS:Legal",
  );
  // Where the query was changed meanwhile, nothing that was typed is lost.
  assertEquals(
    hrefOfForm({ q: "payroll", ...edit, "new-replaces": "owner:EQUALS:Finance" }),
    "/filesets?filter=name:LIKE:payroll&filter=owner:EQUALS:Legal",
  );
});

Deno.test("viewOfForm: after one condition, another can be added", () => {
  const fields = { "new-field": "owner", "new-operator": "EQUALS", "new-value": "Legal" };
  assertEquals(
    hrefOfForm({ ...fields, "new-next": "add" }),
    "/filesets?filter=owner:EQUALS:Legal&add=",
  );
});

Deno.test("viewOfForm: a range such as this month stays relative", () => {
  const fields = { "q": "payroll", "new-field": "created", "new-operator": "DURING" };
  assertEquals(
    hrefOfForm({ ...fields, "new-range": "this-month" }),
    "/filesets?filter=name:LIKE:payroll&date=created:this-month",
  );
  assertEquals(
    hrefOfForm({ ...fields, "new-operator": "!DURING", "new-range": "this-month", limit: "25" }),
    "/filesets?filter=name:LIKE:payroll&date=!created:this-month&limit=25",
  );
});

Deno.test("viewOfForm: days are those of the reader's zone, both included", () => {
  const fields = {
    "new-field": "created",
    "new-operator": "DURING",
    "new-range": "",
    "new-from": "2026-01-31",
    "new-through": "2026-01-31",
  };
  assertEquals(
    hrefOfForm(fields, "Europe/Berlin"),
    "/filesets?date=created:2026-01-30T23:00:00Z..2026-01-31T23:00:00Z",
  );
  assertEquals(
    hrefOfForm({ ...fields, "new-through": "" }),
    "/filesets?date=created:2026-01-31T00:00:00Z..",
  );
});

Deno.test("viewOfForm: the query is the search, and additions extend it", () => {
  assertEquals(hrefOfForm({ q: "new" }), "/filesets?q=new");
  assertEquals(hrefOfForm({ q: "" }), "/filesets?view=all");
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

Deno.test("viewOfForm: the options of the table leave the search as it is", () => {
  const columns = [["new-column", "name"], ["new-column", "owner"], ["limit", "100"]];
  assertEquals(
    hrefOfForm([["q", "payroll"], ["density", ""], ...columns]),
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
  // The query stays as it was typed, until a sort key is added.
  const query = (more: Record<string, string>) => formOf({ q: "owner:a  b", ...more }).query;
  assertEquals(query({ "new-column": "name" }), "owner:a  b");
  assertEquals(query({ "new-sort": "name" }), "owner:a b sort:name");
});

Deno.test("viewOfForm: of a range and days, what was changed counts", () => {
  const days = { "new-from": "2026-01-01", "new-through": "2026-01-31" };
  const times = "2026-01-01T00:00:00Z..2026-02-01T00:00:00Z";
  const edited = (query: string, fields: Record<string, string>) =>
    hrefOfForm({
      "q": `updated:${query}`,
      "new-field": "updated",
      "new-operator": "DURING",
      "new-replaces": `updated:${query}`,
      ...fields,
    });
  const january = `/filesets?date=updated:${times}`;
  assertEquals(
    edited(times, { ...days, "new-range": "last-year" }),
    "/filesets?date=updated:last-year",
  );
  assertEquals(edited("last-year", { ...days, "new-range": "last-year" }), january);
  assertEquals(edited("last-year", { ...days, "new-range": "" }), january);
  assertEquals(edited(times, { ...days, "new-range": "" }), january);
});

Deno.test("viewOfForm: half a condition is an issue, and the editor stays open", () => {
  const { view, issues } = formOf({
    "q": "payroll",
    "new-field": "owner",
    "new-operator": "EQUALS",
  });
  assertEquals(issues, [{ parameter: "Owner", detail: "A value is missing" }]);
  assertEquals([view.add, view.body.filters?.length], ["owner", 1]);
  const details = (fields: Record<string, string>) => formOf(fields).issues.map(formatIssue);
  assertEquals(
    details({ "new-field": "fileCount", "new-operator": "EQUALS", "new-value": "27,000" }),
    ["Files: Write a number without commas or leading zeros, such as 27000"],
  );
  const during = { "new-field": "created", "new-operator": "DURING" };
  assertEquals(details(during), ["Created: choose a range or type a day"]);
  assertEquals(details({ ...during, "new-from": "2026-02-30" }), [
    "Created: There is no such day",
  ]);
  assertEquals(details({ ...during, "new-from": "2026-02-01", "new-through": "2026-01-01" }), [
    "Created: 2026-02-01 is after 2026-01-01",
  ]);
});

Deno.test("viewOfForm: a condition on runs, in the words of its field", () => {
  const added = (field: string, operator: string, value: string) => {
    const fields = { "new-field": field, "new-operator": operator, "new-value": value };
    const { view, issues } = formOf(fields, "UTC", RUNS);
    return issues.length > 0 ? issues.map(formatIssue).join() : String(
      decodeURIComponent(String(formatPageView(view))),
    );
  };
  assertEquals(added("status", "!EQUALS", "a, b"), "filter=!status:EQUALS:a,b");
  assertEquals(added("text", "LIKE", "late"), "filter=text:LIKE:late");
  assertEquals(
    added("emailSize", "GREATER_THAN", "1.5 MB"),
    "filter=emailSize:GREATER_THAN:1500000",
  );
  assertEquals(
    added("duration", "EQUALS", "long"),
    "Duration: Write a duration, such as 90s, >5m, <=2h or 1m..5m",
  );
  assertEquals(added("duration", "LESS_THAN", "2 min"), "filter=duration:LESS_THAN:120");
  assertEquals(added("automated", "EQUALS", "Manual"), "filter=automated:EQUALS:false");
  assertEquals(added("recipient", "!EQUALS", "@A.org"), "filter=!recipientDomain:EQUALS:a.org");
  assertEquals(added("endTime", "!IS_NULL", ""), "filter=!endTime:IS_NULL");
});

Deno.test("draftOf: a condition as the editor shows it", () => {
  const filter = { field: "owner", operator: "EQUALS", value: ["a,b", "c"], not: true };
  const { operator, value } = draftOf(filter, "x", { table: FILE_SETS.table, zone: "UTC" });
  assertEquals([operator, value], ["!EQUALS", '"a,b", c']);
  assertEquals(
    draftOf({ ...filter, operator: "LIKE" }, "x", { table: FILE_SETS.table, zone: "UTC" }).operator,
    "!LIKE",
  );
  assertEquals(
    draftOf({ field: "owner", value: ["a"] }, "x", { table: FILE_SETS.table, zone: "UTC" })
      .operator,
    "EQUALS",
  );
  const days = { field: "created", start: "2026-01-30T23:00:00Z", end: "2026-01-31T23:00:00Z" };
  const { range, from, through } = draftOf(days, "x", {
    table: FILE_SETS.table,
    zone: "Europe/Berlin",
  });
  assertEquals([range, from, through], ["", "2026-01-31", "2026-01-31"]);
  const named = draftOf({ ...days, range: "yesterday" }, "x", {
    table: FILE_SETS.table,
    zone: "Europe/Berlin",
  });
  assertEquals([named.range, named.from], ["yesterday", ""]);
});

Deno.test("parseFileSetsView: a query is kept as it was typed", () => {
  const parse = (text: string) => parseFileSetsView(new URLSearchParams(text), DATES);
  assertEquals(parse("q=updated:last-month").view.q, "updated:last-month");
  assertEquals(parse("q=owner:Finance++payroll").view.q, "owner:Finance  payroll");
  assertEquals(parse("q=payroll&limit=25").query, "payroll");
  assertEquals(parse("filter=owner:EQUALS:Finance&sort=name").query, "owner:Finance sort:name");
  assertEquals(parse("q=payroll&filter=owner:EQUALS:Finance").query, "payroll owner:Finance");
});

Deno.test("parseFileSetsView: an issue of a query points at its place, and the text is kept", () => {
  const { query, issues } = parseFileSetsView(
    new URLSearchParams({ q: "payroll colour:red" }),
    DATES,
  );
  assertEquals(query, "payroll colour:red");
  assertEquals(issues[0].parameter, "Query, character 9");
  assertEquals(issues[0].place, [8, 14]);
  assertEquals(issues[0].detail.startsWith("“colour”: No field is called colour."), true);
});

Deno.test("parseFileSetsView: conditions that are switched off are read, and filter nothing", () => {
  const params = new URLSearchParams(
    "off=filter:!owner:EQUALS:a&off=date:updated:today&off=x&off=date:y",
  );
  const { view, issues } = parseFileSetsView(params, DATES);
  assertEquals(view.body, {});
  assertEquals(view.off?.filters, [
    { field: "owner", operator: "EQUALS", value: ["a"], not: true },
  ]);
  assertEquals(view.off?.dateFilters?.[0].range, "today");
  assertEquals(issues.map(({ parameter }) => parameter), ["off", "off"]);
});

Deno.test("isFromForm: a link is not a form", () => {
  assertEquals(isFromForm(new URLSearchParams("filter=a:EQUALS:b&limit=25&add=owner")), false);
  assertEquals(isFromForm(new URLSearchParams("new-field=")), true);
});
