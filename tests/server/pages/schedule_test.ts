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
import { BOB } from "../../actors.ts";
import { START, withWorld, type World } from "../observer/world.ts";

/** What the page of a schedule says of its newest runs, as of its last poll. */
async function judged(
  { records, histories }: World,
  { most = Infinity, readAt }: { readonly most?: number; readonly readAt: number },
) {
  const runs = newestFirst(histories.get(1)!).slice(0, most);
  const state = {
    services: {
      records,
      settings: { homeDomains: [] },
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
    settings: { plans: [], pauses: [], calendar: [], polled: null },
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
