import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isDocketError } from "../../../../lib/errors.ts";
import type { Fault, Quirks } from "../../../../lib/testing/mod.ts";
import type { Walk, WalkOptions } from "../../../../lib/client/walks/walk.ts";
import { setUp } from "../client_setup.ts";

type Row = { readonly id: string | number };

const options: fc.Arbitrary<WalkOptions> = fc.record({
  prefetch: fc.integer({ min: 1, max: 5 }),
  verify: fc.boolean(),
}, { requiredKeys: [] });

const quirks: fc.Arbitrary<Quirks> = fc.record({
  mostRows: fc.integer({ min: 2, max: 9 }),
  reportsLimit: fc.boolean(),
  total: fc.constant(() => undefined),
}, { requiredKeys: [] });

const faults: fc.Arbitrary<readonly (Fault | undefined)[]> = fc.array(
  fc.constantFrom<Fault | undefined>(
    undefined,
    { kind: "stall", at: "headers" },
    { kind: "stall", at: "body" },
    { kind: "reset", at: "headers" },
    { kind: "reset", at: "body" },
    { kind: "truncated" },
    { kind: "status", status: 429, retryAfter: "7" },
    { kind: "status", status: 429 },
    { kind: "status", status: 503, retryAfter: "junk" },
    { kind: "status", status: 500 },
  ),
  { maxLength: 8 },
);

/** A change of the list before one request: rows put in at a place, then rows taken out at one. */
interface Change {
  readonly request: number;
  readonly put: number;
  readonly putAt: number;
  readonly taken: number;
  readonly takenAt: number;
}

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    request: fc.integer({ min: 1, max: 12 }),
    put: fc.nat(4),
    putAt: fc.nat(60),
    taken: fc.nat(4),
    takenAt: fc.nat(60),
  }),
  { maxLength: 6 },
);

const cases = fc.record({
  count: fc.nat(60),
  limit: fc.integer({ min: 1, max: 12 }),
  operation: fc.constantFrom("search", "history"),
  options,
  quirks,
  faults,
  changes,
});

type Case = typeof cases extends fc.Arbitrary<infer Made> ? Made : never;

/** Walks as the case says; the model is the list of ids that were there from begin to end. */
async function walkCase({ count, limit, operation, options, quirks, faults, changes }: Case) {
  const isSearch = operation === "search";
  const row = (number: number): Row => ({ id: isSearch ? `row ${number}` : number });
  const initial = Array.from({ length: count }, (_, index) => row(index));
  const throughout = new Set(initial.map(({ id }) => id));
  let added = 1000;
  const { client, clock, service } = setUp({
    fileSets: initial as { id: string }[],
    runs: { 101: initial as { id: number }[] },
    quirks,
    faults,
    change: (service, { index }) => {
      const list = (isSearch ? service.fileSets : service.runs.get(101)) as Row[];
      for (const { request, put, putAt, taken, takenAt } of changes) {
        if (request !== index) continue;
        list.splice(putAt, 0, ...Array.from({ length: put }, () => row(added++)));
        for (const { id } of list.splice(takenAt, taken)) throughout.delete(id);
      }
    },
  }, { attempts: 20, deadlineMs: Infinity });
  const walk: Walk<unknown, Row> = isSearch
    ? client.fileSets.search({}, { limit }).walk(options)
    : client.reportSchedules.history(101, { limit }).walk(options);
  const ids: (string | number)[] = [];
  let error: unknown;
  try {
    for await (const { id } of walk) ids.push(id);
  } catch (thrown) {
    error = thrown;
  }
  // What was called off ends in its own turn.
  await new Promise((done) => setTimeout(done, 0));
  assertEquals(clock.pending, 0, "a timer was left");
  assert(service.requests.length < 400, "the walk does not end");
  return { ids, throughout, error, report: walk.report };
}

Deno.test("walk: with changes and verify, each row that stayed comes, or drift is reported", async () => {
  let silent = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (drawn) => {
      const verified = { ...drawn, faults: [], options: { ...drawn.options, verify: true } };
      const { ids, throughout, error, report } = await walkCase(verified);
      assertEquals(new Set(ids).size, ids.length, "a row came twice");
      if (error !== undefined) {
        assert(isDocketError(error), String(error));
      } else if (report.driftCount === 0) {
        silent++;
        const missing = [...throughout].filter((id) => !ids.includes(id));
        assertEquals(missing, [], "rows are missing and nothing was reported");
      }
    }),
    { numRuns: 150 },
  );
  assert(silent > 10, `only ${silent} walks saw no drift, which proves little`);
});

Deno.test("walk: whatever the faults and lies, each row comes once, or it is an error", async () => {
  const lies = fc.record({
    mostSkipped: fc.constantFrom(undefined, undefined, 0, 7, 40),
    reportsOffset: fc.boolean(),
    mostRows: fc.integer({ min: 2, max: 9 }),
    reportsLimit: fc.boolean(),
    // None is the size of a first page, with which a search could end.
    total: fc.constantFrom(undefined, 0, 1, 15).map((claimed) => () => claimed),
  }, { requiredKeys: [] });
  // It gives its first two rows for ever, and claims to give them.
  const nothing = { options: {}, quirks: {}, faults: [], changes: [] };
  const example: Case = { count: 3, limit: 3, operation: "search", ...nothing };
  const first = {
    mostSkipped: 0,
    mostRows: 2,
    reportsLimit: false,
    total: () => undefined,
  } as const;
  const seen = { stalled: 0, contradiction: 0 };
  await fc.assert(
    fc.asyncProperty(cases, lies, async (drawn, quirks) => {
      const { ids, throughout, error, report } = await walkCase({ ...drawn, quirks, changes: [] });
      if (error !== undefined) {
        assert(isDocketError(error) && error.kind === "stalled", String(error));
        const isMore = quirks.total?.()! > drawn.count;
        assert(quirks.mostSkipped !== undefined || isMore, "nothing was wrong");
        seen.stalled++;
        return;
      }
      assertEquals(ids, [...throughout]);
      const isDisproved = drawn.operation === "search" &&
        quirks.total?.()! < drawn.count;
      assertEquals(report.drift.map(({ kind }) => kind), isDisproved ? ["contradiction"] : []);
      assertEquals([report.complete, report.items], [!isDisproved, ids.length]);
      assertEquals(report.stopReason, "end");
      if (!isDisproved) return;
      assertEquals(report.total, undefined);
      seen.contradiction++;
    }),
    { numRuns: 120, examples: [[example, first]] },
  );
  assert(Math.min(seen.stalled, seen.contradiction) > 5, JSON.stringify(seen));
});
