import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { computedOnce, createKeptRuns } from "../../../server/schedules/kept_runs.ts";
import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";

function loadedRuns(statuses: readonly string[], rest: Partial<LoadedRuns> = {}): LoadedRuns {
  const runs = statuses.map((status, id) => ({
    id,
    status,
    recipients: [{ userId: 1, emailAddress: "one@example.com" }],
  }));
  return { runs, repeated: [], stopped: "end", older: false, newer: false, ...rest };
}

const QUESTION = { scheduleId: 101, runs: 1000 };

Deno.test("createKeptRuns: runs of a known version are not loaded again", async () => {
  const kept = createKeptRuns();
  const question = { ...QUESTION, version: "a" };
  const first = await kept.load(question, () => Promise.resolve(loadedRuns(["success"])));
  const again = await kept.load(question, () => Promise.reject(new Error("loaded again")));
  assertStrictEquals(again, first);
  const other = await kept.load(
    { ...question, version: "b" },
    () => Promise.resolve(loadedRuns(["failure"])),
  );
  assertEquals(other.runs[0].status, "failure");
});

Deno.test("createKeptRuns: equal runs are the same object, others are not", async () => {
  const kept = createKeptRuns();
  const load = (loaded: LoadedRuns) => kept.load(QUESTION, () => Promise.resolve(loaded));
  const first = await load(loadedRuns(["success", "failure"]));
  assertStrictEquals(await load(loadedRuns(["success", "failure"])), first);
  assertNotStrictEquals(await load(loadedRuns(["success", "success"])), first);
  const moved = loadedRuns(["success", "success"]);
  const [run] = moved.runs;
  const other = { ...run, recipients: [{ userId: 1, emailAddress: "two@example.com" }] };
  assertEquals((await load({ ...moved, runs: [other, moved.runs[1]] })).runs[0], other);
  assert((await load({ ...moved, older: true })).older);
});

Deno.test("createKeptRuns: schedules and counts of runs are kept apart", async () => {
  const kept = createKeptRuns();
  const load = (question: Parameters<typeof kept.load>[0], status: string) =>
    kept.load({ ...question, version: "a" }, () => Promise.resolve(loadedRuns([status])));
  await load(QUESTION, "one");
  assertEquals((await load({ ...QUESTION, scheduleId: 102 }, "two")).runs[0].status, "two");
  assertEquals((await load({ ...QUESTION, runs: 10 }, "three")).runs[0].status, "three");
  assertEquals((await load(QUESTION, "four")).runs[0].status, "one");
});

Deno.test("createKeptRuns: what ended with an error is loaded again", async () => {
  const kept = createKeptRuns();
  const question = { ...QUESTION, version: "a" };
  const broken = loadedRuns(["success"], { stopped: "error", error: new Error("away") });
  await kept.load(question, () => Promise.resolve(broken));
  const whole = loadedRuns(["success", "success"]);
  assertStrictEquals(await kept.load(question, () => Promise.resolve(whole)), whole);
});

Deno.test("createKeptRuns: beyond its bound, the one asked for longest ago is forgotten", async () => {
  // Each holds a run and its recipient, and counts as one itself.
  const kept = createKeptRuns(7);
  let loads = 0;
  const load = (scheduleId: number) =>
    kept.load({ scheduleId, runs: 1, version: "a" }, () => {
      loads++;
      return Promise.resolve(loadedRuns(["success"]));
    });
  await load(1);
  await load(2);
  await load(1);
  assertEquals(loads, 2);
  await load(3);
  await load(1);
  assertEquals(loads, 3);
  await load(2);
  assertEquals(loads, 4);
});

Deno.test("computedOnce: made once for each object, kind and question", () => {
  const of = {};
  let made = 0;
  const make = (kind: string, question?: string) =>
    computedOnce(of, { kind, question }, () => ++made);
  assertEquals([make("a"), make("a"), make("b"), make("a", "x"), make("a", "x")], [1, 1, 2, 3, 3]);
  assertEquals(computedOnce({}, { kind: "a" }, () => ++made), 4);
});
