/** The overview of known schedules against a slow one in memory. */
import { assertEquals, assertObjectMatch } from "@std/assert";
import fc from "fast-check";
import { HEADLINES } from "../../../../lib/judgement/headline.ts";
import type { Database } from "../../../../server/store/database/database.ts";
import { set, sql } from "../../../../server/store/database/sql.ts";
import { insertIncident } from "../../../../server/store/records/incidents.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { putVerdict } from "../../../../server/store/records/verdicts.ts";
import { forgetSchedules, watchName } from "../../../../server/store/records/watches.ts";
import { testOnBoth } from "../on_both.ts";
import { incident, NOW } from "./incident.ts";
import { verdictOf } from "./verdict.ts";

const schedule = fc.record({
  watched: fc.constantFrom(1, 1, 0),
  name: fc.constantFrom("", "Sales 50%", "Claims"),
  title: fc.constantFrom("", "Claims_title", "Sales 50%"),
  owner: fc.constantFrom("", "Owner: Ada", "sales"),
  verdict: fc.option(fc.record({
    headline: fc.constantFrom(...HEADLINES),
    lastSuccess: fc.option(fc.constantFrom(NOW, NOW - 1)),
  })),
  failures: fc.constantFrom(0, 0, 1),
  failureKind: fc.constantFrom(null, "missing", "broken"),
  severity: fc.constantFrom(null, null, "critical", "warning"),
});
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T & { readonly id: number } : never;

const filter = fc.record({
  among: fc.constantFrom("watched", "unwatched", "known"),
  headline: fc.constantFrom("healthy", "unknown", "failing"),
  text: fc.constantFrom("ADA", "50%", "_", "1", "sales"),
  owner: fc.constantFrom("ada", "50%", "Sales"),
  ids: fc.constantFrom<number[]>([], [1, 3, 99]),
  offset: fc.nat(3),
}, { requiredKeys: [] });
type Filter = typeof filter extends fc.Arbitrary<infer T> ? T : never;

async function store(database: Database, schedules: readonly Schedule[]): Promise<void> {
  const { watches, commit } = observerRecordsOn(database);
  await database.transaction((transaction) =>
    forgetSchedules(transaction, Array.from({ length: 20 }, (_, id) => id))
  );
  for (const each of schedules) {
    const { id, watched, name, owner, title, failures, failureKind, verdict, severity } = each;
    await watches.add([id], NOW, { name, owner }, undefined, { watched: watched as 0 | 1 });
    await database.write(
      sql`UPDATE known_schedules SET ${
        set({ title, failures, failureKind })
      } WHERE schedule_id = ${id}`,
    );
    if (verdict) await commit([putVerdict(verdictOf(id, verdict))]);
    const open = { scheduleId: id, severity: severity! };
    if (severity) await commit([insertIncident(incident(`${id}`, open))]);
  }
}

/** One that is not watched, and was not read, is unknown unless it is worse. */
function headlineOf({ verdict, watched, failures }: Schedule) {
  const headline = verdict?.headline ?? "unknown";
  const isUnread = watched === 0 && failures > 0;
  return HEADLINES[
    Math.min(HEADLINES.indexOf(headline), isUnread ? HEADLINES.indexOf("unknown") : Infinity)
  ];
}

/** Worst first; a schedule with an incident is as bad as that. */
function ranksOf(schedule: Schedule): readonly number[] {
  const { verdict, failureKind, severity, id } = schedule;
  const rank = HEADLINES.indexOf(headlineOf(schedule));
  const worst = { critical: 0, warning: HEADLINES.indexOf("missed"), none: Infinity };
  return [
    !verdict && failureKind === "missing" ? 1 : 0,
    Math.min(rank, worst[severity ?? "none"]),
    rank,
    -(verdict?.lastSuccess ?? 0),
    id,
  ];
}

function inOrder(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, at) => rank !== b[at]);
  return a[at] - b[at];
}

function matches(schedule: Schedule, { among = "watched", headline, text, ids, ...more }: Filter) {
  const { id, watched, name, title, owner } = schedule;
  const has = (whole: string, part: string) => whole.toLowerCase().includes(part.toLowerCase());
  return (among === "known" || (watched === 1) === (among === "watched")) &&
    (headline === undefined || headlineOf(schedule) === headline) &&
    (text === undefined || has(`${name} ${title} ${owner}`, text) || `${id}`.startsWith(text)) &&
    (more.owner === undefined || has(owner, more.owner)) && (ids?.includes(id) ?? true);
}

testOnBoth("overview: lists and counts any schedules as a slow one does", async (database) => {
  const { overview } = observerRecordsOn(database);
  const check = async (some: readonly Omit<Schedule, "id">[], filter: Filter) => {
    const schedules = some.map((each, id) => ({ ...each, id }));
    await store(database, schedules);
    const { offset = 0, among = "watched" } = filter;
    const found = schedules.filter((each) => matches(each, filter))
      .sort((a, b) => inOrder(ranksOf(a), ranksOf(b)));
    const { items, total } = await overview.list({ ...filter, offset, limit: 4 });
    assertEquals(
      [items.map(({ scheduleId, name }) => [scheduleId, name]), total],
      [found.slice(offset, offset + 4).map((each) => [each.id, watchName(each)]), found.length],
    );
    const counted = schedules.filter((each) => matches(each, { among }));
    const counts = HEADLINES.map((word) => [
      word,
      counted.filter((each) => headlineOf(each) === word).length,
    ]);
    assertEquals(await overview.countHeadlines(among), Object.fromEntries(counts));
    const watched = schedules.filter((each) => matches(each, {}));
    const lists = await overview.countLists();
    const [known, unwatched] = [schedules.length, schedules.length - watched.length];
    assertEquals(lists, { known, watched: watched.length, unwatched });
    for (const each of [await overview.days(), await overview.figures()]) {
      assertEquals(
        each.map(({ scheduleId, name }) => [scheduleId, name]),
        watched.map((each) => [each.id, watchName(each)]),
      );
    }
  };
  const schedules = fc.array(schedule, { maxLength: 12 });
  const numRuns = { sqlite: 80, postgresql: 5 }[database.system];
  await fc.assert(fc.asyncProperty(schedules, filter, check), { numRuns });
});

testOnBoth("overview: gives what is stored of each watched schedule", async (database) => {
  const { overview, watches, commit } = observerRecordsOn(database);
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 0, since: 0 };
  const settings = { name: "Sales", owner: "Ada", pauses: [{ from: 1, to: null }] };
  await watches.add([1], NOW);
  await watches.add([900], NOW, { ...settings, plan });
  const figures = { state: "down", headline: "overdue", lastSuccess: NOW, overdue: 2 } as const;
  const today = {
    day: [{ at: NOW, outcome: "met", run: null }],
    people: 2,
    reached: "a b",
  } as const;
  await commit([putVerdict(verdictOf(900, { ...figures, ...today }))]);
  const none = { headline: "unknown", people: null, polled: null, pauses: [] } as const;
  const [unread, found] = await overview.figures();
  assertObjectMatch(unread, { ...none, scheduleId: 1, state: null, overdue: null });
  assertObjectMatch(found, { ...settings, ...figures, scheduleId: 900, plans: [plan] });
  const days = await overview.days();
  assertObjectMatch(days[0], { ...none, day: null, reached: null });
  assertObjectMatch(days[1], { name: "Sales", ...today, day: [...today.day] });
  assertEquals([...(await overview.facts([900, null, 900, 7000])).values()], [found]);
});
