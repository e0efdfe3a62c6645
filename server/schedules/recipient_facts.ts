/** What people said of a schedule's runs, and what is known of its recipients and earlier runs. */
import type { JudgeOptions } from "../../lib/judgement/judge_schedule.ts";
import { EARLIEST } from "../../lib/runs/occurrences.ts";
import type { Recipient } from "../../lib/types.ts";
import type { Settings } from "../config/settings.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { insideDomains } from "./domains.ts";

export type RecipientFacts = Pick<JudgeOptions, "before" | "decisions" | "inside" | "leavers">;

/**
 * @param starts When the runs that are judged started, in any order.
 * @param sentTo Who received the newest good run, if that is not stored yet.
 */
export async function recipientFacts(
  records: ObserverRecords | null,
  settings: Pick<Settings, "homeDomains">,
  { scheduleId, starts, sentTo = [], now }: {
    readonly scheduleId: number;
    readonly starts: readonly (number | null | undefined)[];
    readonly sentTo?: readonly Recipient[];
    readonly now: number;
  },
): Promise<RecipientFacts> {
  if (!records) return { inside: await insideDomains(null, settings) };
  await records.receipts.countIfMarked(scheduleId);
  const left = [
    ...(await records.people.leaversOf(scheduleId)).map(({ userId, listed, leftAt }) => ({
      recipient: { ...listed, userId },
      left: leftAt!,
    })),
    ...(await records.leavers.among(sentTo)).map(({ userId, address, leftAt }) => ({
      recipient: { userId, emailAddress: address },
      left: leftAt,
    })),
  ];
  const levels = await records.incidents.expectedLevels(scheduleId);
  return {
    decisions: [
      ...await records.recipientDecisions.expectedOn(scheduleId, now),
      ...levels.map((run) => ({ kind: "level" as const, run, expected: true, until: null })),
    ],
    leavers: left,
    inside: await insideDomains(records, settings),
    ...await earlierRuns(records, scheduleId, starts),
  };
}

/** What is known of the runs before those that are judged; nothing if there are none. */
async function earlierRuns(
  { runs, people }: ObserverRecords,
  scheduleId: number,
  starts: readonly (number | null | undefined)[],
): Promise<Pick<JudgeOptions, "before">> {
  const known = starts.filter((start) => typeof start === "number" && start >= EARLIEST);
  const oldest = known.reduce<number>((least, start) => Math.min(least, start!), Infinity);
  const firstStart = await runs.firstStart(scheduleId, EARLIEST);
  if (oldest === Infinity || firstStart === null || firstStart >= oldest) return {};
  const recipients = await people.receivedBefore(scheduleId, oldest);
  return { before: { firstStart, recipients } };
}
