import { measureDurations } from "../runs/durations.ts";
import { judgeHealth } from "../runs/health.ts";
import type { RunHistory } from "../runs/load_runs.ts";
import { CLOCK_TOLERANCE, possibleRuns, timedRuns } from "../runs/occurrences.ts";
import { countRecipients } from "../runs/recipients.ts";
import { meaningOf, unknownStatuses } from "../runs/status.ts";
import { newestFirst, timeOf, withoutRepeated } from "../runs/times.ts";
import { trendOf } from "../runs/trends.ts";
import { type Facts, factsOf, LATELY } from "./facts.ts";
import { headline } from "./headline.ts";
import { DAY_IN_ANY_ZONE, LATEST, plannedRuns } from "./planned_runs.ts";
import { isDue, type Reason, saysDown } from "./reason.ts";
import { allReasons, nextStuck } from "./reasons.ts";
import type { JudgeOptions, Verdict } from "./verdict.ts";
import { YOUNG_MS } from "./slots.ts";

export type { PlannedOutcome, PlannedRun } from "./planned_runs.ts";
export type { JudgedPlan, JudgeOptions, Verdict } from "./verdict.ts";

/**
 * Judges a schedule by its runs: its state, why it needs attention, what it missed, when it is due.
 *
 * @param history The runs, and whether there may be others.
 * @param options The current time, what statuses mean, and the plan or the zone if known.
 * @returns The verdict.
 * @throws {TypeError | RangeError} If the plan or the zone is not valid.
 *
 * @example
 * ```ts
 * import { defaultStatusDictionary, judgeSchedule } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const runs = Array.from({ length: 20 }, (_, day) => ({
 *   id: day,
 *   startTime: new Date(Date.UTC(2026, 0, 1 + day, 6)).toISOString(),
 *   status: "success",
 * }));
 * const { state, schedule } = judgeSchedule({ runs }, {
 *   now: Date.UTC(2026, 0, 21, 6, 10),
 *   statuses: defaultStatusDictionary(),
 * });
 * assertEquals(state, "down");
 * assertEquals(schedule?.overdue.map(({ at }) => at), [Date.UTC(2026, 0, 21, 6)]);
 * ```
 */
export function judgeSchedule(history: RunHistory, options: JudgeOptions): Verdict {
  const { now, statuses } = options;
  const runs = newestFirst(withoutRepeated(history.runs));
  const known = {
    ...timedRuns(runs, now, statuses),
    runs,
    newerUnread: history.newerUnread ?? false,
  };
  const facts = factsOf(known, options);
  const { timed, content } = facts;
  const possible = possibleRuns(runs, now);
  // The sizes of failed runs mean nothing.
  const sized = possible.filter(({ status }) => meaningOf(status, statuses) !== "bad");
  const changeOf = (field: keyof typeof content.levels) =>
    content.levels[field].level ?? content.levels[field].usualLevel;
  const health = judgeHealth(possible, statuses);
  const durations = measureDurations(timed);
  const reasons = allReasons(facts);
  const state = toState(facts, health, reasons);
  return {
    state,
    headline: headline({ state, reasons }),
    reasons,
    schedule: facts.schedule,
    planned: plannedRuns(facts.judged.slots, timed, facts),
    health,
    durations,
    attachmentSize: trendOf(sized, (run) => run.attachmentSize, changeOf("attachmentSize")),
    emailSize: trendOf(sized, (run) => run.emailSize, changeOf("emailSize")),
    recipients: trendOf(possible, (run) => countRecipients(run), changeOf("people")),
    newcomers: facts.outsiders.map(({ recipient, domain, resembles }) => ({
      recipient,
      domain,
      ...(resembles && { resembles }),
    })),
    unknownStatuses: unknownStatuses(possible, statuses),
    changesAt: changesAt(facts, options),
    runs: possible,
  };
}

function toState(
  { runs, newerUnread, schedule }: Facts,
  { streak }: Verdict["health"],
  reasons: readonly Reason[],
): Verdict["state"] {
  if (saysDown(reasons)) return "down";
  if (runs.length === 0) return newerUnread ? "unknown" : "new";
  if (newerUnread || schedule === null || streak === null) return "unknown";
  if (reasons.some(({ code }) => code === "unknown-status")) return "unknown";
  return isDue(reasons) ? "late" : "up";
}

/** The first moment after now at which something that the verdict compares with now is passed. */
function changesAt(
  facts: Facts,
  { plans = [], pauses = [], decisions = [], listingDelayMs = 0 }: JudgeOptions,
): number | null {
  const { now, judged: { slots, after }, timed, impossible, held } = facts;
  // Where many planned runs of a day are listed, the oldest goes first.
  const oldest = slots.slice(0, -LATEST).find(({ at }) => at >= now - DAY_IN_ANY_ZONE);
  const moments = [
    after,
    // A planned run is late from the moment after it.
    ...slots.slice(-1).map(({ at }) => at + 1),
    ...slots.flatMap(({ outcome, at, graceEnd }) =>
      outcome === "due" && graceEnd !== undefined
        ? Math.floor(graceEnd + listingDelayMs) + 1
        : outcome === "late"
        ? at + LATELY + 1
        : []
    ),
    oldest && oldest.at + DAY_IN_ANY_ZONE + 1,
    nextStuck(facts),
    ...timed.flatMap(({ time, ms }) => (ms ?? 0) < 0 ? time + LATELY : []),
    ...impossible.map(({ startTime }) => timeOf(startTime)! - CLOCK_TOLERANCE),
    ...plans.map(({ since }) => since),
    ...pauses.flatMap(({ from, to }) => [from, to]),
    ...decisions.map(({ until }) => until),
    ...held.map(({ firstStart }) => firstStart && firstStart + YOUNG_MS),
  ].filter((at) => typeof at === "number" && at > now);
  return moments.length === 0 ? null : Math.min(...moments as number[]);
}
