import { assert } from "@std/assert";
import { defaultStatusDictionary, judgeSchedule } from "../../../../lib/mod.ts";
import { labelledHistories, noiseHistories } from "./histories.ts";
import { scoreOf } from "./score.ts";

Deno.test("judgeSchedule: labelled histories are judged wholly right, 97 % of them at least", () => {
  // A part of one set: the benchmark judges whole ones.
  const histories = labelledHistories(5, 12);
  assert(histories.length >= 60);
  const wrong = histories.filter((history) => {
    const verdict = judgeSchedule(history, {
      now: history.now,
      statuses: defaultStatusDictionary(),
    });
    return !scoreOf(history, verdict).whole;
  });
  const names = wrong.map(({ name }) => name).join("\n");
  assert(wrong.length <= 0.03 * histories.length, names);
});

Deno.test("judgeSchedule: no plan is seen in noise", () => {
  const noises = noiseHistories(5).filter((_, at) => at % 3 === 0);
  const options = { statuses: defaultStatusDictionary() };
  const planned = noises.filter((noise) =>
    judgeSchedule(noise, { ...options, now: noise.now }).schedule !== null
  );
  assert(noises.length >= 12 && planned.length === 0, planned.map(({ name }) => name).join("\n"));
});
