import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Backend, HistoryOptions } from "../../../lib/client/backend.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { makeRuns } from "../../../lib/testing/mod.ts";
import { loadRuns, withShortTexts } from "../../../lib/runs/load_runs.ts";

/** A backend that has these runs, in this order; each request is first passed to the function. */
function backendOf(
  runs: readonly ReportRun[],
  before: (options: HistoryOptions) => Promise<void> | void = () => {},
): Backend {
  return {
    fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
    reportSchedules: {
      async history(_scheduleId, options = {}) {
        await before(options);
        const { limit = 100, skip = 0 } = options;
        return runs.slice(skip, skip + limit);
      },
    },
  };
}

function numbered(count: number): ReportRun[] {
  return Array.from({ length: count }, (_, age) => ({
    id: count - age,
    startTime: new Date(Date.UTC(2026, 0, 1) - age * 3_600_000).toISOString(),
  }));
}

/** A promise that is only settled by the signal. */
function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) =>
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
  );
}

Deno.test("loadRuns: all runs, however many, and none beyond", async () => {
  for (const count of [0, 1, 249, 250, 251, 999]) {
    const { runs, ...rest } = await loadRuns(backendOf(makeRuns(count)), 101);
    assertEquals(runs.length, count);
    assertEquals(rest, { stopped: "end", olderUnread: false, newerUnread: false });
  }
});

Deno.test("loadRuns: stops at enough runs; their order shows whether older or newer ones are unread", async () => {
  const runs = numbered(1500);
  const newest = await loadRuns(backendOf(runs), 101);
  assertEquals([newest.stopped, newest.olderUnread, newest.newerUnread], ["enough", true, false]);
  assertEquals([newest.runs.length, newest.runs[0].id], [1000, 1500]);

  const oldest = await loadRuns(backendOf(runs.toReversed()), 101, { runs: 500 });
  assertEquals([oldest.stopped, oldest.olderUnread, oldest.newerUnread], ["enough", false, true]);
  assertEquals([oldest.runs.length, oldest.runs[0].id], [500, 500]);

  const mixed = await loadRuns(backendOf([...runs.slice(700), ...runs.slice(0, 700)]), 101);
  assertEquals([mixed.olderUnread, mixed.newerUnread], [true, true]);
  assertEquals(mixed.runs[0].id, 1500, "sorted all the same");
});

Deno.test("loadRuns: what came in time is returned, and marked as incomplete", async () => {
  const backend = backendOf(numbered(900), ({ skip, signal }) => skip ? never(signal) : undefined);
  const loaded = await loadRuns(backend, 101, { ms: 20 });
  assertEquals([loaded.stopped, loaded.runs.length, loaded.olderUnread], ["time", 250, true]);
});

Deno.test("loadRuns: no page in time is an error, a cancelled request too", async () => {
  const late = backendOf([], ({ signal }) => never(signal));
  const error = await assertRejects(() => loadRuns(late, 101, { ms: 20 }));
  assertEquals((error as { kind?: string }).kind, "timeout");
  const caller = new AbortController();
  const loading = loadRuns(late, 101, { signal: caller.signal });
  caller.abort();
  await assertRejects(() => loading);
});

Deno.test("loadRuns: an error after the first page leaves what was read, and the error", async () => {
  const refusal = new Error("Refused");
  const refuse = () => Promise.reject(refusal);
  const backend = backendOf(numbered(900), ({ skip }) => skip === 500 ? refuse() : undefined);
  const loaded = await loadRuns(backend, 101);
  assertEquals([loaded.stopped, loaded.runs.length], ["error", 500]);
  assert(loaded.error === refusal && loaded.olderUnread);
  await assertRejects(() => loadRuns(backendOf([], refuse), 101), Error, "Refused");
});

Deno.test("loadRuns: the first run of an id counts, at times of the service's zone", async () => {
  const rows = [...numbered(10), { id: 3, status: "failure" }, {
    id: 99,
    startTime: "2026-06-01 06:00",
  }];
  const { runs } = await loadRuns(backendOf(rows), 101, { zone: "Europe/Berlin" });
  assertEquals([runs.length, runs.find(({ id }) => id === 3)], [11, numbered(10)[7]]);
  assertEquals(runs[0].startTime, "2026-06-01T04:00:00.000Z");
});

Deno.test("withShortTexts: long texts are cut, and nothing is left of a long address", () => {
  const long = "x".repeat(1001);
  const recipients = [
    { userId: 1, displayName: long, emailAddress: `${long}@example.com` },
    { userId: 2, displayName: "Bob", emailAddress: "bob@example.com" },
  ];
  const run = { id: 1, reportTitle: long, cardCount: 7, recipients };
  const cut = `${"x".repeat(1000)}…`;
  const masked = { userId: 1, displayName: "…", emailAddress: "…" };
  const short = { ...run, reportTitle: cut, recipients: [masked, recipients[1]] };
  assertEquals(withShortTexts(run), short);
  assertEquals(run.reportTitle, long, "the run itself is unchanged");
  const sensible = { id: 1, reportTitle: "x".repeat(1000), recipients: [recipients[1]] };
  assert(withShortTexts(sensible) === sensible);
});
