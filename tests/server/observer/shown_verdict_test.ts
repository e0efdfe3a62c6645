import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { loadLastPoll, shownVerdict } from "../../../server/observer/shown_verdict.ts";
import { START, withWorld, type World } from "./world.ts";

/** Runs take a quarter of an hour, and the service lists a run when it has ended. */
const LASTS = 15 * MINUTE;
const PLAN: Plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 5 * MINUTE, since: 0 };

/** A schedule that ran each day at six, watched until a moment by a plan. */
function withWatched(
  until: number,
  test: (
    world: World,
    shown: (options?: Options) => Promise<ReturnType<typeof shownVerdict>>,
  ) => Promise<void>,
  { from = -20, through = 0, plan = PLAN }: {
    /** The days on which it ran. */
    readonly from?: number;
    readonly through?: number;
    readonly plan?: Plan;
  } = {},
): Promise<void> {
  return withWorld([1], async (world) => {
    for (let day = from; day < through; day++) {
      const start = START + day * DAY + 6 * HOUR;
      world.run(1, start, { automated: true, endTime: new Date(start + LASTS).toISOString() });
    }
    await world.until(until);
    await test(
      world,
      async (
        {
          now = world.now(),
          zone,
          isInferred,
        } = {},
      ) => {
        const isListed = ({ endTime }: ReportRun) => Date.parse(endTime!) <= now;
        const runs = world.histories.get(1)!.filter(isListed);
        const watch = (await world.records.watches.get(1))!;
        const last = (await loadLastPoll(world.records, watch))!;
        const listingDelayMs = last.verdict.details.waitsMs;
        const statuses = defaultStatusDictionary();
        const plans = isInferred ? [] : [plan];
        const own = judgeSchedule({ runs }, { now, statuses, zone, plans, listingDelayMs });
        return shownVerdict(own, last, now);
      },
    );
  }, { plans: () => plan });
}

interface Options {
  readonly now?: number;
  readonly zone?: string;
  /** Whether the page knows of no confirmed plan. */
  readonly isInferred?: boolean;
}

Deno.test("shownVerdict: of the same runs it is the stored one, as long as that holds", () =>
  withWatched(START + 5 * HOUR, async (world, shown) => {
    const { verdict, basis } = await shown();
    const kept = (await world.records.verdicts.get(1))!;
    assertEquals([basis, verdict.state, kept.state], ["stored", "up", "up"]);
    assertEquals(verdict.reasons, kept.details.reasons as typeof verdict.reasons);
    assertEquals(verdict.schedule?.next, kept.nextDue);
    assertEquals(verdict.schedule?.plan, kept.details.plan);
    assertEquals(verdict.health.count, 20);
    assertEquals((await shown({ now: kept.holdsUntil })).basis, "computed");
  }));

Deno.test("shownVerdict: the verdict on a run on time holds at any time of the day", () =>
  withWatched(START + 5 * HOUR, async (world, shown) => {
    const outdated: string[] = [];
    for (let at = START + 6 * HOUR + LASTS + MINUTE; at < START + 30 * HOUR; at += 7 * MINUTE) {
      await world.until(at);
      const { basis } = await shown();
      if (basis !== "stored") outdated.push(new Date(at).toISOString());
    }
    assertEquals(outdated, []);
  }, { through: 1, plan: { ...PLAN, graceMs: 25 * MINUTE } }));

Deno.test("shownVerdict: a run that the service does not list yet is overdue on no page", () =>
  // Its grace is over; a run that started in time would be listed in ten minutes, as those before.
  withWatched(START + 2 * DAY + 6 * HOUR + 6 * MINUTE, async (world, shown) => {
    const { state } = (await world.records.verdicts.get(1))!;
    const { verdict, basis } = await shown();
    assertEquals([basis, verdict.state, state], ["stored", "late", "late"]);
  }, { through: 2 }));

Deno.test("shownVerdict: says how late a run is now", () =>
  withWatched(START + 6 * HOUR + 3 * MINUTE, async (world, shown) => {
    const { judged, holdsUntil } = (await world.records.verdicts.get(1))!;
    const now = START + 15 * HOUR;
    assertEquals([judged < START + 7 * HOUR, now < holdsUntil], [true, true]);
    const { basis, verdict: { reasons } } = await shown({ now });
    assertEquals([basis, reasons.map((one) => reasonText(one))], [
      "stored",
      ["due 10 Mar, 06:00 UTC, 9 h late so far"],
    ]);
  }, { plan: { ...PLAN, graceMs: 10 * HOUR } }));

Deno.test("shownVerdict: computed if the page has read newer or older runs than the last poll", () =>
  withWatched(START + 5 * HOUR, async (world, shown) => {
    const runs = world.histories.get(1)!;
    const start = START + 4 * HOUR;
    const late = { automated: true, endTime: new Date(start + MINUTE).toISOString() };
    world.run(1, start, { ...late, status: "failure" });
    const newer = await shown();
    assertEquals([newer.basis, newer.verdict.state], ["computed", "down"]);
    runs.pop();
    const [newest] = runs.splice(-1, 1, { ...runs.at(-1)!, status: "failure" });
    const changed = await shown();
    assertEquals([changed.basis, changed.verdict.state], ["computed", "down"]);
    runs.pop();
    runs.push(newest);
    assertEquals((await shown()).basis, "stored");
  }));

Deno.test("shownVerdict: counts every missed run of the stored plan, though fewer are listed", () =>
  withWatched(START + 5 * HOUR, async (world, shown) => {
    const { details } = (await world.records.verdicts.get(1))!;
    const { basis, verdict: { schedule } } = await shown({ isInferred: true });
    assertEquals([basis, schedule?.source, details.missed.length], ["stored", "confirmed", 50]);
    const own = await shown();
    assertEquals(schedule?.counts, own.verdict.schedule?.counts);
    assert(schedule!.counts.missed > 50);
  }, { from: -100, plan: { ...PLAN, cron: ["0 6,18 * * *"] } }));
