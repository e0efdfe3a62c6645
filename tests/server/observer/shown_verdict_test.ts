import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { judgeSchedule, type Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { shownVerdict } from "../../../server/observer/shown_verdict.ts";
import type { StoredVerdict } from "../../../server/store/records/verdicts.ts";
import { sampleReason } from "../../sample_reasons.ts";
import { HOURLY, START, withWorld, type World } from "./world.ts";

/** Runs take a quarter of an hour, and the service lists a run when it has ended. */
const LASTS = 15 * MINUTE;
const atSix = (minutes: number) => START + 6 * HOUR + minutes * MINUTE;
const PLAN = { ...HOURLY, cron: ["0 6 * * *"] };
const statuses = defaultStatusDictionary();

/** What a page shows at a time; it may know of no confirmed plan. */
type Shown = (at?: number, isInferred?: boolean) => Promise<Verdict>;

/** A schedule that ran each day at six, until some days from the start, polled at some moments. */
function withWatched(
  moments: readonly number[],
  test: (shown: Shown, stored: StoredVerdict, world: World) => Promise<void>,
  { from = -20, through = 0, plan = PLAN, last = "success" } = {},
): Promise<void> {
  return withWorld([1], async (world) => {
    for (let day = from; day < through; day++) {
      const start = START + day * DAY + 6 * HOUR;
      const status = day === through - 1 ? last : "success";
      world.run(1, start, { endTime: new Date(start + LASTS).toISOString(), status });
    }
    for (const moment of moments) await world.poll(moment);
    const shown: Shown = async (now = world.now(), isInferred = false) => {
      const isListed = ({ endTime }: ReportRun) => Date.parse(endTime!) <= now;
      const runs = world.histories.get(1)!.filter(isListed);
      const stored = (await world.records.verdicts.get(1))!;
      const listingDelayMs = stored.details.waitsMs;
      const plans = isInferred ? [] : [plan];
      const computed = judgeSchedule({ runs }, { now, statuses, plans, listingDelayMs });
      return shownVerdict(computed, stored, now);
    };
    await test(shown, (await world.records.verdicts.get(1))!, world);
  }, { plans: () => plan });
}

Deno.test("shownVerdict: has the stored state, reasons and plan, whatever plan the page infers", () =>
  withWatched([START + 5 * HOUR], async (shown, { state, nextDue, details: { plan, reasons } }) => {
    for (const isInferred of [false, true]) {
      const { schedule, health, ...verdict } = await shown(undefined, isInferred);
      assertEquals([verdict.state, schedule?.next, health.count], [state, nextDue, 2]);
      assertEquals([verdict.reasons, schedule?.plan], [reasons, plan as typeof HOURLY]);
      if (isInferred) assertEquals(schedule?.sees, { since: PLAN.since, enough: false });
    }
  }, { from: -2, last: "failure" }));

Deno.test("shownVerdict: a run that the service does not list yet is overdue on no page", () =>
  // Its grace is over; a run that started in time would be listed in ten minutes, as those before.
  withWatched([0, 14, 15, 24 * 60 + 6].map(atSix), async (shown, stored) => {
    assertEquals([(await shown()).state, stored.state], ["late", "late"]);
  }, { through: 1 }));

Deno.test("shownVerdict: lists all overdue runs, though only some are stored", () =>
  withWatched([START + 70 * DAY], async (shown, { details }) => {
    const { planned, schedule } = await shown();
    assertEquals(details.overdue.length, 50);
    assertEquals([schedule?.overdue.length, schedule?.counts.overdue], [70, 70]);
    assertEquals(new Set(planned.map(({ outcome }) => outcome)), new Set(["overdue"]));
  }));

Deno.test("shownVerdict: says how late or open a run is now, whatever plan the page infers", () =>
  withWatched([atSix(3)], async (shown, stored) => {
    const now = START + 15 * HOUR;
    assertEquals([stored.judged < START + 7 * HOUR, now < stored.holdsUntil], [true, true]);
    const verdict = await shown(now, true);
    const { state, headline, reasons, planned } = verdict;
    const late = "due Tue 10 Mar 06:00 UTC, 9 h late so far";
    assertEquals(reasons.map((one) => reasonText(one)), [late]);
    assertEquals([state, headline, planned.at(-1)?.outcome], ["late", "late", "due"]);
    const details = { ...stored.details, reasons: [sampleReason("stuck", { since: START })] };
    const stuck = shownVerdict(verdict, { ...stored, details }, now);
    assertEquals(stuck.reasons.map((one) => one.code === "stuck" && one.openMs), [15 * HOUR]);
  }, { plan: { ...PLAN, graceMs: 10 * HOUR } }));

Deno.test("shownVerdict: counts all missed runs of the stored plan, and has it while paused, too", () =>
  withWatched([START + 5 * HOUR], async (shown, { details }, { records, poll, histories, now }) => {
    const { schedule } = await shown(undefined, true);
    assertEquals([schedule?.source, details.missed.length], ["confirmed", 50]);
    assertEquals(schedule?.counts, (await shown()).schedule?.counts);
    assert(schedule!.counts.missed > 50);
    // Whatever the page infers.
    const pauses = [{ from: START, to: null }];
    await records.watches.change(1, { pauses }, now());
    await poll();
    const stored = (await records.verdicts.get(1))!;
    const options = { now: now(), statuses, plans: [{ ...PLAN, zone: "Europe/Berlin" }], pauses };
    const computed = judgeSchedule({ runs: histories.get(1)! }, options);
    const paused = shownVerdict(computed, stored, now()).schedule;
    assertEquals([paused?.next, paused?.plan], [null, stored.details.plan]);
  }, { from: -100, plan: { ...PLAN, cron: ["0 6,18 * * *"] } }));
