/** Reasons to look at a schedule. */
import type { Judgement, Loaded } from "../../lib/runs/judgement.ts";
import { timeOf } from "../../lib/runs/times.ts";
import { formatCountOf } from "../ui/format.ts";

/** Reasons to look at a schedule, the most urgent first. */
export interface Attention {
  /** The urgency of the first reason; 0 for none. */
  readonly rank: number;
  readonly reasons: readonly string[];
}

/** The rank of a schedule that could not be loaded: second only to one that is known to fail. */
export const NOT_LOADED_RANK = 4;

const RECENT_MS = 7 * 24 * 60 * 60 * 1000;

/** Finds the reasons to look at a schedule. */
export function attentionTo(judgement: Judgement, { newer }: Loaded, now: number): Attention {
  const { health, cadence, newcomers, attachmentSize } = judgement;
  const isRecent = (time: number | undefined) => time !== undefined && now - time < RECENT_MS;
  const runs = (count: number) => formatCountOf(count, "run", "runs");
  const missed = cadence?.missed.filter(({ at }) => isRecent(at)).length ?? 0;
  const overdue = cadence?.overdue.length ?? 0;
  const failures = health.streak?.meaning === "bad" ? health.streak.count : 0;
  const sizeJump = attachmentSize?.jump && isRecent(timeOf(attachmentSize.jump.run.startTime));
  const reasons: readonly (readonly [rank: number, applies: unknown, reason: string])[] = [
    [5, failures > 0, `failing for ${runs(failures)}`],
    [4, newer, "newer runs could not be loaded"],
    [3, overdue > 0, `${runs(overdue)} overdue (inferred)`],
    [3, newcomers.length > 0, "a new external recipient"],
    [2, missed > 0, `${runs(missed)} missed in 7 days (inferred)`],
    [2, sizeJump, "attachment size changed abruptly"],
    [1, health.count === 0, "has never run"],
    [1, health.count > 0 && !health.streak, "no status means success or failure"],
  ];
  const present = reasons.filter(([, applies]) => applies);
  return {
    rank: Math.max(0, ...present.map(([rank]) => rank)),
    reasons: present.map(([, , reason]) => reason),
  };
}
