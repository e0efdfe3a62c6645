/** The accuracy of judging labelled histories, and the cost of judging and replaying. */
import process from "node:process";
import { defaultStatusDictionary, inferPlan, judgeSchedule, replay } from "../lib/mod.ts";
import {
  labelledHistories,
  type LabelledHistory,
  makeHistory,
  noiseHistories,
} from "../tests/lib/judgement/histories/histories.ts";
import { planNamed, PLANS } from "../tests/lib/judgement/histories/plans.ts";
import { randomFrom } from "../tests/lib/judgement/histories/random.ts";
import { type Score, scoreOf } from "../tests/lib/judgement/histories/score.ts";
import { atLeast, atMost, type Bench, type Figure, median, milliseconds } from "./bench.ts";
import { contentFigures } from "./content.ts";
import { quietYears } from "./quiet_years.ts";

const SEED = 11;
/** Other histories each day, to which nothing can have been tuned. */
const FRESH_SEED = Math.floor(Date.now() / 86_400_000);
const ROUNDS = 3;
const REPLAY_MS = 5000;
/** CPU budgets, by number of runs judged. */
const JUDGING_MS = { 60: 10, 1000: 150, 10_000: 1500 };

const bench: Bench = () =>
  Promise.resolve([
    ...accuracy("labelled histories", labelledHistories(SEED), 0.97),
    ...accuracy(`fresh histories, seed ${FRESH_SEED}`, labelledHistories(FRESH_SEED), 0.95),
    atMost("plans seen in 40 noises", noises(FRESH_SEED), 0, String),
    atLeast("plans that two stray runs don't change", unmovedPlans(), 188 / 192, percent),
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
    ...quietYears(FRESH_SEED),
  ]);

export default bench;

const statuses = defaultStatusDictionary();

function judged({ runs, now }: Pick<LabelledHistory, "runs" | "now">) {
  return judgeSchedule({ runs }, { now, statuses });
}

function accuracy(what: string, histories: readonly LabelledHistory[], least: number): Figure[] {
  const scores = histories.map((history) => scoreOf(history, judged(history)));
  const sum = (count: (score: Score) => number) =>
    scores.reduce((total, score) => total + count(score), 0);
  const [found, wrong, lost] = [sum((s) => s.found), sum((s) => s.wrong), sum((s) => s.lost)];
  const right = sum(({ whole }) => whole ? 1 : 0) / scores.length;
  return [
    atLeast(`${scores.length} ${what}, entirely right`, right, least, percent),
    atLeast(`missed runs of ${what} that were due`, found / (found + wrong), 0.99, percent),
    atLeast(`missed runs of ${what} that were found`, found / (found + lost), 0.97, percent),
  ];
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

/** In how many noises a plan is seen. */
function noises(seed: number): number {
  return noiseHistories(seed).filter((noise) => judged(noise).schedule !== null).length;
}

/** The share of histories of each plan in which two runs at any time don't change what is found. */
function unmovedPlans(): number {
  const random = randomFrom(FRESH_SEED);
  const unmoved = PLANS.flatMap((plan) =>
    ["UTC", "Europe/Berlin", "Asia/Tokyo", "America/New_York"].map((zone, seed) => {
      const { runs, now } = makeHistory({ plan, zone, seed });
      const [first, last] = [runs[0], runs.at(-1)!].map((run) => Date.parse(run.startTime!));
      const strays = [1, 2].map((id) => ({
        ...runs[0],
        id,
        startTime: new Date(first + random.next() * (last - first)).toISOString(),
      }));
      const [plain, stray] = [runs, [...runs, ...strays]].map((some) =>
        inferPlan(some, { now, zone, statuses })?.cron.join()
      );
      return plain === stray;
    })
  );
  return unmoved.filter(Boolean).length / unmoved.length;
}

function replaying(fault: string): Figure {
  const { runs, now } = hourly(365 * 24, fault);
  const plans = [{ cron: ["0 * * * *"], zone: "Europe/Berlin", graceMs: 600_000, since: 0 }];
  return atMost(
    `CPU of replaying a year of hourly runs with a given plan, faults: ${fault}`,
    cpu(() => replay(runs, { until: now, plans })),
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
