import { assertEquals, assertObjectMatch } from "@std/assert";
import { set, sql } from "../../../../server/store/database/sql.ts";
import { insertIncident, type StoredIncident } from "../../../../server/store/records/incidents.ts";
import type { ScheduleFilter } from "../../../../server/store/records/overview.ts";
import { putVerdict, type StoredVerdict } from "../../../../server/store/records/verdicts.ts";
import type { KnownSchedule } from "../../../../server/store/records/watches.ts";
import { testRecords as test } from "../on_both.ts";
import { incident, NOW, verdictOf } from "./stored_rows.ts";

interface Stored extends Partial<Pick<KnownSchedule, "watched" | "name" | "owner">> {
  /** What polls store of it. */
  readonly read?: Partial<Pick<KnownSchedule, "title" | "failures" | "failureKind">>;
  /** Null before the first verdict. */
  readonly verdict?: Partial<StoredVerdict> | null;
  readonly incident?: Partial<StoredIncident>;
}

/** Known schedules by id, which are watched and healthy unless they say otherwise. */
const SCHEDULES: Readonly<Record<number, Stored>> = {
  1: { name: "Sales 50%", owner: "Owner: Ada", verdict: { lastSuccess: NOW } },
  2: { read: { title: "Claims_title" }, verdict: { lastSuccess: NOW - 1 } },
  3: { incident: { severity: "critical" } },
  4: { verdict: { headline: "failing" } },
  5: { incident: { severity: "warning" } },
  6: { verdict: null },
  // The service does not know the id.
  7: { verdict: null, read: { failureKind: "missing" } },
  8: { incident: { code: "unreadable", severity: "warning" } },
  // It may be read by the next poll.
  9: { read: { failures: 1 } },
  13: { watched: 0 },
  // These can't be read.
  11: { watched: 0, read: { failures: 1 } },
  12: { watched: 0, read: { failures: 1 }, verdict: { headline: "failing" } },
};

test("overview: lists and counts schedules, the worst first, by all that they are found by", async (records) => {
  const { overview, watches, commit, database } = records;
  for (const [key, { watched = 1, verdict, read = {}, ...more }] of Object.entries(SCHEDULES)) {
    const { name = "", owner = "" } = more;
    const id = Number(key);
    await watches.add([id], NOW, { name, owner }, undefined, { watched });
    const stored = set({ title: "", ...read });
    await database.write(sql`UPDATE known_schedules SET ${stored} WHERE schedule_id = ${id}`);
    if (verdict !== null) await commit([putVerdict(verdictOf(id, verdict))]);
    const about = incident(key, { scheduleId: id, ...more.incident });
    if (more.incident) await commit([insertIncident(about)]);
  }
  const cases: readonly (readonly [Partial<ScheduleFilter>, string])[] = [
    [{}, "4 3 6 8 5 1 2 9 7"],
    [{ among: "known" }, "4 12 3 6 8 11 5 1 2 9 13 7"],
    [{ among: "unwatched" }, "12 11 13"],
    [{ headline: "healthy" }, "3 5 1 2 9"],
    [{ headline: "unknown", among: "known" }, "6 8 11 7"],
    [{ text: "ADA" }, "1"],
    [{ text: "50%" }, "1"],
    [{ text: "_" }, "2"],
    [{ text: "1", among: "known" }, "12 11 1 13"],
    [{ owner: "ada" }, "1"],
    [{ ids: [1, 3, 99] }, "3 1"],
    [{ ids: [] }, ""],
    [{ limit: 2, offset: 5 }, "1 2"],
  ];
  for (const [filter, ids] of cases) {
    const { items } = await overview.list({ limit: 99, ...filter });
    assertEquals(items.map(({ scheduleId }) => scheduleId).join(" "), ids, JSON.stringify(filter));
  }
  assertEquals((await overview.list({ limit: 1 })).total, 9);
  assertObjectMatch(await overview.countHeadlines("known"), { failing: 2, unknown: 4, late: 0 });
  assertEquals(await overview.countLists(), { known: 12, watched: 9, unwatched: 3 });
  const byId = (await overview.list({ among: "known", limit: 99, order: "id" })).items.map((
    { scheduleId },
  ) => scheduleId);
  assertEquals(byId, Object.keys(SCHEDULES).map(Number));
  const named = [...await overview.facts([1, 2])].map(([id, { name }]) => [id, name]);
  assertEquals(named, [[1, "Sales 50%"], [2, "Claims_title"]]);
});
