import { assertEquals } from "@std/assert";
import { type JudgeOptions, judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import type { RunHistory } from "../../../lib/runs/load_runs.ts";
import type { Recipient } from "../../../lib/types.ts";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { loadRun } from "../../../server/pages/run.ts";
import { judgeForPage, loadSchedule } from "../../../server/pages/schedule.ts";
import { storeChanges } from "../../../server/store/runs/store_runs.ts";
import { judgeAgainStep, putVerdict } from "../../../server/store/records/verdicts.ts";
import { BOB, BY_ADA } from "../../actors.ts";
import { verdictOf } from "../store/records/stored_rows.ts";
import { runWell, START, withWorld, type World } from "../observer/world.ts";
import { pageState } from "./page_state.ts";

/** The service's zone, which is not the reader's. */
const ZONE = "Europe/Berlin";

let asked = 0;
const history = () => Promise.resolve((asked++, []));

/** A request for the page of a schedule. */
function requestOf({ records }: World, scheduleId = 1) {
  const state = pageState(records, {
    store: null,
    settings: { serviceBaseUrl: null, retainRunsMs: null, serviceZone: ZONE },
    judging: {
      judgeHistory: (history: RunHistory, options: JudgeOptions) =>
        Promise.resolve(judgeSchedule(history, options)),
    },
  });
  Object.assign(state, { backend: { reportSchedules: { history } } });
  return { params: { scheduleId: `${scheduleId}` }, state, req: new Request("http://x") };
}

/** What the page of a schedule says of its newest runs, as of its last poll. */
async function judged(
  world: World,
  { scheduleId = 1, readAt, isObserved = false }: {
    readonly scheduleId?: number;
    readonly readAt: number;
    /** Whether the page knows what the observer found. */
    readonly isObserved?: boolean;
  },
) {
  const request = requestOf(world, scheduleId);
  const schedule = await loadSchedule(request);
  const settings = { ...schedule.settings, polled: isObserved ? readAt : null };
  const { verdict } = await judgeForPage(request.state, { ...schedule, readAt, settings });
  return verdict;
}

const [ADA, SAM] = ["ada@acme.example", "sam@acme.example"]
  .map((emailAddress, at) => ({ userId: at + 1, displayName: emailAddress, emailAddress }));

/** Adds hourly runs until the world's beginning, and has them read. */
async function runHourly(world: World, recipients: readonly Recipient[]): Promise<void> {
  for (let hour = -40; hour <= 0; hour++) world.run(1, START + hour * HOUR, { recipients });
  await world.until(START + 10 * MINUTE);
}

Deno.test("judgeForPage: judges what was stored since the last poll itself, as the observer would", () =>
  withWorld([1], async (world) => {
    await runHourly(world, [ADA, SAM]);
    const readAt = world.now();
    const run = { ...world.histories.get(1)!.at(-1)!, status: "failure" };
    const left = { userId: SAM.userId, address: null, leftAt: START - HOUR };
    const page = async (isObserved = true) => await judged(world, { readAt, isObserved });
    for (const [at, headline] of [[readAt, "healthy"], [readAt + 1, "failing"]] as const) {
      const put = [{ run: { ...run, cardCount: at } }];
      await world.records.commit([storeChanges(1, { put }, at)]);
      const { headline: shown, schedule } = await page();
      assertEquals([shown, schedule?.plan.zone], [headline, ZONE]);
    }
    await world.records.leavers.add([left], { actor: BOB, now: START });
    // What nobody observes is in the reader's zone.
    const { reasons, schedule } = await page(false);
    const codes = reasons.map(({ code }) => code);
    assertEquals([codes, schedule?.plan.zone], [["failing", "leaver-recipient"], "UTC"]);
  }, { zone: ZONE, plans: () => null }));

Deno.test("judgeForPage: an outage makes nothing overdue that was not at the last answer", () =>
  withWorld([1], async (world) => {
    await runHourly(world, [ADA]);
    const { headline } = await judged(world, { readAt: START + 30 * MINUTE });
    assertEquals(headline, "healthy");
    // Nor is the service asked whether so few runs are of a young schedule, as their store knows.
    const { state, ...request } = requestOf(world);
    const few = await loadSchedule({ ...request, state }, 20);
    for (const readAt of [world.now(), null]) await judgeForPage(state, { ...few, readAt });
    assertEquals([few.loaded.stopped, asked], ["enough", 0]);
    assertEquals((await loadSchedule({ ...request, state })).loaded.stopped, "end");
    // The service lists runs late, as the observer saw.
    const { details } = verdictOf(1);
    const stored = { holdsUntil: 0, details: { ...details, waitsMs: 10 * MINUTE } };
    await world.records.commit([putVerdict(verdictOf(1, stored))]);
    const late = await judged(world, { readAt: START + HOUR + 10 * MINUTE, isObserved: true });
    assertEquals(late.headline, "late");
    // Nor is anything on a day without runs.
    const by = { scheduleIds: null, actor: BOB, changed: START };
    await world.records.calendars.save({ name: "Days", days: ["2026-03-10"], ...by });
    const excused = await judged(world, { readAt: START + HOUR + 50 * MINUTE });
    assertEquals(excused.headline, "healthy");
  }));

Deno.test("judgeForPage: after the stored verdict, judges by the service's clock", () =>
  withWorld([1], async (world) => {
    world.clockOffset = 5 * MINUTE;
    await world.records.service.store({ clockOffsets: [world.clockOffset] });
    await runHourly(world, [ADA]);
    // Runs are listed six minutes late, and waited for until then: 01:11 by the service's clock.
    const readAt = START + HOUR + 7 * MINUTE;
    await world.until(readAt);
    await world.records.commit([judgeAgainStep(1, readAt)]);
    const { schedule } = await judged(world, { readAt, isObserved: true });
    const stored = await world.records.verdicts.get(1);
    assertEquals([schedule?.counts.overdue, schedule?.next], [1, stored!.nextDue]);
    assertEquals(stored!.overdue, 1);
  }));

Deno.test("loadRun: a run is due by the plan that the schedule's page shows", () =>
  withWorld([1], async (world) => {
    await runHourly(world, [ADA]);
    const { verdicts } = world.records;
    const { details, ...verdict } = (await verdicts.get(1))!;
    const plan = { ...details.plan!, cron: ["50 * * * *"] };
    const nextDue = START + 50 * MINUTE;
    await world.records.commit([
      putVerdict({ ...verdict, nextDue, details: { ...details, plan } }),
    ]);
    const { due } = await loadRun(requestOf(world), `${world.histories.get(1)!.at(-1)!.id}`);
    assertEquals([due?.schedule.plan, due?.slot.at], [plan, START - 10 * MINUTE]);
  }, { plans: () => null }));

Deno.test("judgeForPage: says the state, headline, plan and next run that lists say", () => {
  /** The status of the last run, and what people or the service do with a schedule of hourly runs. */
  const stories = [
    { last: "success" },
    { last: "failure", isRefused: true },
    { last: "odd", isPaused: true },
    { last: null },
    { last: "success", isRefused: true },
    { last: "success", isRefused: true, watched: 0 },
    // No refusal is the service's.
    { last: "failure", watched: 0 },
  ];
  const ids = stories.map((_, id) => id);
  return withWorld(ids, async (world) => {
    const { watches, overview, service, verdicts, polls } = world.records;
    world.clockOffset = 5 * MINUTE;
    await service.store({ clockOffsets: [world.clockOffset] });
    for (const [id, { last, watched = 1, isPaused }] of stories.entries()) {
      runWell(world, id, START - 30 * HOUR, 30);
      if (last !== null) world.run(id, START, { status: last });
      if (isPaused) await watches.change(id, { pauses: [{ from: START + HOUR, to: null }] }, START);
      if (watched === 0) await watches.remove([id], BY_ADA);
    }
    for (const status of [null, 403]) {
      if (status) world.refuse(status, ids.filter((id) => stories[id].isRefused));
      await world.until(world.now() + 10 * MINUTE);
      await polls.makeDue(ids, world.now());
      await world.until(world.now() + MINUTE);
    }
    const listed = await overview.facts(ids);
    for (const scheduleId of ids) {
      const { polled: readAt, state, headline, nextDue } = listed.get(scheduleId)!;
      const { details: { plan } } = (await verdicts.get(scheduleId))!;
      const page = await judged(world, { scheduleId, readAt: readAt!, isObserved: true });
      const { outage } = await loadSchedule(requestOf(world, scheduleId));
      assertEquals(outage !== null, stories[scheduleId].isRefused ?? false);
      assertEquals(
        [page.state, page.headline, page.schedule?.next ?? null, page.schedule?.plan ?? null],
        [state, headline, nextDue, plan],
        `${scheduleId}`,
      );
    }
  }, { zone: ZONE, plans: () => null });
});
