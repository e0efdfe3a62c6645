import { assertEquals, assertThrows } from "@std/assert";
import { withDefault } from "../../../../components/page/views/saved_views.ts";
import {
  formatViewFile,
  mergedViews,
  parseViewFile,
} from "../../../../components/page/views/view_file.ts";

const views = withDefault([
  { name: "Payroll", href: "/filesets?q=payroll" },
  { name: "Failures", href: "/schedules/102?status=failure" },
], "Payroll");

Deno.test("formatViewFile, parseViewFile: views come back as they were", () => {
  assertEquals(parseViewFile(formatViewFile(views)), views);
  assertEquals(JSON.parse(formatViewFile(views)).views[0], {
    name: "Payroll",
    href: "/filesets?q=payroll",
    default: true,
  });
});

Deno.test("parseViewFile: says where a file is wrong, and what belongs there", () => {
  const file = (...views: unknown[]) => JSON.stringify({ version: 1, views });
  const good = { name: "a", href: "/filesets?q=a" };
  const cases: readonly (readonly [text: string, message: string])[] = [
    ["", "The file is not JSON"],
    ['{ "views": oops }', "The file is not JSON: Unexpected token 'o'"],
    ["[]", "views: must be a list. Choose a file exported here."],
    ["null", "views: must be a list. Choose a file exported here."],
    ['{"views":[]}', "version: must be 1. This version of Docket reads no other."],
    [file(good, {}), "views[1].name: must be a text of 1 to 80 characters."],
    [file({ ...good, name: "a".repeat(81) }), "views[0].name: must be a text of 1 to 80"],
    [file(good, good), "views[1].name: “a” is listed twice."],
    [
      file({ ...good, href: "https://evil.example/filesets" }),
      "views[0].href: must begin with /filesets or /schedules/ and an id.",
    ],
    [file(...Array(501).fill(good)), "views: can be at most 500."],
  ];
  for (const [text, message] of cases) assertThrows(() => parseViewFile(text), Error, message);
});

Deno.test("mergedViews: replaces by name, adds at the end, and keeps a chosen default", () => {
  const imported = withDefault([
    { name: "New", href: "/filesets?q=new" },
    { name: "Payroll", href: "/filesets?q=other" },
  ], "New");
  assertEquals(mergedViews(views, imported), [
    { name: "Payroll", href: "/filesets?q=other", isDefault: true },
    views[1],
    { name: "New", href: "/filesets?q=new" },
  ]);
  assertEquals(mergedViews([], imported), imported);
});
