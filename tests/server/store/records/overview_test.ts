/** The overview of known schedules against a slow one in memory. */
import { assertEquals, assertObjectMatch } from "@std/assert";
import fc from "fast-check";
import { HEADLINES } from "../../../../lib/judgement/headline.ts";
import { set, sql } from "../../../../server/store/database/sql.ts";
import { insertIncident } from "../../../../server/store/records/incidents.ts";
import type { ScheduleFigures } from "../../../../server/store/records/overview.ts";
import { putVerdict } from "../../../../server/store/records/verdicts.ts";
import { forgetSchedules, watchName } from "../../../../server/store/records/watches.ts";
import { type TestRecords, testRecords as test } from "../on_both.ts";
import { incident, NOW } from "./incident.ts";
import { verdictOf } from "./verdict.ts";

const lastSuccess = fc.option(fc.constantFrom(NOW, NOW - 1));
const schedule = fc.record({
  watched: fc.constantFrom(1, 1, 0),
  name: fc.constantFrom("", "Sales 50%", "Claims"),
  title: fc.constantFrom("", "Claims_title", "Sales 50%"),
  owner: fc.constantFrom("", "Owner: Ada", "sales"),
  verdict: fc.option(fc.record({ headline: fc.constantFrom(...HEADLINES), lastSuccess })),
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

async function store(
  { watches, commit, database: { transaction, write } }: TestRecords,
  schedules: readonly Schedule[],
): Promise<void> {
  await transaction((own) => forgetSchedules(own, Array.from({ length: 20 }, (_, id) => id)));
  for (const each of schedules) {
    const { id, watched, name, owner, title, failures, failureKind, verdict, severity } = each;
    await watches.add([id], NOW, { name, owner }, undefined, { watched: watched as 0 | 1 });
    const read = set({ title, failures, failureKind });
    await write(sql`UPDATE known_schedules SET ${read} WHERE schedule_id = ${id}`);
    if (verdict) await commit([putVerdict(verdictOf(id, verdict))]);
    const open = { scheduleId: id, severity: severity! };
    if (severity) await commit([insertIncident(incident(`${id}`, open))]);
  }
}

/** One that is not watched, and was not read, is unknown unless it is worse. */
function rankOf({ verdict, watched, failures }: Schedule): number {
  const unknown = HEADLINES.indexOf("unknown");
  const rank = verdict ? HEADLINES.indexOf(verdict.headline) : unknown;
  return watched === 0 && failures > 0 ? Math.min(rank, unknown) : rank;
}

/** Worst first; a schedule with an incident is as bad as that. */
function ranksOf(schedule: Schedule): readonly number[] {
  const { verdict, failureKind, severity, id } = schedule;
  const rank = rankOf(schedule);
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
    (headline === undefined || HEADLINES[rankOf(schedule)] === headline) &&
    (text === undefined || has(`${name} ${title} ${owner}`, text) || `${id}`.startsWith(text)) &&
    (more.owner === undefined || has(owner, more.owner)) && (ids?.includes(id) ?? true);
}

test("overview: lists and counts any schedules as a model in memory does", async (records) => {
  const { overview, database } = records;
  const namesOf = (found: readonly Schedule[]) => found.map((each) => [each.id, watchName(each)]);
  type Listed = Pick<ScheduleFigures, "scheduleId" | "name">;
  const listed = (rows: readonly Listed[]) =>
    rows.map(({ scheduleId, name }) => [scheduleId, name]);
  const check = async (some: readonly Omit<Schedule, "id">[], filter: Filter) => {
    const schedules = some.map((each, id) => ({ ...each, id }));
    await store(records, schedules);
    const { offset = 0, among = "watched" } = filter;
    const found = schedules.filter((each) => matches(each, filter))
      .sort((a, b) => inOrder(ranksOf(a), ranksOf(b)));
    const { items, total } = await overview.list({ ...filter, offset, limit: 4 });
    const page = found.slice(offset, offset + 4);
    assertEquals([listed(items), total], [namesOf(page), found.length]);
    const counted = schedules.filter((each) => matches(each, { among })).map(rankOf);
    const counts = HEADLINES.map((word, rank) => [
      word,
      counted.filter((of) => of === rank).length,
    ]);
    assertEquals(await overview.countHeadlines(among), Object.fromEntries(counts));
    const watched = schedules.filter((each) => matches(each, {}));
    const [known, unwatched] = [schedules.length, schedules.length - watched.length];
    assertEquals(await overview.countLists(), { known, watched: watched.length, unwatched });
    const { items: byId } = await overview.byId("known", { limit: 99 });
    assertEquals(listed(byId), namesOf(schedules));
    assertEquals(listed(await overview.days()), namesOf(watched));
    assertEquals(listed(await overview.figures()), namesOf(watched));
  };
  const schedules = fc.array(schedule, { maxLength: 12 });
  const numRuns = { sqlite: 80, postgresql: 5 }[database.system];
  await fc.assert(fc.asyncProperty(schedules, filter, check), { numRuns });
});

test("overview: gives what is stored of each watched schedule", async (records) => {
  const { overview, watches, commit } = records;
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
