import { assertEquals } from "@std/assert";
import { faultsOf } from "../../../../components/file_sets/search/faults.ts";

Deno.test("faultsOf: names the condition, and leaves it out of the view", () => {
  const payroll = { field: "name", operator: "LIKE", value: ["payroll"] };
  const body = { filters: [payroll, { field: "owner", operator: "NOPE", value: ["x"] }] };
  const issue = { pointer: "/filters/1/operator", detail: "must be one of EQUALS, LIKE" };
  const { named, usable } = faultsOf({ body, q: "name:~payroll owner:NOPE:x", offset: 100 }, [
    issue,
    { detail: "is too long" },
  ]);
  assertEquals(named, [
    { ...issue, parameter: "“owner NOPE x”, operator" },
    { detail: "is too long" },
  ]);
  assertEquals(usable, { body: { filters: [payroll], dateFilters: [], fieldSort: [] } });
});
