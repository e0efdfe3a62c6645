import { assertEquals } from "@std/assert";
import { defaultStatusDictionary } from "../../../lib/mod.ts";
import { createWatch } from "../../../lib/judgement/watch.ts";
import { checkRuns } from "../../../lib/runs/findings.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const BEGIN = Date.UTC(2026, 0, 5, 6);

function runOn(day: number, minutes: number | null) {
  const start = BEGIN + day * DAY;
  const endTime = minutes === null ? null : new Date(start + minutes * MINUTE).toISOString();
  const status = minutes === null ? null : "success";
  return { id: day, status, startTime: new Date(start).toISOString(), endTime };
}

Deno.test("createWatch: a service whose clock is five minutes ahead is not told with each run", () => {
  const runs = Array.from({ length: 20 }, (_, day) => runOn(day, 1));
  const watch = createWatch({ plan: null });
  const told = runs.flatMap((_, day) => {
    const start = BEGIN + day * DAY - 5 * MINUTE;
    return [0, 10].flatMap((later) =>
      watch.look(runs.slice(0, day + 1), start + later * MINUTE).map(({ code }) => code)
    );
  });
  assertEquals(told, []);
});

Deno.test("checkRuns: a run goes on for as long as is usual, and has no end after that", () => {
  const runs = [...Array.from({ length: 10 }, (_, day) => runOn(day, 5)), runOn(10, null)];
  const kindsAt = (minutes: number) =>
    checkRuns(runs, {
      dictionary: defaultStatusDictionary(),
      now: BEGIN + 10 * DAY + minutes * MINUTE,
    }).map(({ kind }) => kind);
  assertEquals(kindsAt(19), []);
  assertEquals(kindsAt(21), ["no-end"]);
});
