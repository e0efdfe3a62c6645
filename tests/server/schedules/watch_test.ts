import { setImmediate as turn } from "node:timers/promises";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import type { Backend } from "../../../lib/client/backend.ts";
import { type JudgeOptions, judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import type { RunHistory } from "../../../lib/runs/load_runs.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { parseScheduleIds, updateWatchList } from "../../../server/schedules/watch_list.ts";
import { createKeptRuns } from "../../../server/schedules/kept_runs.ts";
import {
  judgeWatched,
  loadWatched,
  WATCH,
  type Watched,
} from "../../../server/schedules/watch_loader.ts";
import {
  fitsCookie,
  meanTheSame,
  readStatusDictionary,
  statusesOfForm,
  statusesToWatchBy,
  writeStatusDictionary,
} from "../../../server/schedules/status_dictionary.ts";

const fifty = Array.from({ length: 50 }, (_, index) => 1 + index);

Deno.test("parseScheduleIds: each id once, what is none, and how many are too many", () => {
  assertEquals(parseScheduleIds("101, 102;101\n103 x -4 1.5 99999999999999999999"), {
    ids: [101, 102, 103],
    invalid: ["x", "-4", "1.5", "99999999999999999999"],
    dropped: 0,
  });
  assertEquals(parseScheduleIds([...fifty, 60, 61].join(",")), {
    ids: fifty,
    invalid: [],
    dropped: 2,
  });
  assertEquals(parseScheduleIds(" "), { ids: [], invalid: [], dropped: 0 });
});

Deno.test("parseScheduleIds: ranges, unless they are reversed or too long", () => {
  assertEquals(parseScheduleIds("101-103, 103-104").ids, [101, 102, 103, 104]);
  assertEquals(parseScheduleIds("7-7 9–10").ids, [7, 9, 10]);
  assertEquals(parseScheduleIds("1-60"), { ids: fifty, invalid: [], dropped: 10 });
  assertEquals(parseScheduleIds("103-101 1-2000000 1-x 1-2-3"), {
    ids: [],
    invalid: ["103-101", "1-2000000", "1-x", "1-2-3"],
    dropped: 0,
  });
});

Deno.test("updateWatchList: adds each once, removes, and a full list takes no more", () => {
  assertEquals(updateWatchList([101, 102], { add: "103, 101", remove: "" }), [101, 102, 103]);
  assertEquals(updateWatchList([101, 102], { add: "", remove: "101" }), [102]);
  assertEquals(updateWatchList(fifty, { add: "99", remove: "" }), fifty);
  assertEquals(updateWatchList(fifty, { add: "99", remove: "1" }).at(-1), 99);
});

Deno.test("loadWatched: bounded, and one that fails stops no other", async () => {
  let present = 0;
  let most = 0;
  const backend: Backend = {
    fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
    reportSchedules: {
      async history(scheduleId, { skip = 0 } = {}) {
        most = Math.max(most, ++present);
        await Promise.resolve();
        present--;
        if (scheduleId === 7) throw new Error("Refused");
        return skip === 0 ? [{ id: scheduleId }] : [];
      },
    },
  };
  const watched = await loadWatched(backend, fifty);
  assertEquals(watched.map(({ scheduleId }) => scheduleId), fifty);
  const failed = watched.filter((schedule) => "error" in schedule);
  assertEquals(failed.map(({ scheduleId }) => scheduleId), [7]);
  assert(most > 1 && most <= WATCH.atOnce, String(most));
  assertEquals(await loadWatched(backend, []), []);
});

Deno.test("judgeWatched: few are judged at once, and one that fails stops no other", async () => {
  let present = 0;
  let most = 0;
  async function judgeHistory(history: RunHistory, options: JudgeOptions) {
    most = Math.max(most, ++present);
    await turn();
    present--;
    return judgeSchedule(history, options);
  }
  const watched = fifty.map((scheduleId): Watched =>
    scheduleId === 7 ? { scheduleId, error: new Error("Refused") } : {
      scheduleId,
      loaded: {
        runs: [{ id: 1, status: "success", startTime: "2026-01-01T06:00:00Z" }],
        repeated: [],
        stopped: "end",
        older: false,
        newer: false,
      },
    }
  );
  const refuse = () => Promise.reject(new Error("late"));
  const optionsOf = (scheduleId: number) => ({
    now: Date.UTC(2026, 0, 2),
    statuses: defaultStatusDictionary(),
    zone: "UTC",
    judgeHistory: scheduleId === 9 ? refuse : judgeHistory,
  });
  const judged = await judgeWatched(watched, optionsOf);
  assertEquals(judged.map(({ scheduleId }) => scheduleId), fifty);
  const failed = judged.filter((schedule) => "error" in schedule);
  assertEquals(failed.map(({ scheduleId }) => scheduleId), [7, 9]);
  assert(most > 1 && most <= WATCH.atOnce, String(most));
});

Deno.test("judgeWatched: who leaves is answered with the reason, and no further schedule is judged", async () => {
  const visitor = new AbortController();
  let asked = 0;
  const watched = fifty.map((scheduleId): Watched => ({
    scheduleId,
    loaded: { runs: [], repeated: [], stopped: "end", older: false, newer: false },
  }));
  const judging = judgeWatched(watched, () => {
    if (++asked === 3) visitor.abort(new Error("The visitor left"));
    return { now: 0, statuses: {}, zone: "UTC", judgeHistory: () => Promise.reject(new Error()) };
  }, visitor.signal);
  await assertRejects(() => judging, Error, "The visitor left");
  assertEquals(asked, 3);
});

Deno.test("loadWatched: runs whose version is the same are not loaded again", async () => {
  const asked: number[] = [];
  const backend: Backend = {
    fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
    reportSchedules: {
      history(scheduleId) {
        asked.push(scheduleId);
        return Promise.resolve([]);
      },
    },
  };
  let version = 1;
  const options = {
    keptRuns: createKeptRuns(),
    versionOf: (scheduleId: number) => Promise.resolve(`${scheduleId === 7 ? version : 0}`),
  };
  const before = await loadWatched(backend, [7, 8], options);
  version = 2;
  const after = await loadWatched(backend, [7, 8], options);
  assertEquals(asked, [7, 8, 7]);
  assertStrictEquals(
    "loaded" in after[1] && after[1].loaded,
    "loaded" in before[1] && before[1].loaded,
  );
});

Deno.test("loadWatched: an aborted request throws its reason, and starts no further schedule", async () => {
  const visitor = new AbortController();
  const asked: number[] = [];
  const backend: Backend = {
    fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
    reportSchedules: {
      history: (scheduleId, { signal } = {}) => {
        asked.push(scheduleId);
        return new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          if (asked.length === WATCH.atOnce) visitor.abort(new Error("The visitor left"));
        });
      },
    },
  };
  const loading = loadWatched(backend, fifty, { signal: visitor.signal });
  await assertRejects(() => loading, Error, "The visitor left");
  assertEquals(asked, fifty.slice(0, WATCH.atOnce));
});

Deno.test("loadWatched: what the time does not reach says so", async () => {
  const backend: Backend = {
    fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
    reportSchedules: {
      history: (_id, { signal } = {}) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    },
  };
  const watched = await loadWatched(backend, fifty.slice(0, 10), { allMs: 20 });
  const kinds = watched.map((schedule) =>
    "error" in schedule ? (schedule.error as { kind?: string }).kind : "loaded"
  );
  assertEquals(kinds, Array(10).fill("timeout"));
});

Deno.test("statusesOfForm: rows in pairs; empty and unknown ones are left out", () => {
  const form = new URLSearchParams();
  for (
    const [status, meaning] of [
      ["Success", "good"],
      [" ERROR ", "bad"],
      ["paused", "neutral"],
      ["", "good"],
      ["odd", "purple"],
      ["removed", ""],
    ]
  ) {
    form.append("status", status);
    form.append("meaning", meaning);
  }
  assertEquals(statusesOfForm(form), { success: "good", error: "bad", paused: "neutral" });
});

Deno.test("statusesToWatchBy: Docket's own meanings are null, unless neutral ones are listed too", () => {
  const own = defaultStatusDictionary();
  const partial = { ...own, partial: "neutral" } as const;
  assertEquals([statusesToWatchBy(own), statusesToWatchBy(partial)], [null, partial]);
  assertEquals(statusesToWatchBy({ success: "good" }), { success: "good" });
});

Deno.test("meanTheSame: a neutral status that is listed is not one that nobody knows", () => {
  const own = defaultStatusDictionary();
  const partial = { ...own, partial: "neutral" } as const;
  assertEquals(meanTheSame(["SUCCESS", "failure", "other", null, undefined], own, partial), true);
  assertEquals(meanTheSame(["Partial"], own, partial), false);
});

Deno.test("writeStatusDictionary: any name is read back, and what does not fit is known", () => {
  const odd = { "a.b:c": "good", "✓ done, fully": "bad", "%41": "neutral" } as const;
  assertEquals(readStatusDictionary(writeStatusDictionary(odd)), odd);
  assert(fitsCookie(odd));
  // An entry is the name, a colon and the meaning; 1,200 characters fit.
  const longest = "x".repeat(1200 - ":good".length);
  assertEquals(fitsCookie({ [longest]: "good" }), true);
  assertEquals(fitsCookie({ [`${longest}x`]: "good" }), false);
  // With an entry before it, a dot comes on top.
  const rest = longest.slice("ab:bad.".length);
  assertEquals(fitsCookie({ ab: "bad", [rest]: "good" }), true);
  assertEquals(fitsCookie({ ab: "bad", [`${rest}x`]: "good" }), false);
});
