import { assertEquals } from "@std/assert";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { type JudgeOptions, judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import type { RunHistory } from "../../../lib/runs/load_runs.ts";
import { newestFirst } from "../../../lib/runs/times.ts";
import type { Recipient } from "../../../lib/types.ts";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { PageState } from "../../../server/pages/page_request.ts";
import { judgeForPage } from "../../../server/pages/schedule.ts";
import type { ScheduleRuns } from "../../../server/pages/schedule_runs.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { judgeAgainStep } from "../../../server/store/records/verdicts.ts";
import { BOB } from "../../actors.ts";
import { HOURLY, START, withWorld, type World } from "../observer/world.ts";

/** What the page of a schedule says of its newest runs, as of its last poll. */
async function judged(
  { records, histories }: World,
  { most = Infinity, readAt, isObserved = false }: {
    readonly most?: number;
    readonly readAt: number;
    /** Whether the page knows what the observer found. */
    readonly isObserved?: boolean;
  },
) {
  const runs = newestFirst(histories.get(1)!).slice(0, most);
  const { failure, failingSince, watched } = (await records.watches.known([1])).get(1)!;
  const known = { scheduleId: 1, failure, failingSince, isWatched: watched === 1 };
  const state = {
    services: {
      records,
      settings: { homeDomains: [], serviceBaseUrl: null },
      judging: {
        judgeHistory: (history: RunHistory, options: JudgeOptions) =>
          Promise.resolve(judgeSchedule(history, options)),
      },
    },
    statuses: defaultStatusDictionary(),
    preferences: { zone: "UTC" },
  } as unknown as PageState;
  const { verdict } = await judgeForPage(state, {
    scheduleId: 1,
    loaded: { runs, stopped: "end", olderUnread: runs.length === most, newerUnread: false },
    readAt,
    settings: {
      ...known,
      ...isObserved ? { plans: [HOURLY], polled: readAt } : { plans: [], polled: null },
      ...{ pauses: [], calendar: [] },
    },
  } as unknown as ScheduleRuns);
  return verdict;
}

const [ADA, SAM, ROWAN] = ["ada@acme.example", "sam@acme.example", "rowan@partner.example"]
  .map((emailAddress, at) => ({ userId: at + 1, displayName: emailAddress, emailAddress }));

/** Adds hourly runs until the world's beginning, and has them read. */
async function runHourly(
  world: World,
  count: number,
  recipientsOf: (index: number) => readonly Recipient[],
): Promise<void> {
  for (let index = 0; index < count; index++) {
    world.run(1, START + (index + 1 - count) * HOUR, { recipients: recipientsOf(index) });
  }
  await world.until(START + 10 * MINUTE);
  await world.records.receipts.count(1);
}

Deno.test("judgeForPage: knows who left, as the observer does", () =>
  withWorld([1], async (world) => {
    await runHourly(world, 41, () => [ADA, SAM]);
    const left = { userId: SAM.userId, address: null, leftAt: START - HOUR };
    await world.records.leavers.add([left], { actor: BOB, now: START });
    const { reasons } = await judged(world, { readAt: world.now() });
    assertEquals(reasons.map(({ code }) => code), ["leaver-recipient"]);
  }));

Deno.test("judgeForPage: knows who received the runs before those that it loads", () =>
  withWorld([1], async (world) => {
    await runHourly(world, 60, (index) => index < 3 || index > 45 ? [ADA, SAM, ROWAN] : [ADA, SAM]);
    const { reasons } = await judged(world, { most: 30, readAt: world.now() });
    assertEquals(reasons.map(({ code }) => code), []);
  }));

Deno.test("judgeForPage: an outage makes nothing overdue that was not at the last answer", () =>
  withWorld([1], async (world) => {
    await runHourly(world, 41, () => [ADA]);
    const { headline } = await judged(world, { readAt: START + 30 * MINUTE });
    assertEquals(headline, "healthy");
  }));

Deno.test("judgeForPage: after the stored verdict, judges by the service's clock", () =>
  withWorld([1], async (world) => {
    world.clockOffset = 5 * MINUTE;
    await world.records.service.store({ clockOffsets: [world.clockOffset] });
    await runHourly(world, 41, () => [ADA]);
    const readAt = START + HOUR + 4 * MINUTE;
    await world.until(readAt);
    await world.records.commit([judgeAgainStep(1, readAt)]);
    const { schedule } = await judged(world, { readAt, isObserved: true });
    const stored = await world.records.verdicts.get(1);
    assertEquals([schedule?.counts.overdue, schedule?.next], [1, stored!.nextDue]);
    assertEquals(stored!.overdue, 1);
  }));

for (const watched of [1, 0] as const) {
  const subject = watched ? "a schedule" : "an unwatched schedule";
  Deno.test(`judgeForPage: ${subject} that can't be read is unknown, as in lists`, () =>
    withWorld([1, 2], async (world) => {
      await runHourly(world, 41, () => [ADA]);
      await world.records.watches.saveAll({
        added: [],
        changed: [{ scheduleId: 1, watched, settings: {} }],
        source: "hand",
        events: [],
      }, world.now());
      world.fault = (id) => id === 1 ? new HttpStatusError(403, "", {}) : null;
      await world.until(world.now() + MINUTE);
      const { state, headline, reasons } = await judged(world, { readAt: world.now() });
      const listed = (await world.records.overview.facts([1])).get(1)!;
      assertEquals([state, headline], [listed.state!, listed.headline]);
      assertEquals([headline, reasons.map(({ code }) => code)], ["unknown", ["unreadable"]]);
    }));
}
