import { assertEquals } from "@std/assert";
import { faultsOf } from "../../../../components/file_sets/search/search_result.tsx";

Deno.test("faultsOf: names the condition, and leaves it out of the view", () => {
  const payroll = { field: "name", operator: "LIKE", value: ["payroll"] };
  const body = { filters: [payroll, { field: "owner", operator: "NOPE", value: ["x"] }] };
  const issue = { pointer: "/filters/1/operator", detail: "must be one of EQUALS, LIKE" };
  const { named, usable } = faultsOf({ body, q: "name:~payroll owner:NOPE:x", offset: 100 }, [
    issue,
    { detail: "is too long" },
  ], 1000);
  assertEquals(named, [
    { ...issue, parameter: "“owner NOPE x”, operator" },
    { detail: "is too long" },
  ]);
  assertEquals(usable, { href: "/filesets?filter=name:LIKE:payroll", text: "Search without it" });
});

Deno.test("faultsOf: for a page that is too large, the same search with the largest", () => {
  const body = { filters: [{ field: "owner", operator: "NOPE", value: ["x"] }] };
  const limit = { parameter: "limit", detail: "must be a whole number from 1 to 1000" };
  const usableOf = (issues: Parameters<typeof faultsOf>[1], view = { body, limit: 7777 }) =>
    faultsOf(view, issues, 1000).usable;
  assertEquals(usableOf([limit]), {
    href: "/filesets?filter=owner:NOPE:x&limit=1000",
    text: "Search with 1,000 a page",
  });
  const operator = { pointer: "/filters/0/operator", detail: "must be one of EQUALS, LIKE" };
  assertEquals(usableOf([limit, operator]), {
    href: "/filesets?limit=1000",
    text: "Search without it",
  });
  assertEquals(usableOf([operator], { body, limit: 25 }).href, "/filesets?limit=25");
});
