import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseFileSetsView } from "../../../../components/file_sets/file_sets_link.ts";
import { fileSetsHref } from "../../../../components/file_sets/file_sets_view.ts";
import { splitValues, viewOfForm } from "../../../../components/file_sets/search/search_form.ts";
import { isFromForm } from "../../../../components/file_sets/search/search_inputs.ts";

const DATES = { now: Date.parse("2026-06-15T12:00:00Z"), zone: "UTC" };

function hrefOfForm(fields: Record<string, string>): string {
  const { view, issues } = viewOfForm(new URLSearchParams(fields), DATES);
  assertEquals(issues, []);
  return fileSetsHref(view);
}

function issuesOfForm(fields: Record<string, string>): string[] {
  return viewOfForm(new URLSearchParams(fields), DATES).issues.map(({ parameter }) => parameter);
}

Deno.test("splitValues: commas separate, double quotes keep them", () => {
  assertEquals(splitValues("a, b ,c"), ["a", "b", "c"]);
  assertEquals(splitValues('"a, b",c'), ["a, b", "c"]);
  assertEquals(splitValues('"say ""hi"""'), ['say "hi"']);
  assertEquals(splitValues(" , ,"), []);
});

Deno.test("splitValues: what is quoted is read back", () => {
  const value = fc.string({ minLength: 1 });
  fc.assert(fc.property(fc.array(value), (values) => {
    const typed = values.map((text) => `"${text.replaceAll('"', '""')}"`).join(", ");
    assertEquals(splitValues(typed), values);
  }));
});

Deno.test("viewOfForm: adds a condition to those there are", () => {
  assertEquals(
    hrefOfForm({
      "filter": "owner:EQUALS:Finance",
      "new-field": "Files",
      "new-operator": "GREATER_THAN",
      "new-value": "10",
      "new-not": "true",
    }),
    "/filesets?filter=owner:EQUALS:Finance&filter=!fileCount:GREATER_THAN:10",
  );
});

Deno.test("viewOfForm: another operator may be typed, with values or without", () => {
  const typed = { "new-field": "name", "new-other-operator": "SOUNDS_LIKE" };
  assertEquals(hrefOfForm(typed), "/filesets?filter=name:SOUNDS_LIKE");
  assertEquals(
    hrefOfForm({ ...typed, "new-value": "a" }),
    "/filesets?filter=name:SOUNDS_LIKE:a",
  );
  assertEquals(issuesOfForm({ "new-other-operator": "SOUNDS_LIKE" }), ["Field"]);
});

Deno.test("viewOfForm: a range such as this month stays relative", () => {
  const params = { "q": "payroll", "new-date-field": "Created", "new-preset": "this-month" };
  assertEquals(hrefOfForm(params), "/filesets?q=payroll+created:this-month");
  assertEquals(
    hrefOfForm({ ...params, "q": "owner:Finance", "new-date-not": "true", limit: "25" }),
    "/filesets?limit=25&q=owner:Finance+-created:this-month",
  );
  const { view } = viewOfForm(new URLSearchParams(params), DATES);
  assertEquals(view.body.dateFilters, [
    { field: "created", start: "2026-06-01T00:00:00Z", end: "2026-07-01T00:00:00Z" },
  ]);
});

Deno.test("viewOfForm: days are those of the reader's zone", () => {
  const params = {
    "new-date-field": "created",
    "new-from": "2026-01-31",
    "new-through": "2026-01-31",
  };
  const { view } = viewOfForm(new URLSearchParams(params), { ...DATES, zone: "Europe/Berlin" });
  assertEquals(view.body.dateFilters, [
    { field: "created", start: "2026-01-30T23:00:00Z", end: "2026-01-31T23:00:00Z" },
  ]);
});

Deno.test("viewOfForm: the query is the search, and additions extend it", () => {
  assertEquals(hrefOfForm({ q: "new" }), "/filesets?filter=name:LIKE:new");
  assertEquals(hrefOfForm({ q: "" }), "/filesets?view=all");
  const relative = { q: "updated:last-month sort:-updated" };
  assertEquals(hrefOfForm(relative), "/filesets?q=updated:last-month+sort:-updated");
  assertEquals(
    hrefOfForm({ ...relative, "new-field": "owner", "new-value": "Finance" }),
    "/filesets?filter=owner:EQUALS:Finance" +
      "&date=updated:2026-05-01T00:00:00Z..2026-06-01T00:00:00Z&sort=updated:DESC",
  );
});

Deno.test("parseFileSetsView: a query is kept where it says more than its conditions", () => {
  const parse = (text: string) => parseFileSetsView(new URLSearchParams(text), DATES);
  assertEquals(parse("q=updated:last-month").view.q, "updated:last-month");
  assertEquals(parse("q=payroll").view.q, undefined);
  assertEquals(parse("q=payroll").query, "payroll");
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
  assertEquals(issues[0].detail.startsWith("“colour”: No field is called colour."), true);
});

Deno.test("viewOfForm: half a condition is a fault, not a search for more", () => {
  assertEquals(issuesOfForm({ "new-value": "payroll" }), ["Field"]);
  assertEquals(issuesOfForm({ "new-field": "owner" }), ["Value"]);
  assertEquals(issuesOfForm({ "new-field": "owner", "new-operator": "IS_NULL" }), []);
  assertEquals(issuesOfForm({ "new-from": "2026-01-01" }), ["Date field"]);
  assertEquals(issuesOfForm({ "new-date-field": "created" }), ["Range"]);
  assertEquals(issuesOfForm({ "new-date-field": "created", "new-from": "soon" }), ["From"]);
});

Deno.test("parseFileSetsView: a misspelt parameter is a fault, not a search for more", () => {
  const { issues } = parseFileSetsView(new URLSearchParams("fliter=owner:EQUALS:Claims"), DATES);
  assertEquals(issues.map(({ parameter }) => parameter), ["fliter"]);
});

Deno.test("isFromForm: a link is not a form", () => {
  assertEquals(isFromForm(new URLSearchParams("filter=a:EQUALS:b&limit=25")), false);
  assertEquals(isFromForm(new URLSearchParams("new-field=")), true);
});
