/** The questions for a judging worker, and its answers. */
import { DAY_IN_ANY_ZONE } from "../../../lib/judgement/planned_runs.ts";
import {
  type JudgeOptions,
  judgeSchedule,
  type PlannedRun,
  type Verdict,
} from "../../../lib/judgement/judge_schedule.ts";
import { type DaysWithoutRuns, readCalendar } from "../../../lib/calendars/read_calendar.ts";
import type { RunHistory } from "../../../lib/runs/load_runs.ts";
import type { RecipientFacts } from "../../schedules/recipient_facts.ts";
import { comparePlan } from "../../schedules/plan_fit.ts";
import { measureDurations } from "../../../lib/runs/durations.ts";
import { repairedBy } from "../../../lib/judgement/retries.ts";
import { excusedSpans, isInPause, type Pause } from "../../../lib/judgement/slots.ts";
import { type Plan, planSlots } from "../../../lib/judgement/plans/plan.ts";
import { outsiderKey } from "../../../lib/runs/outsiders.ts";
import { countListed, sharedUserIds } from "../../../lib/runs/recipients.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import { timedRuns } from "../../../lib/runs/occurrences.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import { HOUR } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { StoredVerdict, VerdictDetails } from "../../store/records/verdicts.ts";
import { replay, type ReplayedIncident } from "../../../lib/judgement/replay.ts";

export interface JudgeQuestion {
  /** The runs as one JSON array, so that the event loop need not parse them. */
  readonly runs: string;
  readonly now: number;
  readonly statuses: StatusDictionary;
  /** The confirmed plans, oldest first. */
  readonly plans: readonly Plan[];
  readonly pauses: readonly Pause[];
  readonly calendar?: readonly string[];
  /** The zone in which a plan is looked for first. */
  readonly zone?: string;
  /** How late the service listed runs lately; null if that was not observed. */
  readonly lag?: number | null;
  /** What is known of recipients, and of the runs before these. */
  readonly recipientFacts?: RecipientFacts;
}

/** A verdict as it is stored, but for what the worker does not know. */
export interface JudgedRuns extends Omit<StoredVerdict, "scheduleId" | "details"> {
  readonly details: Omit<VerdictDetails, "lag">;
}

const MAX_DIGESTS = 1000;
/** The most planned runs that are listed ahead, to the end of today in any zone. */
const MAX_AHEAD = 1500;

/**
 * The longest lag that is believed is this multiple of the usual duration, or an hour: a service that
 * answered from an old copy once must not hide for longer that the next run does not start.
 */
const MAX_DURATIONS = 2;
const MIN_BOUND_MS = HOUR;

/** The planned runs ahead that a verdict lists are renewed at least this often. */
const LONGEST_HOLD_MS = 12 * HOUR;
const MAX_LISTED = 50;

/** A worker's answer: the verdict on the question's own runs, as it reads none from the store. */
function answerJudgeQuestion(question: JudgeQuestion): JudgedRuns {
  const { now, statuses, plans, pauses, calendar = [], zone = "UTC", lag = null } = question;
  const runs = JSON.parse(question.runs) as readonly ReportRun[];
  const { timed } = timedRuns(runs, now, statuses);
  const waitsMs = lagToWaitFor(lag, measureDurations(timed).p95, plans.length > 0);
  const options = {
    now,
    statuses,
    plans,
    pauses,
    calendar,
    zone,
    ...question.recipientFacts,
    listingDelayMs: waitsMs,
  };
  const { state, headline, reasons, schedule, health, changesAt, ...verdict } = judgeSchedule(
    { runs },
    options,
  );
  const planned = schedule
    ? [...verdict.planned, ...plannedAhead(schedule.plan, options)]
    : verdict.planned;
  const last = health.lastGood;
  const shared = sharedUserIds(runs.map((run) => run.recipients));
  const reached = (last?.recipients ?? []).slice(0, MAX_DIGESTS)
    .map((each) => outsiderKey(each, shared));
  return {
    judged: now,
    holdsUntil: Math.min(changesAt ?? Infinity, now + LONGEST_HOLD_MS),
    state,
    headline,
    planSource: schedule?.source ?? null,
    // The last success may be older than the judged runs.
    lastSuccess: timeOf(last?.startTime) ?? null,
    nextDue: schedule?.next ?? null,
    overdue: schedule?.counts.overdue ?? 0,
    failing: reasons.find((reason) => reason.code === "failing")?.count ?? 0,
    strip: latestPlanned(planned, now),
    day: planned.filter(({ at }) => at > now - DAY_IN_ANY_ZONE).map(withoutRun),
    people: countListed(last),
    reached: [...new Set(reached)].join(" "),
    details: {
      reasons,
      plan: schedule?.plan ?? null,
      missed: schedule?.missed.slice(0, MAX_LISTED) ?? [],
      missedCount: schedule?.counts.missed ?? 0,
      overdue: schedule?.overdue.slice(0, MAX_LISTED) ?? [],
      waitsMs,
      repairedBy: repairedBy(timed),
      oldest: timed[0]?.time ?? null,
    },
  };
}

const STRIP_PLANNED = 20;
/** The most marks in a strip, including unplanned runs. */
const STRIP_MARKS = 30;

/** The latest planned runs that are due by now, with the unplanned runs among them. */
function latestPlanned(planned: readonly PlannedRun[], now: number): readonly PlannedRun[] {
  const past = planned.filter(({ at }) => at <= now);
  const first = past.filter(({ outcome }) => !outcome.startsWith("extra")).at(-STRIP_PLANNED);
  return past.filter(({ at }) => at >= (first?.at ?? 0)).slice(-STRIP_MARKS).map(withoutRun);
}

function withoutRun({ at, outcome }: PlannedRun): PlannedRun {
  return { at, outcome, run: null };
}

/** The lag to wait for: the observed one, or the usual duration if none was observed yet. */
function lagToWaitFor(
  seen: number | null,
  usualDuration: number | null,
  isConfirmed: boolean,
): number {
  const bound = Math.max((usualDuration ?? 0) * MAX_DURATIONS, MIN_BOUND_MS);
  // A confirmed grace applies exactly until the service turns out to list runs later.
  const lag = seen ?? (isConfirmed ? 0 : usualDuration ?? 0);
  return Math.round(Math.min(lag, bound));
}

function plannedAhead(
  plan: Plan,
  { now, pauses, calendar = [] }: Pick<JudgeQuestion, "now" | "pauses" | "calendar">,
): PlannedRun[] {
  const excused = excusedSpans(plan, pauses, calendar);
  return planSlots(plan, now + 1, now + DAY_IN_ANY_ZONE).slice(0, MAX_AHEAD)
    .filter((at) => !isInPause(at, excused))
    .map((at) => ({ at, outcome: "due", run: null }));
}

const WORK = {
  judge: answerJudgeQuestion,
  judgeHistory(history: RunHistory, options: JudgeOptions): Omit<Verdict, "runs"> {
    const { runs: _, ...verdict } = judgeSchedule(history, options);
    return verdict;
  },
  comparePlan,
  backtest,
  readCalendarFile,
};

/** The days of an iCalendar file, or a sentence about what is wrong with it. */
function readCalendarFile(text: string, now: number): DaysWithoutRuns | string {
  try {
    return readCalendar(text, now);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

export type JudgingWork = typeof WORK;

export interface JudgingQuestion {
  readonly name: keyof JudgingWork;
  readonly args: readonly unknown[];
}

export type JudgingAnswer = { readonly result: unknown } | { readonly message: string };

export function answerTo({ name, args }: JudgingQuestion): JudgingAnswer {
  try {
    return { result: (WORK[name] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

export interface BacktestOptions extends RecipientFacts {
  readonly now: number;
  /** The plans, oldest first, of which the first judges all runs before the next; none to infer it. */
  readonly plans: readonly Plan[];
  readonly pauses: readonly Pause[];
  readonly calendar?: readonly string[];
  readonly statuses: StatusDictionary;
}

/** The most planned runs of a backtest, which takes seconds then. */
const MAX_PLANNED = 100_000;

/** The incidents that watching would have opened, newest first. @throws {RangeError} If it takes long. */
function backtest(
  runs: readonly ReportRun[],
  { now, plans, ...options }: BacktestOptions,
): readonly ReplayedIncident[] {
  const first = runs.reduce((first, run) => Math.min(first, timeOf(run.startTime) ?? now), now);
  const tried = plans.map((plan, at) => at === 0 ? { ...plan, since: 0 } : plan);
  const planned = tried.flatMap((plan, at) =>
    planSlots(plan, Math.max(first, plan.since), tried[at + 1]?.since ?? now).length
  );
  if (planned.reduce((sum, count) => sum + count, 0) > MAX_PLANNED) {
    throw new RangeError("The plan is due too often for a backtest");
  }
  const trial = tried.length > 0 ? { plans: tried } : {};
  return replay(runs, { ...options, ...trial, until: now }).incidents.toReversed();
}
