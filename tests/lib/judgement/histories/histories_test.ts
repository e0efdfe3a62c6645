import { assert } from "@std/assert";
import { judgeAt } from "../runs_at.ts";
import { labelledHistories, noiseHistories } from "./histories.ts";
import { scoreOf } from "./score.ts";

Deno.test("judgeSchedule: labelled histories are judged wholly right, 97 % of them at least", () => {
  // A part of one set: the benchmark judges whole ones.
  const histories = labelledHistories(5, 12);
  assert(histories.length >= 60);
  const wrong = histories.filter((history) =>
    !scoreOf(history, judgeAt(history.now, history.runs)).whole
  );
  const names = wrong.map(({ name }) => name).join("\n");
  assert(wrong.length <= 0.03 * histories.length, names);
});

Deno.test("judgeSchedule: no plan is seen in noise", () => {
  const noises = noiseHistories(5).filter((_, at) => at % 3 === 0);
  const planned = noises.filter(({ now, runs }) => judgeAt(now, runs).schedule !== null);
  assert(noises.length >= 12 && planned.length === 0, planned.map(({ name }) => name).join("\n"));
});
