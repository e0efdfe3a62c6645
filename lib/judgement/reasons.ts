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

/** Finds every reason, most severe first, then newest, with a step for each kind. */
export function* reasonsInSteps(facts: Facts): Generator<null, Reason[]> {
  const found: Reason[] = [];
  for (const reasons of weightyReasons(facts)) {
    found.push(...reasons);
    yield null;
  }
  const has = (code: Reason["code"]) => found.some((reason) => reason.code === code);
  const others = [
    ...(has("size-jump") ? [] : [formerSizeReasons]),
    ...(has("slower") ? [] : [outlierReasons]),
    inconsistentReasons,
  ];
  for (const reasonsOf of others) {
    found.push(...reasonsOf(facts));
    yield null;
  }
  return inOrder(found);
}

/**
 * Finds every reason above mere information, and perhaps others: those that watching needs. Most
 * severe first, then newest.
 *
 * @param isLevel Whether sizes and durations are known to give none.
 */
export function reasonsToWatch(facts: Facts, isLevel = false): Reason[] {
  return inOrder([...weightyReasons(facts, isLevel)].flatMap((reasons) => [...reasons]));
}

/** Finds only the reasons that depend on what was due, in the same order. */
export function slotReasons(facts: Facts): Reason[] {
  return inOrder([...planReasons(facts)]);
}

function* weightyReasons(facts: Facts, isLevel = false): Generator<Iterable<Reason>> {
  yield planReasons(facts);
  yield failingReasons(facts);
  yield stuckReasons(facts);
  yield byHandReasons(facts);
  yield unknownStatusReasons(facts);
  const hollow = isLevel ? [] : [...hollowReasons(facts)];
  yield hollow;
  yield recipientReasons(facts);
  if (!isLevel) {
    yield sizeReasons(facts, hollow[0]?.since ?? Infinity);
    yield slowerReasons(facts);
  }
  yield flakyReasons(facts);
  yield clockReasons(facts);
}

function inOrder(reasons: Reason[]): Reason[] {
  return reasons.sort((a, b) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (b.since ?? -Infinity) - (a.since ?? -Infinity) || 0
  );
}
