/**
 * For tests of programs that use this library: a service in the same process with the rows of the
 * test, with faults on demand, and a clock that never makes a test wait.
 *
 * ```ts
 * import { createClient } from "@docket/docket";
 * import { createTestClock, createTestService, makeFileSets } from "@docket/docket/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = createTestClock();
 * const service = createTestService({
 *   fileSets: makeFileSets(250),
 *   // The first request is refused for a minute, the second one breaks off, all others are good.
 *   faults: [{ kind: "status", status: 429, retryAfter: "60" }, { kind: "reset", at: "body" }],
 *   runtime: clock.runtime,
 * });
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   fetch: service.fetch,
 *   runtime: clock.runtime,
 * });
 * const rows = await Array.fromAsync(client.fileSets.search());
 * assertEquals(rows.length, 250);
 * assertEquals(service.requests.length, 5);
 * ```
 *
 * @module
 */

export type { Runtime } from "../client/transport/runtime.ts";
export { createTestClock, type TestClock } from "./clock.ts";
export type { Fault, Quirks } from "./faults.ts";
export type { Profile } from "./profiles.ts";
export { makeFileSets, makeRuns } from "./make_rows.ts";
export {
  createTestService,
  type SeenRequest,
  type TestService,
  type TestServiceOptions,
} from "./service.ts";
