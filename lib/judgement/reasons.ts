/** Finds all reasons why a schedule needs attention. */
import { contentReasons, outlierReasons } from "./content/content_reasons.ts";
import type { Facts } from "./facts.ts";
import { byHandReasons, planReasons } from "./plan_reasons.ts";
import type { Reason } from "./reason.ts";
import { leaverReasons, outsideReasons } from "./recipient_reasons.ts";
import {
  clockReasons,
  failingReasons,
  flakyReasons,
  inconsistentReasons,
  stuckReasons,
  unknownStatusReasons,
} from "./run_reasons.ts";
import type { Verdict } from "./verdict.ts";

const SEVERITIES = ["critical", "warning", "info"] as const;

/** Finds every reason, most severe first, then newest. */
export function allReasons(
  facts: Facts,
  durations: Verdict["durations"],
  findings: Verdict["findings"],
): Reason[] {
  const found = findSignificant(facts);
  if (!found.some(({ code }) => code === "slower")) found.push(...outlierReasons(durations));
  found.push(...inconsistentReasons(facts, findings));
  return inOrder(found);
}

/** Finds every reason above mere information, and perhaps others, in the same order. */
export function significantReasons(facts: Facts): Reason[] {
  return inOrder(findSignificant(facts));
}

function findSignificant(facts: Facts): Reason[] {
  return [
    ...planReasons(facts),
    ...failingReasons(facts),
    ...stuckReasons(facts),
    ...byHandReasons(facts),
    ...unknownStatusReasons(facts),
    ...outsideReasons(facts),
    ...leaverReasons(facts),
    ...contentReasons(facts.content, facts.expected.runs),
    ...flakyReasons(facts),
    ...clockReasons(facts),
  ];
}

function inOrder(reasons: Reason[]): Reason[] {
  return reasons.sort((a, b) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (b.since ?? -Infinity) - (a.since ?? -Infinity) || 0
  );
}
