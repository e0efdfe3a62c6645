/** The accuracy of judging labelled histories, and the cost of judging and replaying. */
import process from "node:process";
import { defaultStatusDictionary, judgeSchedule, replay } from "../lib/mod.ts";
import {
  labelledHistories,
  type LabelledHistory,
  makeHistory,
} from "../tests/lib/judgement/histories/histories.ts";
import { planNamed } from "../tests/lib/judgement/histories/plans.ts";
import { scoreOf } from "../tests/lib/judgement/histories/score.ts";
import { atLeast, atMost, type Bench, type Figure, median, milliseconds } from "./bench.ts";
import { contentFigures } from "./content.ts";

const SEED = 11;
/** Other histories each day, to which nothing can have been tuned. */
const FRESH_SEED = Math.floor(Date.now() / 86_400_000);
const ROUNDS = 3;
const REPLAY_MS = 3000;
/** CPU budgets, by number of runs judged. */
const JUDGING_MS = { 1000: 250, 10_000: 1000, 100_000: 10_000 };

const bench: Bench = () =>
  Promise.resolve([
    accuracy("labelled histories", labelledHistories(SEED), 0.97),
    accuracy(`fresh histories, seed ${FRESH_SEED}`, labelledHistories(FRESH_SEED), 0.96),
    ...Object.entries(JUDGING_MS).map(([count, budget]) => {
      const history = hourly(Number(count), "some missed");
      return atMost(
        `CPU of judging ${count} runs`,
        cpu(() => judged(history)),
        budget,
        milliseconds,
      );
    }),
    ...["nothing", "some missed", "retries"].map(replaying),
    ...[SEED, FRESH_SEED].flatMap(contentFigures),
  ]);

export default bench;

const statuses = defaultStatusDictionary();

function judged({ runs, now }: Pick<LabelledHistory, "runs" | "now">) {
  return judgeSchedule({ runs }, { now, statuses });
}

function accuracy(what: string, histories: readonly LabelledHistory[], least: number): Figure {
  const right = histories.filter((history) => scoreOf(history, judged(history)).whole).length;
  return atLeast(
    `${histories.length} ${what}, entirely right`,
    right / histories.length,
    least,
    (part) => `${(part * 100).toFixed(1)} %`,
  );
}

function replaying(fault: string): Figure {
  const { runs, now } = hourly(365 * 24, fault);
  return atMost(
    `CPU of replaying a year of hourly runs, faults: ${fault}`,
    cpu(() => replay(runs, { until: now })),
    REPLAY_MS,
    milliseconds,
  );
}

function hourly(count: number, fault: string): LabelledHistory {
  return makeHistory({
    plan: planNamed("hourly"),
    zone: "Europe/Berlin",
    fault,
    jitter: "2 minutes",
    count,
    seed: 1,
  });
}

/** The median milliseconds of CPU of some rounds. */
function cpu(work: () => unknown): number {
  return median(Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }));
}
