import { assertEquals } from "@std/assert";
import { streaksOf } from "../../../lib/judgement/streaks.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";

/** Whether the last status is new, after runs with these statuses. */
function isNewAfter(...statuses: readonly string[]): boolean | undefined {
  const timed = [...statuses, "odd"].map((status, id) =>
    ({ run: { id, status }, time: id, ms: 1, meaning: "neutral" }) as const
  );
  return streaksOf(timed, defaultStatusDictionary(), undefined)?.unknown?.isNew;
}

Deno.test("streaksOf: an unknown status is new after three runs, if one in twenty of the last 50 had it at most", () => {
  const good = (count: number) => Array<string>(count).fill("success");
  assertEquals([2, 3].map((count) => isNewAfter(...good(count))), [false, true]);
  assertEquals([18, 19].map((count) => isNewAfter("odd", ...good(count))), [false, true]);
  const earlier = (count: number) => isNewAfter("odd", "odd", "Odd", ...good(count));
  assertEquals([47, 48].map(earlier), [false, true]);
});
