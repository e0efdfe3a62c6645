import { assertEquals } from "@std/assert";
import { explainIssues } from "../../../../components/file_sets/search/search_result.tsx";

Deno.test("explainIssues: names the wrong condition, and links to the search without it", () => {
  const payroll = { field: "name", operator: "LIKE", value: ["payroll"] };
  const body = { filters: [payroll, { field: "owner", operator: "NOPE", value: ["x"] }] };
  const issue = { pointer: "/filters/1/operator", detail: "must be one of EQUALS, LIKE" };
  const { named, usable } = explainIssues({ body, offset: 100 }, [
    issue,
    { detail: "is too long" },
  ], 1000);
  assertEquals(named, [
    { ...issue, parameter: "“owner NOPE x”, operator" },
    { detail: "is too long" },
  ]);
  assertEquals(usable, {
    href: "/filesets?q=payroll",
    text: "Search without what is wrong",
  });
});

Deno.test("explainIssues: links to the largest page size", () => {
  const body = { filters: [{ field: "owner", operator: "NOPE", value: ["x"] }] };
  const limit = { parameter: "limit", detail: "must be a whole number from 1 to 1000" };
  const usableOf = (issues: Parameters<typeof explainIssues>[1], view = { body, limit: 7777 }) =>
    explainIssues(view, issues, 1000).usable;
  assertEquals(usableOf([limit]), {
    href: "/filesets?q=owner:NOPE:x&limit=1000",
    text: "Search with 1,000 rows per page",
  });
  const operator = { pointer: "/filters/0/operator", detail: "must be one of EQUALS, LIKE" };
  assertEquals(usableOf([limit, operator]), {
    href: "/filesets?limit=1000",
    text: "Search without what is wrong",
  });
  assertEquals(usableOf([operator], { body, limit: 25 }).href, "/filesets?limit=25");
});
