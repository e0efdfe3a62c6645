import { assert, assertEquals } from "@std/assert";
import type { ReportRun } from "../../../../lib/types.ts";
import { contentHistory } from "../histories/content_histories.ts";
import { scoreContent } from "../histories/content_score.ts";
import { judgeAt } from "../runs_at.ts";

const CONTENT = ["empty-delivery", "size-jump", "slower", "recipients-dropped", "sent-to-nobody"];

const dailyHistory = (kind: string | null) =>
  contentHistory({ plan: "daily", usual: "flat", kind, seed: 4, count: 160 });

/** What is wrong with the content of runs, after the last of them. */
function codesIn(runs: readonly ReportRun[]): string[] {
  const now = Date.parse(runs.at(-1)!.endTime!);
  return judgeAt(now, runs.toReversed()).reasons.filter(({ severity }) => severity !== "info")
    .map(({ code }) => code).filter((code) => CONTENT.includes(code));
}

Deno.test("Content: finds nearly all changes, and reports hardly anything else", () => {
  // A part of one set: the benchmark judges whole ones.
  const { recall, precision, falseQuiet, reportsPerChange } = scoreContent(2, 48);
  assert(recall >= 0.94, `recall ${recall}`);
  assert(precision >= 0.93, `precision ${precision}`);
  assert(falseQuiet <= 1, `${falseQuiet} false reports in 1,000 quiet runs`);
  assert(reportsPerChange <= 1.5, `${reportsPerChange} reports a change`);
});

Deno.test("judgeSchedule: each change of content has its code", () => {
  const codesWith = (kind: string | null) => {
    const { runs, fault } = dailyHistory(kind);
    return codesIn(runs.slice(0, (fault?.first ?? 150) + 3));
  };
  assertEquals(codesWith(null), []);
  for (const kind of ["no attachment", "no cards", "nothing in it", "almost empty"]) {
    assertEquals(codesWith(kind), ["empty-delivery"], kind);
  }
  assertEquals(codesWith("larger"), ["size-jump"]);
  assertEquals(codesWith("slower"), ["slower"]);
  assertEquals(codesWith("half of the people"), ["recipients-dropped"]);
  assertEquals(codesWith("nobody"), ["sent-to-nobody"]);
});

Deno.test("judgeSchedule: failed, open and started runs say nothing of what is usual", () => {
  const { runs } = dailyHistory(null);
  const codesIfLast = (change: Partial<ReportRun>) =>
    codesIn(runs.with(-1, { ...runs.at(-1)!, ...change }));
  const empty = { cardCount: 0, attachmentCount: 0, attachmentSize: 0, recipients: [] };
  assertEquals(codesIfLast(empty), ["empty-delivery", "sent-to-nobody"]);
  assertEquals(codesIfLast({ ...empty, status: "failure" }), []);
  const few = { recipients: runs[0].recipients!.slice(0, 1) };
  assertEquals(codesIfLast(few), ["recipients-dropped"]);
  assertEquals(codesIfLast({ ...few, automated: false }), []);
  // Of runs that ended with an unknown status, nobody knows whether they took their time.
  const slow = (status: string) =>
    codesIn(runs.map((run, at) => {
      const endTime = new Date(Date.parse(run.startTime!) + 3_000_000).toISOString();
      return at < 155 ? run : { ...run, status, endTime };
    }));
  assertEquals([slow("success"), slow("odd")], [["slower"], []]);
  assertEquals(codesIfLast({ recipients: [], automated: false }), ["sent-to-nobody"]);
});
