/** Why somebody should look at a schedule. */
import { timeOf } from "../../lib/runs/times.ts";
import { formatCountOf } from "../ui/format.ts";
import type { Judgement, Loaded } from "../../lib/runs/judgement.ts";

/** What calls for attention, the most urgent first. */
export interface Attention {
  /** 0 where nothing does. */
  readonly rank: number;
  /** Each reason in words. */
  readonly reasons: readonly string[];
}

const LATELY_MS = 7 * 24 * 60 * 60 * 1000;

/** Finds what calls for attention in a judged schedule. */
export function attentionTo(judgement: Judgement, { newer }: Loaded, now: number): Attention {
  const { health, cadence, newcomers, attachmentSize } = judgement;
  const isLate = (time: number | undefined) => time !== undefined && now - time < LATELY_MS;
  const missed = cadence?.missed.filter(({ at }) => isLate(at)).length ?? 0;
  const found: [rank: number, words: string | false | null | undefined][] = [
    [
      5,
      health.streak?.meaning === "bad" &&
      `failing, ${formatCountOf(health.streak.count, "run", "runs")}`,
    ],
    [4, newer && "newer runs may exist that were not read"],
    [
      3,
      cadence !== null && cadence.overdue.length > 0 &&
      `${formatCountOf(cadence.overdue.length, "run", "runs")} overdue, inferred`,
    ],
    [3, newcomers.length > 0 && "a new recipient from outside"],
    [2, missed > 0 && `${formatCountOf(missed, "run", "runs")} missed in 7 days, inferred`],
    [
      2,
      attachmentSize?.jump && isLate(timeOf(attachmentSize.jump.run.startTime)) &&
      "its size jumped",
    ],
    [1, health.count === 0 && "has never run"],
    [1, health.count > 0 && health.streak === null && "no status is known to be good or bad"],
  ];
  const reasons = found.filter(([, words]) => !!words);
  return {
    rank: Math.max(0, ...reasons.map(([rank]) => rank)),
    reasons: reasons.map(([, words]) => words as string),
  };
}

/** What could not be looked at is second to what is known to fail. */
export const NOT_LOADED_RANK = 4;
