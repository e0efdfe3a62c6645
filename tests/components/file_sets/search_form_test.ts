import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { splitValues, viewOfForm } from "../../../components/file_sets/search_form.ts";
import { isFromForm } from "../../../components/file_sets/search_inputs.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

function hrefOfForm(fields: Record<string, string>): string {
  const { view, issues } = viewOfForm(new URLSearchParams(fields), NOW);
  assertEquals(issues, []);
  return fileSetsHref(view);
}

function issuesOfForm(fields: Record<string, string>): string[] {
  return viewOfForm(new URLSearchParams(fields), NOW).issues.map(({ parameter }) => parameter);
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

Deno.test("viewOfForm: a preset becomes the days it means today", () => {
  assertEquals(
    hrefOfForm({ "new-date-field": "created", "new-preset": "month" }),
    "/filesets?date=created:2026-06-01T00%253A00%253A00Z..2026-07-01T00%253A00%253A00Z",
  );
});

Deno.test("viewOfForm: the quick search replaces the one before, and an empty one ends it", () => {
  const filter = "name:LIKE:old";
  assertEquals(hrefOfForm({ filter, "new-name": "new" }), "/filesets?filter=name:LIKE:new");
  assertEquals(hrefOfForm({ filter, "new-name": "" }), "/filesets");
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
  const { issues } = parseFileSetsView(new URLSearchParams("fliter=owner:EQUALS:Claims"));
  assertEquals(issues.map(({ parameter }) => parameter), ["fliter"]);
});

Deno.test("isFromForm: a link is not a form", () => {
  assertEquals(isFromForm(new URLSearchParams("filter=a:EQUALS:b&limit=25")), false);
  assertEquals(isFromForm(new URLSearchParams("new-name=")), true);
});
