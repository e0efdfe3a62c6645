import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { anyRuns } from "../runs/arbitrary.ts";
import { judgeAt } from "./runs_at.ts";

Deno.test("judgeSchedule: nothing crashes, changes its input or gives a number that is none", () =>
  fc.assert(fc.property(anyRuns, (runs) => {
    const before = structuredClone(runs);
    const { health, durations, attachmentSize, newcomers } = judgeAt(Date.UTC(2026, 2, 1), runs);
    assertEquals(runs, before);
    assertEquals(Object.values(health.counts).reduce((sum, count) => sum + count), health.count);
    const numbers = [
      ...[health.successRate, durations.p50, durations.p95],
      ...[attachmentSize?.first, attachmentSize?.last],
    ].filter((number) => number !== null && number !== undefined);
    assert(numbers.every(Number.isFinite), String(numbers));
    assert(newcomers.every(({ domain }) => domain !== ""));
  })));
