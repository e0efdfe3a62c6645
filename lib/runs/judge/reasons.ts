/**
 * All reasons why somebody should look at a schedule.
 *
 * @module
 */
import {
  durationReasons,
  hollowReasons,
  recipientReasons,
  sizeReasons,
} from "./content_reasons.ts";
import type { Facts } from "./facts.ts";
import { byHandReasons, planReasons } from "./plan_reasons.ts";
import type { Reason } from "./reason.ts";
import {
  clockReasons,
  failingReasons,
  flakyReasons,
  inconsistentReasons,
  stuckReasons,
  unknownStatusReasons,
} from "./run_reasons.ts";

const SEVERITIES = ["critical", "warning", "info"] as const;

/**
 * Finds every reason.
 *
 * @param facts What is known of the schedule.
 * @returns The reasons, the most severe first, then the newest.
 */
export function reasonsFor(facts: Facts): Reason[] {
  const hollow = [...hollowReasons(facts)];
  const reasons = [
    ...planReasons(facts),
    ...failingReasons(facts),
    ...stuckReasons(facts),
    ...byHandReasons(facts),
    ...unknownStatusReasons(facts),
    ...hollow,
    ...recipientReasons(facts),
    ...sizeReasons(facts, hollow[0]?.since ?? Infinity),
    ...durationReasons(facts),
    ...flakyReasons(facts),
    ...clockReasons(facts),
    ...inconsistentReasons(facts),
  ];
  return reasons.sort((a, b) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (b.since ?? -Infinity) - (a.since ?? -Infinity) || 0
  );
}
