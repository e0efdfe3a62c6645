/** All reasons why somebody should look at a schedule. */
import {
  formerSizeReasons,
  hollowReasons,
  outlierReasons,
  sizeReasons,
  slowerReasons,
} from "./content_reasons.ts";
import type { Facts } from "./facts.ts";
import { byHandReasons, planReasons } from "./plan_reasons.ts";
import type { Reason } from "./reason.ts";
import { recipientReasons } from "./recipient_reasons.ts";
import {
  clockReasons,
  failingReasons,
  flakyReasons,
  inconsistentReasons,
  stuckReasons,
  unknownStatusReasons,
} from "./run_reasons.ts";

const SEVERITIES = ["critical", "warning", "info"] as const;

/** Finds every reason, most severe first, then newest. */
export function reasonsFor(facts: Facts): Reason[] {
  const weighty = weightyReasons(facts);
  const has = (code: Reason["code"]) => weighty.some((reason) => reason.code === code);
  return inOrder([
    ...weighty,
    ...(has("size-jump") ? [] : formerSizeReasons(facts)),
    ...(has("slower") ? [] : outlierReasons(facts)),
    ...inconsistentReasons(facts),
  ]);
}

/**
 * Finds every reason above mere information, and perhaps others: those that watching needs. Most
 * severe first, then newest.
 *
 * @param isLevel Whether sizes and durations are known to give none.
 */
export function reasonsToWatch(facts: Facts, isLevel = false): Reason[] {
  return inOrder(weightyReasons(facts, isLevel));
}

/** Finds only the reasons that depend on what was due, in the same order. */
export function slotReasons(facts: Facts): Reason[] {
  return inOrder([...planReasons(facts)]);
}

function weightyReasons(facts: Facts, isLevel = false): Reason[] {
  const hollow = isLevel ? [] : [...hollowReasons(facts)];
  return [
    ...planReasons(facts),
    ...failingReasons(facts),
    ...stuckReasons(facts),
    ...byHandReasons(facts),
    ...unknownStatusReasons(facts),
    ...hollow,
    ...recipientReasons(facts),
    ...(isLevel ? [] : [
      ...sizeReasons(facts, hollow[0]?.since ?? Infinity),
      ...slowerReasons(facts),
    ]),
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
