/**
 * `deno run -A --config bench/deno.json bench/plan_rules.ts [SEED] [EVERY]` judges every nth labelled
 * history with all rules by which plans are found, and then without each of them.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { labelledHistories } from "../tests/lib/judgement/histories/histories.ts";

/** A rule, the file that has it, and what to replace by what to leave it out. */
const RULES: readonly [rule: string, file: string, from: string, to: string][] = [
  ["all rules", "zones", "", ""],
  [
    "zones that nobody named",
    "zones",
    "  const zones = [",
    "  if (times) return known;\n$&",
  ],
  ["zones with other dates", "numbers", "SELDOM_DAYS = 5", "SELDOM_DAYS = Infinity"],
  ["steps of minutes", "times_of_day", "  yield* stepTimes(local);\n", ""],
  ["hours of steps", "times_of_day", "if (span < perDay) return;", "return;"],
  ["sets of weekdays", "day_kinds", "maxNames: 6", "maxNames: 1"],
  ["every few weeks", "numbers", "[2, 3, 4]", "[]"],
  ["every few months", "numbers", "[2, 3, 6, 12]", "[]"],
  ["days of the month", "day_kinds", '[String(date), "L"] : [String(date)]', "[] : []"],
  ["several dates", "numbers", "maxNames: 5", "maxNames: 1"],
  ["business days", "day_kinds", "toNames: businessDay", "toNames: () => []"],
  ["nth weekdays", "day_kinds", "toNames: nthWeekday", "toNames: () => []"],
  ["moved on from weekends", "day_kinds", "toNames: datesMovedOn", "toNames: () => []"],
  ["moved back from weekends", "day_kinds", "toNames: datesMovedBack", "toNames: () => []"],
  ["one time with days of its own", "numbers", "MIN_OWN_DAYS = 6", "MIN_OWN_DAYS = Infinity"],
  ["changes of plan", "best_plan", "mayHaveChanged(fit, starts) ?", "times.length < 0 ?"],
];

const root = new URL("..", import.meta.url).pathname;
const [seed = 11, every = 1] = Deno.args.map(Number);
const histories = labelledHistories(seed, every);
const percent = (some: number, all: number) => `${(100 * some / all).toFixed(1)} %`;

for (const [rule, file, from, to] of RULES) {
  const folder = await mkdtemp(join(tmpdir(), "plan-rules-"));
  for (const part of ["lib", "tests/lib/judgement/histories"]) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  const path = join(folder, "lib/judgement/plans", `${file}.ts`);
  const text = await Deno.readTextFile(path);
  if (!text.includes(from)) throw new Error(`${file}.ts has no longer ${from}`);
  await Deno.writeTextFile(path, text.replace(from, to));
  const { judgeSchedule, defaultStatusDictionary } = await import(join(folder, "lib/mod.ts"));
  const { scoreOf } = await import(join(folder, "tests/lib/judgement/histories/score.ts"));
  const statuses = defaultStatusDictionary();
  let [right, found, wrong, lost] = [0, 0, 0, 0];
  for (const history of histories) {
    const score = scoreOf(history, judgeSchedule(history, { now: history.now, statuses }));
    if (score.whole) right++;
    found += score.found;
    wrong += score.wrong;
    lost += score.lost;
  }
  const missed = `missed runs: ${percent(found, found + wrong)} were due`;
  console.log(
    `${percent(right, histories.length)} right, ${missed}, ` +
      `${percent(found, found + lost)} were found; ${
        rule === "all rules" ? "with" : "without"
      } ${rule}`,
  );
  await rm(folder, { recursive: true });
}
