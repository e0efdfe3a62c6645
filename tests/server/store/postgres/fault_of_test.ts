import { assertEquals, assertMatch } from "@std/assert";
import type { DatabaseFault } from "../../../../server/store/database_fault.ts";
import { faultOf } from "../../../../server/store/postgres/faults.ts";

function errorOf(code: string, message: string): Error {
  return Object.assign(new TypeError(message), { code });
}

Deno.test("faultOf: an error of Node's own is a fault of ours, and no outage", () => {
  const error = errorOf("ERR_INVALID_ARG_TYPE", "The argument must be a string");
  assertEquals(faultOf(error), error);
});

Deno.test("faultOf: a certificate that nobody vouches for is told with what to do", () => {
  const error = errorOf(
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "unable to verify the first certificate",
  );
  const fault = faultOf(error) as DatabaseFault;
  assertEquals(fault.kind, "away");
  assertMatch(fault.message, /sslmode/);
});
