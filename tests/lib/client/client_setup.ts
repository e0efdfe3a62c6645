/** What the tests of the client share: a service, a clock and a client that uses both. */

import { type ClientOptions, createClient } from "../../../lib/mod.ts";
import {
  createTestClock,
  createTestService,
  makeFileSets,
  makeRuns,
  type TestServiceOptions,
} from "../../../lib/testing/mod.ts";
import { assertEquals } from "@std/assert";
import { type AnyDocketError, isDocketError } from "../../../lib/errors.ts";

/** A token that is easy to find when it leaks. */
export const TOKEN = "DDCI9f8e7d6c5b4a/secret+token=";

/**
 * Makes a client, the service that it asks, with 250 file sets and 120 runs of schedule 101 unless
 * said otherwise, and the clock by which it waits.
 */
export function setUp(
  service: TestServiceOptions = {},
  client: Partial<ClientOptions> = {},
) {
  const clock = createTestClock();
  const made = createTestService({
    fileSets: makeFileSets(250),
    runs: { 101: makeRuns(120) },
    runtime: clock.runtime,
    ...service,
  });
  return {
    clock,
    service: made,
    client: createClient({
      baseUrl: "https://service.example",
      token: TOKEN,
      fetch: made.fetch,
      runtime: clock.runtime,
      ...client,
    }),
  };
}

/** The error of this library that work ends with; it has the kind and does not hold the token. */
export async function failure<Kind extends AnyDocketError["kind"]>(
  kind: Kind,
  work: PromiseLike<unknown> | (() => unknown),
): Promise<Extract<AnyDocketError, { kind: Kind }>> {
  let error: unknown;
  try {
    await (typeof work === "function" ? work() : work);
  } catch (thrown) {
    error = thrown;
  }
  if (!isDocketError(error)) throw new Error(`Expected an error of kind ${kind}`, { cause: error });
  assertEquals(error.kind, kind, `${error.kind} error: ${error.message}`);
  return error as Extract<AnyDocketError, { kind: Kind }>;
}
