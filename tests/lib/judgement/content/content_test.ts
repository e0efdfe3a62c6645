import { assertEquals } from "@std/assert";
import { judgeSchedule } from "../../../../lib/judgement/judge_schedule.ts";
import type { Verdict } from "../../../../lib/judgement/verdict.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { type ContentHistory, contentHistory } from "../histories/content_histories.ts";

const statuses = defaultStatusDictionary();
const plan = { cron: ["* * * * *"], zone: "UTC", graceMs: 0, since: Date.UTC(2100, 0, 1) };
const CONTENT = ["empty-delivery", "size-jump", "slower", "recipients-dropped", "sent-to-nobody"];

/** Judges the first runs of a history. */
function judged({ runs }: Pick<ContentHistory, "runs">, count: number, carried?: object) {
  const shown = runs.slice(0, count);
  const now = Date.parse(shown.at(-1)!.endTime!);
  return judgeSchedule({ runs: shown }, { now, statuses, plan, ...(carried && { carried }) });
}

function codesIn({ reasons }: Verdict) {
  return reasons.map(({ code }) => code).filter((code) => CONTENT.includes(code));
}

Deno.test("judgeSchedule: a run that was read is not read again, nor one that ended before", () => {
  const history = contentHistory({ plan: "daily", usual: "flat", kind: null, seed: 3, count: 40 });
  const { carried } = judged(history, 40);
  for (const count of [40, 20]) {
    const again = judged(history, count, carried);
    const contentOf = (one: object) => "content" in one && one.content;
    assertEquals(contentOf(again.carried), contentOf(carried));
  }
});

Deno.test("judgeSchedule: an end that is still to come says nothing, and hides no later run", () => {
  const made = { plan: "daily", usual: "flat", kind: null, seed: 5, count: 60 } as const;
  const { runs } = contentHistory(made);
  const wrong = runs.map((run, at) =>
    at === 45
      ? { ...run, endTime: "2036-01-01T00:00:00Z" }
      : at >= 50
      ? { ...run, cardCount: 0, attachmentCount: 0, attachmentSize: 0 }
      : run
  );
  const { carried } = judged({ runs: wrong }, 50);
  assertEquals(codesIn(judged({ runs: wrong }, 60, carried)), ["empty-delivery"]);
  // A run is read once its end has come.
  const endAt = Date.parse(runs[59].endTime!) + 3_600_000;
  const open = { ...wrong[59], endTime: new Date(endAt).toISOString() };
  const codesAt = (now: number) =>
    codesIn(judgeSchedule({ runs: [...runs.slice(0, 59), open] }, { now, statuses, plan }));
  assertEquals([endAt - 1, endAt].map(codesAt), [[], ["empty-delivery", "slower"]]);
});

Deno.test("judgeSchedule: a run that is listed after one that ended later is read, too", () => {
  const made = { plan: "hourly", usual: "flat", kind: null, seed: 6, count: 60 } as const;
  const { runs } = contentHistory(made);
  const late = { ...runs[58], recipientCount: 0, recipients: [] };
  const before = [...runs.slice(0, 58), { ...runs[59], automated: true }];
  const now = Date.parse(runs[59].endTime!);
  const { carried } = judgeSchedule({ runs: before }, { now, statuses, plan });
  const { reasons } = judgeSchedule({ runs: [...before, late] }, { now, statuses, plan, carried });
  assertEquals(reasons.some(({ code }) => code === "sent-to-nobody"), true);
});

Deno.test("judgeSchedule: what another version carried is not used", () => {
  const made = { plan: "daily", usual: "flat", kind: "no cards", seed: 7, count: 60 } as const;
  const history = contentHistory(made);
  const other = { content: { read: [] } };
  assertEquals(judged(history, 60, other).carried, judged(history, 60).carried);
});

Deno.test("judgeSchedule: after a year of monthly runs with content, an empty one is reported", () => {
  const runs = Array.from({ length: 14 }, (_, month) => ({
    id: month,
    startTime: new Date(Date.UTC(2025, month, 1, 6)).toISOString(),
    endTime: new Date(Date.UTC(2025, month, 1, 6, 1)).toISOString(),
    status: "success",
    cardCount: month < 13 ? 4 : 0,
  }));
  const { reasons } = judgeSchedule({ runs }, { now: Date.UTC(2026, 1, 1, 7), statuses });
  assertEquals(reasons.map(({ code, runs }) => [code, runs]), [["empty-delivery", [13]]]);
});
