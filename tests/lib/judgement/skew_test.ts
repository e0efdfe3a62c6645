import { assertEquals, assertObjectMatch } from "@std/assert";
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import { MAX_NAMED_RUNS } from "../../../lib/judgement/reason.ts";
import { skewOf } from "../../../lib/judgement/skew.ts";
import { createWatch } from "../../../lib/judgement/watch.ts";

const BEGIN = Date.UTC(2026, 0, 5, 6);

function runOn(day: number, minutes: number | null) {
  const start = BEGIN + day * DAY;
  const endTime = minutes === null ? null : new Date(start + minutes * MINUTE).toISOString();
  const status = minutes === null ? null : "success";
  return { id: day, status, startTime: new Date(start).toISOString(), endTime };
}

Deno.test("createWatch: a clock that is some minutes ahead is one incident while it lasts", () => {
  const runs = Array.from({ length: 20 }, (_, day) => runOn(day, 1));
  const watch = createWatch({ plan: null });
  const noticed = runs.flatMap((_, day) => {
    const ahead = day >= 5 && day < 12 ? 5 * MINUTE : 1.5 * MINUTE;
    return [0, 10].flatMap((later) =>
      watch.look(runs.slice(0, day + 1), BEGIN + day * DAY - ahead + later * MINUTE)
        .map(({ kind, code }) => [day, kind, code])
    );
  });
  assertEquals(noticed, [[5, "opened", "clock"], [14, "resolved", "clock"]]);
  const [{ reason }] = watch.incidents();
  assertObjectMatch(reason, { code: "clock", aheadMs: 5 * MINUTE });
});

Deno.test("skewOf: names the newest of many runs that start in the future", () => {
  const impossible = Array.from({ length: 200 }, (_, id) => ({
    id,
    startTime: new Date(BEGIN + (id + 2) * MINUTE).toISOString(),
  }));
  const { runs, since, until } = skewOf({ timed: [], impossible }, BEGIN);
  assertEquals([since, until], [BEGIN + 2 * MINUTE, BEGIN + 201 * MINUTE]);
  assertEquals([runs.length, runs.at(-1)], [MAX_NAMED_RUNS, 199]);
  // No clock is ahead by days.
  const wrong = { id: 1, startTime: new Date(BEGIN + 2 * DAY).toISOString() };
  assertEquals(skewOf({ timed: [], impossible: [wrong] }, BEGIN).since, null);
});
