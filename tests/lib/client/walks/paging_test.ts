import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Drift, DriftError } from "../../../../lib/errors.ts";
import { makeFileSets, makeRuns } from "../../../../lib/testing/mod.ts";
import { failure, setUp, TOKEN } from "../client_setup.ts";

async function idsOf(walk: AsyncIterable<{ readonly id: string | number }>) {
  return (await Array.fromAsync(walk)).map(({ id }) => id);
}

function offsets({ requests }: { requests: readonly { offset: number }[] }): number[] {
  return requests.map(({ offset }) => offset);
}

/** Lets what is under way go on as far as it can. */
async function tasks(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done, 0));
}

Deno.test("walk: a short page ends it with a total, else an empty one; verify overlaps", async () => {
  for (const [count, expected] of [[250, [0, 100, 200]], [200, [0, 100, 200]], [0, [0]]] as const) {
    const { client, service } = setUp({ fileSets: makeFileSets(count) });
    await idsOf(client.fileSets.search());
    assertEquals(offsets(service), expected);
  }
  const runs = setUp();
  await idsOf(runs.client.reportSchedules.history(101));
  assertEquals(offsets(runs.service), [0, 100, 120]);
  const { client, service } = setUp();
  const walk = client.fileSets.search().walk({ verify: true });
  await idsOf(walk);
  assertEquals([offsets(service), walk.report.driftCount], [[0, 99, 198], 0]);
});

Deno.test("walk: asks for no more rows than the service really puts on a page", async () => {
  const { client, service } = setUp({ quirks: { mostRows: 30 } });
  await idsOf(client.fileSets.search());
  assertEquals(service.requests.map(({ limit }) => limit).slice(0, 3), [100, 30, 30]);
});

Deno.test("walk: an empty page before the total is asked for once more, then an error", async () => {
  const stuck = setUp({ quirks: { total: () => 300 } });
  const error = await failure("stalled", idsOf(stuck.client.fileSets.search()));
  assertEquals(error.offset, 250);
  assertStringIncludes(error.message, "300 rows match");
  assertEquals(offsets(stuck.service), [0, 100, 200, 250, 250]);

  const empty = { kind: "text", text: `{"fileSets":[],"pageContext":{"total":250}}` } as const;
  const once = setUp({ faults: [undefined, empty] });
  assertEquals((await idsOf(once.client.fileSets.search())).length, 250);
});

/** A client of a service that answers each offset with rows from another on, and claims. */
function answering(answer: (offset: number) => readonly [from: number, claims: object]) {
  return setUp({}, {
    fetch: (url) => {
      const [from, claims] = answer(Number(new URL(url).searchParams.get("offset")));
      const fileSets = makeFileSets(250).slice(from, from + 100);
      return Promise.resolve(Response.json({ fileSets, pageContext: { total: 250, ...claims } }));
    },
  }).client;
}

Deno.test("walk: a page that leaves rows out is an error, so is endless repetition", async () => {
  const client = answering((offset) => offset ? [150, { offset: 150 }] : [0, {}]);
  const error = await failure("stalled", idsOf(client.fileSets.search()));
  assertStringIncludes(error.message, "left out rows and skipped 150, asked to skip 100");
  const repeating = answering((offset) => [offset % 200, { total: undefined }]);
  await failure("stalled", idsOf(repeating.fileSets.search()));
});

Deno.test("contradiction: an offset or a limit that rows disprove is reported, and does no harm", async () => {
  const claims = [
    [{ offset: 0 }, { offset: 100, claim: "offset", claimed: 0, seen: 100 }],
    [{ limit: 10 }, { offset: 0, claim: "limit", claimed: 10, seen: 100 }],
  ] as const;
  for (const [claim, reported] of claims) {
    const walk = answering((offset) => [offset, claim]).fileSets.search().walk();
    assertEquals((await idsOf(walk)).length, 250);
    assertEquals(walk.report.drift, [{ kind: "contradiction", ...reported }]);
    assertEquals([walk.report.pages, walk.report.complete], [3, false]);
  }
});

Deno.test("walk: a page of known rows that differs from earlier pages does not end it", async () => {
  const { client } = setUp({
    runs: { 101: makeRuns(40) },
    change: (service, { index }) => {
      if (index === 2) service.runs.get(101)!.unshift(...makeRuns(215).slice(0, 15));
    },
  });
  const walk = client.reportSchedules.history(101, { limit: 10 }).walk();
  assertEquals(await idsOf(walk), makeRuns(40).map(({ id }) => id));
  assertEquals(walk.report.drift[0], { kind: "repeated", offset: 20, count: 10 });
});

Deno.test("walk: next is never followed, so the token goes nowhere else", async () => {
  const { client, service } = setUp({ quirks: { next: "https://elsewhere.example/steal" } });
  assertEquals((await idsOf(client.fileSets.search())).length, 250);
  const origins = new Set(service.requests.map(({ url }) => new URL(url).origin));
  assertEquals([...origins], ["https://service.example"]);
  assertEquals(service.requests.some(({ url }) => url.includes(TOKEN)), false);
});

Deno.test("drift: rows inserted in front, even a page, come again and are reported", async () => {
  for (const count of [3, 100]) {
    const reported: Drift[] = [];
    const { client } = setUp({
      change: (service, { index }) => {
        if (index === 1) service.fileSets.unshift(...makeFileSets(count, 9000));
      },
    });
    const walk = client.fileSets.search().walk({ onDrift: (drift) => reported.push(drift) });
    const ids = await idsOf(walk);
    assertEquals([ids.length, new Set(ids).size], [250, 250]);
    const total = 250 + count;
    assertEquals(reported, [
      { kind: "total", offset: 100, from: 250, to: total },
      { kind: "repeated", offset: 100, count },
      { kind: "short", offset: total, expected: total, seen: 250 },
    ]);
    const { drift, complete, stopReason } = walk.report;
    assertEquals([drift, complete, stopReason], [reported, false, "end"]);
  }
});

Deno.test("drift: thrown by choice", async () => {
  const { client } = setUp({
    change: (service, { index }) => {
      if (index === 1) service.fileSets.pop();
    },
  });
  const walk = client.fileSets.search().walk({ onDrift: "throw" });
  const error = await failure("drift", idsOf(walk));
  assert(error instanceof DriftError);
  assertEquals(error.drift, { kind: "total", offset: 100, from: 250, to: 249 });
  assertStringIncludes(error.message, "the total was 250 and is 249");
  assertEquals([walk.report.stopReason, walk.report.items], ["failed", 100]);
});

Deno.test("drift: a report lists the first hundred signs and counts them all", async () => {
  const { client } = setUp({ change: (service) => service.fileSets.pop() });
  const walk = client.fileSets.search({}, { limit: 1 }).walk();
  await idsOf(walk);
  assertEquals(walk.report.drift.length, 100);
  assert(walk.report.driftCount > 100);
});

Deno.test("prefetch: keeps that many pages in flight and no more, in order", async () => {
  const { client, service } = setUp({
    fileSets: makeFileSets(1000),
    // Later pages are quicker, so order is not an accident.
    latencyMs: ({ offset }) => 1000 - offset,
  });
  const walk = client.fileSets.search({}, { limit: 50 }).walk({ prefetch: 5 });
  assertEquals(await idsOf(walk), makeFileSets(1000).map(({ id }) => id));
  assertEquals(service.mostInFlight, 5);
  assertEquals(service.requests.length, 21);
});

Deno.test("prefetch: waits for a slow reader, and by default requests nothing ahead", async () => {
  for (const [options, counts] of [[{ prefetch: 4 }, [5, 6]], [{}, [1, 2]]] as const) {
    const { client, service } = setUp({ fileSets: makeFileSets(1000) });
    const pages = client.fileSets.search({}, { limit: 10 }).walk(options).pages();
    for (const expected of counts) {
      await pages.next();
      await tasks();
      assertEquals(service.requests.length, expected);
    }
    await pages.return?.();
  }
});

Deno.test("prefetch: leaving the loop or an abort cancels what was asked for", async () => {
  for (const where of ["loop", "call", "walk"] as const) {
    const controller = new AbortController();
    const { signal } = controller;
    const { client, service, clock } = setUp({
      fileSets: makeFileSets(1000),
      latencyMs: ({ offset }) => offset === 0 ? 0 : 5000,
    });
    const result = client.fileSets.search({}, where === "call" ? { signal } : {});
    const walk = result.walk({ prefetch: 4, ...(where === "walk" ? { signal } : {}) });
    if (where === "loop") { for await (const _ of walk) break; }
    else {
      clock.runtime.setTimer(() => controller.abort("enough"), 1000);
      assertEquals((await failure("abort", idsOf(walk))).cause, "enough");
      assertEquals(walk.report.items, 100);
    }
    assertEquals(walk.report.stopReason, where === "loop" ? "left" : "failed");
    await tasks();
    assertEquals([service.inFlight, service.aborted, clock.pending], [0, 4, 0]);
  }
});

Deno.test("deadline: of a walk covers all its pages", async () => {
  const { client, service } = setUp({ fileSets: makeFileSets(2000), latencyMs: 1000 });
  const walk = client.fileSets.search().walk({ deadlineMs: 4500 });
  const error = await failure("timeout", idsOf(walk));
  assertEquals([error.scope, error.limitMs], ["deadline", 4500]);
  assertEquals([walk.report.items, service.requests.length], [400, 5]);
});

Deno.test("walk: can be iterated once", async () => {
  const { client } = setUp();
  const walk = client.fileSets.search().walk();
  await idsOf(walk);
  await failure("configuration", idsOf(walk));
  await failure("configuration", Array.fromAsync(walk.pages()));
  assertEquals([walk.report.items, walk.report.stopReason], [250, "end"]);
});

Deno.test("pages: the pages as they came, with the same report as by row", async () => {
  const { client } = setUp();
  const walk = client.fileSets.search({}, { limit: 60 }).walk();
  const pages = await Array.fromAsync(walk.pages());
  assertEquals(pages.map(({ fileSets }) => fileSets.length), [60, 60, 60, 60, 10]);
  assertEquals(pages[1].pageContext, { next: "120", offset: 60, limit: 60, total: 250 });
  assertEquals([walk.report.items, walk.report.complete], [250, true]);
  const single = client.fileSets.search({}, { limit: 1, offset: 240 }).walk();
  assertEquals((await Array.fromAsync(single.pages())).length, 10);
  assertEquals([single.report.items, single.report.complete], [10, true]);
});

Deno.test("prefetch: without a total it begins slowly, so that a short list costs little", async () => {
  const short = setUp({ runs: { 101: makeRuns(100) } });
  await idsOf(short.client.reportSchedules.history(101).walk({ prefetch: 20 }));
  assertEquals(offsets(short.service), [0, 100]);
  const long = setUp({ runs: { 101: makeRuns(2000) }, latencyMs: 10 });
  await idsOf(long.client.reportSchedules.history(101).walk({ prefetch: 8 }));
  assertEquals(long.service.mostInFlight, 8);
  assert(long.service.requests.length <= 29, `${long.service.requests.length} requests`);
});
