import { emptyContent, updateContent } from "../../../../lib/judgement/content/content.ts";
import {
  type ContentReason,
  contentReasons,
} from "../../../../lib/judgement/content/content_reasons.ts";
import {
  type ContentHistory,
  contentHistory,
  FAULT_KINDS,
  USUAL_KINDS,
} from "../histories/content_histories.ts";
import { assertStored } from "../../../stored_text.ts";

/** How many runs of each plan are judged. */
const COUNTS = {
  "hourly": 600,
  "working hours": 300,
  "twice a day": 180,
  "daily": 150,
  "weekdays": 120,
  "weekly": 80,
  "monthly": 40,
};

/** What is reported of a history: a line for each reason that begins, becomes usual or ends. */
function reportsOf({ name, runs }: ContentHistory): string[] {
  let memory = emptyContent();
  let known = new Map<string, ContentReason[]>();
  const lines = [`${name}, ${runs.length} runs`];
  for (const [at, run] of runs.entries()) {
    const time = Date.parse(run.startTime!);
    const timed = { run, time, ms: Date.parse(run.endTime!) - time, meaning: "good" } as const;
    memory = updateContent(memory, [timed], { now: Infinity, zone: "UTC" });
    const found = Map.groupBy(
      contentReasons(memory),
      ({ code, first }) => `${code} of ${first}`,
    );
    for (const [key, [reason]] of found) {
      if (known.get(key)?.[0].severity !== reason.severity) {
        lines.push(`  ${at}: ${key}, ${textOf(reason)}`);
      }
    }
    for (const [key, [reason]] of known) {
      if (!found.has(key)) lines.push(`  ${at}: ended: ${key}, ${textOf(reason)}`);
    }
    known = found;
  }
  return lines;
}

function textOf({ severity, code: _, first: __, ...shown }: ContentReason): string {
  return [
    severity,
    ...Object.entries(shown).map(([name, value]) =>
      `${name} ${typeof value === "number" ? Number(value.toPrecision(3)) : value}`
    ),
  ].join(", ");
}

Deno.test("contentReasons: what is reported of histories with known changes, and when", async () => {
  const kinds = [...FAULT_KINDS, null];
  const histories = Object.entries(COUNTS).flatMap(([plan, count], at) =>
    USUAL_KINDS.map((usual, other) => {
      const seed = at * USUAL_KINDS.length + other;
      // Some faults end again.
      const lasts = seed % 3 === 0 ? 3 + seed % 23 : undefined;
      const kind = kinds[(seed + at) % kinds.length];
      return contentHistory({ plan, usual, kind, seed, count, lasts });
    })
  );
  const text = histories.flatMap(reportsOf).join("\n");
  await assertStored(text + "\n", new URL("reports.txt", import.meta.url), "what is reported");
});
