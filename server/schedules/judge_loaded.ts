/**
 * Judges loaded runs, once for as long as nothing that the verdict rests on changes, and so that other
 * requests are answered meanwhile: a worker infers the plans, and the rest is done piece by piece.
 */
import { setImmediate as turn } from "node:timers/promises";
import {
  judgeInSteps,
  type PlansQuestion,
  type Verdict,
} from "../../lib/judgement/judge_schedule.ts";
import { historyOf, type LoadedRuns } from "../../lib/runs/load_runs.ts";
import type { Pause } from "../../lib/judgement/slots.ts";
import type { PlannedPeriod } from "../../lib/judgement/plans/infer.ts";
import { inTimeUntilEach, type Plan, planSlots } from "../../lib/judgement/plans/plan.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import { ProblemError } from "../http/problem.ts";
import { createSharedCalls } from "../store/shared_calls.ts";
import { computedOnce } from "./kept_runs.ts";

/** How long a verdict is kept at most: it also says how late a run is so far. */
const LONGEST_MS = 60_000;
/** After this time, others have their turn. */
const TURN_MS = 4;

/** By what loaded runs are judged. */
export interface JudgingOptions {
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  readonly statuses: StatusDictionary;
  /** The reader's zone. */
  readonly zone: string;
  /** The plan that a person confirmed, if there is one. */
  readonly plan?: Plan | null;
  /** When a person said that no run is expected. */
  readonly pauses?: readonly Pause[];
  /** Infers plans outside the event loop, with a deadline of its own. */
  readonly infer: (
    question: PlansQuestion,
    signal?: AbortSignal,
  ) => Promise<readonly PlannedPeriod[]>;
  /** Aborted when the caller does not wait any more. */
  readonly signal?: AbortSignal;
}

/** The latest verdict on some runs by one question, and how those who ask share the next one. */
interface KeptVerdict {
  verdict: Verdict | null;
  from: number;
  until: number;
  readonly share: ReturnType<typeof createSharedCalls>;
}

/**
 * The verdict on these runs. Those who ask at the same time get the same one; it is not finished if
 * none of them waits any more.
 *
 * @throws {ProblemError} where the plans could not be inferred
 * @throws the reason of `signal` if it is aborted before
 */
export async function judgeLoaded(loaded: LoadedRuns, options: JudgingOptions): Promise<Verdict> {
  const { now, statuses, zone, plan, pauses = [], signal } = options;
  signal?.throwIfAborted();
  const question = JSON.stringify([zone, statuses, plan, pauses]);
  const kept = computedOnce(
    loaded,
    { kind: "verdict", question },
    (): KeptVerdict => ({ verdict: null, from: 0, until: 0, share: createSharedCalls() }),
  );
  if (kept.verdict !== null && now >= kept.from && now < kept.until) return kept.verdict;
  return await kept.share(
    "verdict",
    signal,
    (shared) => judge(loaded, { ...options, signal: shared }, kept),
  );
}

async function judge(
  loaded: LoadedRuns,
  { now, statuses, zone, plan, pauses = [], infer, signal }: JudgingOptions,
  kept: KeptVerdict,
): Promise<Verdict> {
  const steps = judgeInSteps(historyOf(loaded), {
    statuses,
    zone,
    now,
    pauses,
    ...(plan && { plan }),
    // The plan is inferred again only where another run has started.
    ...(kept.verdict && { earlier: kept.verdict }),
  });
  let began = performance.now();
  let step = steps.next();
  while (!step.done) {
    const plans = step.value && await inferred(step.value, infer, signal);
    signal?.throwIfAborted();
    if (plans !== null) began = performance.now();
    else if (performance.now() - began > TURN_MS) {
      await turn();
      began = performance.now();
    }
    step = steps.next(plans);
  }
  kept.verdict = step.value;
  kept.from = now;
  kept.until = holdsUntil(kept.verdict, now);
  return kept.verdict;
}

async function inferred(
  question: PlansQuestion,
  infer: JudgingOptions["infer"],
  signal?: AbortSignal,
) {
  try {
    return await infer(question, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ProblemError(503, "The plan could not be inferred; please try again", {
      cause,
      retryAfterSeconds: 5,
    });
  }
}

/** When time alone may change a verdict: at a slot, as the grace of one ends, or after a minute. */
function holdsUntil({ schedule }: Verdict, now: number): number {
  const latest = now + LONGEST_MS;
  if (!schedule) return latest;
  const { plan } = schedule;
  const slots = planSlots(plan, now - plan.graceMs, latest);
  const ends = inTimeUntilEach(plan, slots).map((end) => end + 1);
  const isAhead = (edge: number) => edge > now;
  return Math.min(latest, slots.find(isAhead) ?? latest, ends.find(isAhead) ?? latest);
}
