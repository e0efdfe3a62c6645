/**
 * How accurate judgements of labelled histories are, how early, and what they cost, compared with
 * the judgement of version 0.1.0, which inferred gaps.
 */
import process from "node:process";
import { defaultStatusDictionary, judgeSchedule, replay } from "../lib/mod.ts";
import type { ReportRun } from "../lib/types.ts";
import {
  labelledHistories,
  type LabelledHistory,
  makeHistory,
} from "../tests/lib/judgement/histories/histories.ts";
import { planNamed } from "../tests/lib/judgement/histories/plans.ts";
import { randomFrom } from "../tests/lib/judgement/histories/random.ts";
import { scoreOf } from "../tests/lib/judgement/histories/score.ts";
import { type Bench, type Figure, median } from "./bench.ts";
import { unpackReleased } from "./released.ts";

const MINUTE = 60_000;
const SEEDS = [11];
const MOST_REPLAY_MS = 300;
/** The years that are replayed: what went wrong, and in words. */
const REPLAYED = {
  nothing: "all well",
  "some missed": "6 % missed",
  retries: "15 % failed and retried",
};

interface Before {
  judge(
    loaded: {
      runs: readonly ReportRun[];
      repeated: readonly ReportRun[];
      stopped: "end";
      older: boolean;
      newer: boolean;
    },
    options: { dictionary: ReturnType<typeof defaultStatusDictionary>; now: number },
  ): { cadence: { missed: readonly { at: number }[]; next: number } | null };
}

/** The judgement of the baseline, from the repository's history. */
async function loadBefore(folder: string): Promise<Before["judge"]> {
  await unpackReleased(folder, "lib", "components/runs/judgement.ts");
  return (await import(`file://${folder}/components/runs/judgement.ts`) as Before).judge;
}

const statuses = defaultStatusDictionary();
const judged = ({ runs, now }: Pick<LabelledHistory, "runs" | "now">) =>
  judgeSchedule({ runs }, { now, statuses });

/** Milliseconds of CPU. */
function cpu(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
const share = (some: number, all: number) => all === 0 ? 1 : some / all;

interface Sums {
  found: number;
  wrong: number;
  lost: number;
}

/** The accuracy of both judgements. */
function accuracyFigures(histories: readonly LabelledHistory[], before: Before["judge"]): Figure[] {
  const now: Sums = { found: 0, wrong: 0, lost: 0 };
  const then: Sums = { found: 0, wrong: 0, lost: 0 };
  const right = { whole: 0, plan: 0, next: 0, reasons: 0, nextBefore: 0 };
  const noise = { all: 0, quiet: 0, quietBefore: 0 };
  for (const history of histories) {
    const score = scoreOf(history, judged(history));
    const { cadence } = before(loadedOf(history), { dictionary: statuses, now: history.now });
    const tolerance = Math.max(10 * MINUTE, history.truth.graceMs);
    const said = cadence?.missed.filter(({ at }) => at < history.now).map(({ at }) => at) ?? [];
    const found = history.truth.missed.filter((at) =>
      said.some((other) => Math.abs(other - at) <= tolerance)
    )
      .length;
    then.found += found;
    then.lost += history.truth.missed.length - found;
    then.wrong += Math.max(0, said.length - found);
    now.found += score.found;
    now.wrong += score.wrong;
    now.lost += score.lost;
    for (const name of ["whole", "plan", "next", "reasons"] as const) right[name] += +score[name];
    const { next } = history.truth;
    right.nextBefore += +(next === null ||
      cadence !== null && Math.abs(cadence.next - next) <= tolerance);
    if (!history.truth.planned) {
      noise.all++;
      noise.quiet += +score.plan;
      noise.quietBefore += +(cadence === null);
    }
  }
  const all = histories.length;
  const figure = (
    what: string,
    measured: number,
    baseline: number | null,
    target: Figure["target"],
  ): Figure => ({
    what,
    measured: percent(measured),
    baseline: baseline === null ? "" : percent(baseline),
    ratio: measured,
    target,
  });
  return [
    figure(`${all} labelled histories: wholly right`, right.whole / all, null, "≥ 0.97"),
    figure(
      "missed runs: precision",
      share(now.found, now.found + now.wrong),
      share(then.found, then.found + then.wrong),
      "≥ 0.97",
    ),
    figure(
      "missed runs: recall",
      share(now.found, now.found + now.lost),
      share(then.found, then.found + then.lost),
      "≥ 0.97",
    ),
    figure("plan right", right.plan / all, null, "≥ 0.97"),
    figure("next run right", right.next / all, right.nextBefore / all, "≥ 0.98"),
    figure("reasons right", right.reasons / all, null, "≥ 0.97"),
    figure(
      `no plan for ${noise.all} histories of noise`,
      noise.quiet / noise.all,
      noise.quietBefore / noise.all,
      "≥ 0.97",
    ),
  ];
}

function loadedOf({ runs }: Pick<LabelledHistory, "runs">) {
  return { runs, repeated: [], stopped: "end" as const, older: false, newer: false };
}

/** How long after a missing run's due time and fair grace a stopped schedule is reported. */
function reportDelayFigure(histories: readonly LabelledHistory[]): Figure {
  const waits = histories.flatMap((history) => {
    const [due] = history.truth.overdue;
    if (due === undefined) return [];
    const isTold = (now: number) => (judged({ ...history, now }).schedule?.overdue.length ?? 0) > 0;
    const runs = history.runs.length;
    if (runs > 400 || !isTold(history.now)) return [];
    let [low, high] = [due, history.now];
    while (high - low > MINUTE) {
      const middle = (low + high) / 2;
      if (isTold(middle)) high = middle;
      else low = middle;
    }
    return [(high - due - history.truth.graceMs) / MINUTE];
  });
  const sorted = waits.toSorted((a, b) => a - b);
  const late = sorted[Math.floor(sorted.length * 0.95)];
  return {
    what: `told after due plus grace, 19 of 20 of ${waits.length} stopped schedules within`,
    measured: `${late.toFixed(0)} min`,
    baseline: "10 min",
    ratio: late / 10,
    target: "≤ 1",
  };
}

/** The CPU time of judging. */
function costFigures(histories: readonly LabelledHistory[], before: Before["judge"]): Figure[] {
  const thousands = histories.filter(({ runs }) => runs.length > 300).slice(0, 60);
  const usual = thousands.map((history) => cpu(() => judged(history)));
  const then = thousands.map((history) =>
    cpu(() => before(loadedOf(history), { dictionary: statuses, now: history.now }))
  );
  const figures: Figure[] = [
    costFigure("300 to 1,000 runs, in the middle", median(usual), median(then), 80),
    costFigure("300 to 1,000 runs, at worst", Math.max(...usual), Math.max(...then), 250),
  ];
  for (const [count, most] of [[10_000, 400], [100_000, 2000]] as const) {
    const history = makeHistory({
      plan: planNamed("hourly"),
      zone: "Europe/Berlin",
      fault: "some missed",
      jitter: "2 minutes",
      count,
      seed: 1,
    });
    const took = median([0, 1, 2].map(() => cpu(() => judged(history))));
    const took0 = cpu(() => before(loadedOf(history), { dictionary: statuses, now: history.now }));
    figures.push(costFigure(`${count.toLocaleString("en")} runs`, took, took0, most));
  }
  const odd = [
    ["100,000 hourly runs and then 50 daily ones", hourlyToDaily(), 2000],
    ["1,000 runs at any time", anyTime(1000), 250],
    ["50 runs at any time, a week apart", anyTime(50, 7 * 24), 250],
  ] as const;
  for (const [what, history, most] of odd) {
    const took = median([0, 1, 2].map(() => cpu(() => judged(history))));
    const took0 = cpu(() => before(loadedOf(history), { dictionary: statuses, now: history.now }));
    figures.push(costFigure(what, took, took0, most));
  }
  return figures;
}

/** A schedule that changed its plan after a long time. */
function hourlyToDaily() {
  return makeHistory({
    plan: planNamed("daily 06:00"),
    before: { plan: planNamed("hourly"), count: 100_000 },
    zone: "Europe/Berlin",
    fault: "nothing",
    jitter: "2 minutes",
    count: 50,
    seed: 1,
  });
}

/** Runs without any plan, so many hours apart: all of their parts are searched for one. */
function anyTime(count: number, hours = 5) {
  const random = randomFrom(1);
  let at = Date.UTC(2026, 0, 1);
  const runs = Array.from({ length: count }, (_, id): ReportRun => {
    at -= hours * 60 * MINUTE * Math.log(1 - random.next());
    return { id, status: "success", startTime: new Date(at).toISOString() };
  });
  return { runs, now: at + MINUTE };
}

/** The CPU time of replaying a year of hourly runs; 0.1.0 had no replay. */
function replayCosts(): Figure[] {
  return Object.entries(REPLAYED).map(([fault, words]) => {
    const { runs, now } = makeHistory({
      plan: planNamed("hourly"),
      zone: "Europe/Berlin",
      fault,
      jitter: "2 minutes",
      count: 365 * 24,
      seed: 1,
    });
    const took = median([0, 1, 2].map(() => cpu(() => replay(runs, { until: now }))));
    return {
      what: `CPU of replaying a year of hourly runs, ${words}, against ${MOST_REPLAY_MS} ms`,
      measured: `${took.toFixed(0)} ms`,
      baseline: "",
      ratio: took / MOST_REPLAY_MS,
      target: "≤ 1",
    };
  });
}

function costFigure(what: string, took: number, before: number, most: number): Figure {
  return {
    what: `CPU of judging ${what}, against ${most} ms (baseline: 0.1.0, ${
      (took / before).toFixed(1)
    } times)`,
    measured: `${took.toFixed(0)} ms`,
    baseline: `${before.toFixed(0)} ms`,
    ratio: took / most,
    target: "≤ 1",
  };
}

const bench: Bench = async () => {
  const folder = await Deno.makeTempDir();
  try {
    const before = await loadBefore(folder);
    const histories = SEEDS.flatMap((seed) => labelledHistories(seed));
    return [
      ...accuracyFigures(histories, before),
      reportDelayFigure(histories),
      ...costFigures(histories, before),
      ...replayCosts(),
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
};

export default bench;
