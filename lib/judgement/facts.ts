/** The facts about a schedule, from its runs and its plan, in which reasons are found. */
import { canonicalDomain } from "../runs/look_alike.ts";
import {
  type Occurrences,
  occurrencesOf,
  type TimedRun,
  type TimedRuns,
  timesOf,
} from "../runs/occurrences.ts";
import { digestsOf, type Outsider, outsidersAmong } from "../runs/outsiders.ts";
import { saysNothing } from "../runs/status.ts";
import { DAY } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import { Content, inOrderOfEnds } from "./content/content.ts";
import { type HeldPlan, heldPlans } from "./held_plans.ts";
import type { Plan } from "./plans/plan.ts";
import { type JudgedSlots, judgeSlots } from "./slots.ts";
import { judgedPlan, type JudgeOptions, type Verdict } from "./verdict.ts";

interface FactsOptions extends JudgeOptions {
  /** The plan inferred from more runs, or null for none. By default it is inferred from these. */
  readonly inferred?: Plan | null;
  /** The content of the runs, if it is already known. */
  readonly content?: Content;
}

interface KnownRuns extends TimedRuns<ReportRun> {
  /** All runs, newest first, each id once. */
  readonly runs: readonly ReportRun[];
  readonly newerUnread: boolean;
}

export interface Facts extends KnownRuns, Pick<Verdict, "schedule"> {
  readonly now: number;
  readonly occurrences: Occurrences<ReportRun>;
  readonly judged: JudgedSlots<ReportRun>;
  readonly content: Content;
  readonly outsiders: readonly Outsider[];
  readonly expected: Expected;
  readonly open: readonly TimedRun<ReportRun>[];
  readonly leavers: NonNullable<JudgeOptions["leavers"]>;
  readonly held: readonly HeldPlan[];
}

/** Finds the facts. Runs from before a confirmed plan are judged by a plan inferred from them. */
export function factsOf(known: KnownRuns, options: FactsOptions): Facts {
  const { timed, newerUnread } = known;
  const { now, plans = [], zone, decisions = [], leavers = [] } = options;
  const occurrences = occurrencesOf(timed);
  const times = timesOf(occurrences.planned.map(([first]) => first));
  const firstStart = options.before?.firstStart ?? timed[0]?.time ?? now;
  const held = heldPlans(times, { ...options, firstStart });
  const current = held.at(-1)?.plan ?? null;
  const judged = judgeSlots(occurrences, held, options);
  const expected = expectedAt(decisions, now);
  const content = options.content ?? new Content(current?.zone ?? zone ?? "UTC", expected.runs);
  if (!options.content) { for (const run of inOrderOfEnds(endedRuns(timed))) content.add(run); }
  const good = timed.filter(({ meaning }) => meaning === "good");
  const open = openRuns(timed);
  return {
    ...known,
    now,
    occurrences,
    judged,
    schedule: current &&
      judgedPlan(current, plans.length > 0 ? "confirmed" : "inferred", judged, {
        runCount: times.length,
        newerUnread,
      }),
    content,
    outsiders: outsidersAmong(good, options).filter((each) => !isExpected(each, expected)),
    expected,
    open,
    leavers,
    held,
  };
}

/**
 * At most this many of the newest runs may still be going. A run that hangs is reported so long,
 * though later ones end; of an older one, the end was lost.
 */
const MAX_OPEN = 20;
/** This many of the newest runs show whether runs usually have an end, and how long they take. */
export const ENDS_SEEN = 60;
/** If more of those lack an end, a missing end means nothing. */
const MAX_ENDLESS = 6;

/** The runs that are over and did not fail, so that their content is known. */
export function endedRuns(
  timed: readonly TimedRun<ReportRun>[],
): readonly TimedRun<ReportRun>[] {
  const isEndless = endlessIn(timed);
  return timed.filter((run) => run.meaning !== "bad" && !isEndless(run));
}

/** Runs that are still going, so that their content and recipients are not known yet. */
export function openRuns(
  timed: readonly TimedRun<ReportRun>[],
): readonly TimedRun<ReportRun>[] {
  return timed.slice(-MAX_OPEN).filter(endlessIn(timed));
}

/** Tells runs that are still going, or whose end was lost; none where it is usual to have no end. */
function endlessIn(timed: readonly TimedRun<ReportRun>[]) {
  const isEndless = ({ run, meaning }: TimedRun<ReportRun>) =>
    meaning === "pending" || saysNothing(run);
  const earlier = timed.slice(-ENDS_SEEN, -MAX_OPEN);
  const isUsual = earlier.filter(isEndless).length > Math.min(MAX_ENDLESS, earlier.length / 2);
  return isUsual ? () => false : isEndless;
}

export const LATELY: number = 7 * DAY;

export type Decision = NonNullable<JudgeOptions["decisions"]>[number];

/** What is expected: recipients by digest, domains in canonical form, changes by first run. */
export interface Expected {
  readonly digests: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
  readonly runs: ReadonlySet<number>;
}

export function isExpected({ digests, domain }: Outsider, expected: Expected): boolean {
  return expected.domains.has(domain) || digests.some((digest) => expected.digests.has(digest));
}

export function expectedAt(decisions: readonly Decision[], now: number): Expected {
  const expected = {
    digests: new Set<string>(),
    domains: new Set<string>(),
    runs: new Set<number>(),
  };
  for (const decision of decisions) {
    if (!decision.expected || decision.until !== null && decision.until <= now) continue;
    if (decision.kind === "recipient") {
      for (const digest of digestsOf(decision.recipient)) expected.digests.add(digest);
    } else if (decision.kind === "domain") expected.domains.add(canonicalDomain(decision.domain));
    else expected.runs.add(decision.run);
  }
  return expected;
}
