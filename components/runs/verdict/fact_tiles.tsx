import type { ComponentChildren } from "preact";
import { formatChange, formatCount, formatCountOf, formatDuration } from "../../../lib/format.ts";
import type { Durations } from "../../../lib/runs/durations.ts";
import type { RunHealth, Streak } from "../../../lib/runs/health.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { describePlan } from "../../../lib/judgement/plans/describe.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { Trend } from "../../../lib/runs/trends.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Ago, MISSING, Moment } from "../../ui/moment.tsx";
import { formatPercent } from "../format.ts";
import { runHref, RunLink } from "../run_links.tsx";
import { reasonMark } from "./state_badge.tsx";

const MAX_MISSED = 50;

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly notes?: readonly (string | false | null)[];
  readonly reason?: Reason;
}

/** A fact: the first one, one with a reason, or one of the rest. */
export function Tile({ fact: { name, value, notes = [], reason }, place }: {
  readonly fact: Fact;
  readonly place: "lead" | "large" | "small";
}) {
  const shown = notes.filter(Boolean);
  const tone = reason && reason.severity !== "info" && reasonMark(reason)[1];
  return (
    <div class={["tile", place, tone && `alert ${tone}`].filter(Boolean).join(" ")}>
      <dt>
        {tone && <span aria-hidden="true">⚠</span>}
        {name}
        {tone && <span class="unseen">, needs attention</span>}
      </dt>
      <dd>
        {value}
        {shown.length > 0 && <small>{shown.join(", ")}</small>}
      </dd>
    </div>
  );
}

export function lastSuccess(run: ReportRun | null, scheduleId: number, now: number): Fact {
  const name = "Last success";
  const at = timeOf(run?.startTime);
  if (!run) return { name, value: "none" };
  if (at === undefined) return { name, value: <RunLink run={run} scheduleId={scheduleId} /> };
  const value = (
    <>
      <a href={runHref(scheduleId, run.id)}>
        <Ago at={at} now={now} />
      </a>
      <small>
        <Moment at={at} />
      </small>
    </>
  );
  return { name, value };
}

export function failingSince(streak: Streak<ReportRun> | null, scheduleId: number): Fact {
  const name = "Failing since";
  if (streak?.meaning !== "bad") {
    return { name, value: "unknown: no run has a status known as success or failure" };
  }
  return {
    name,
    value: <RunLink run={streak.first} scheduleId={scheduleId} />,
    notes: [
      `${formatCountOf(streak.count, "run", "runs")} in a row`,
      streak.reachesBack && "or more: no earlier success was loaded",
    ],
  };
}

export function successRate({ counts, successRate }: RunHealth<ReportRun>): Fact {
  const judged = counts.good + counts.bad;
  return {
    name: "Success rate",
    value: successRate === null ? "unknown" : formatPercent(successRate),
    notes: [
      judged > 0 && `${formatCount(counts.good)} of ${formatCountOf(judged, "run", "runs")}`,
      counts.pending > 0 && `${formatCount(counts.pending)} pending`,
      counts.unknown > 0 && `${formatCount(counts.unknown)} with an unknown status`,
    ],
  };
}

export function currentStreak(
  { streak, longestBad }: RunHealth<ReportRun>,
  isUnknown = false,
): Fact {
  const length = ({ count, reachesBack }: Streak<ReportRun>) =>
    `${formatCount(count)}${reachesBack ? "+" : ""}`;
  return {
    name: "Current streak",
    value: isUnknown
      ? "unknown: the newest run has an unknown status"
      : streak
      ? `${length(streak)} ${streak.meaning === "good" ? "successful" : "failed"} in a row`
      : MISSING,
    notes: [longestBad && `longest failure streak: ${length(longestBad)}`],
  };
}

/** The plan, the next run and the missed ones, which come first if they are the problem. */
export function planFact({ schedule, health }: Verdict, now: number, isUnmet = false): Fact {
  if (!schedule) {
    const count = formatCountOf(health.count, "run", "runs");
    return { name: "Plan (inferred)", value: `no regular schedule in ${count}` };
  }
  const { plan, source, missed, overdue, next, counts, sees } = schedule;
  const unmet = [...overdue, ...missed];
  const ago = (at: number) => <Ago at={at} now={now} />;
  const more = counts.overdue + counts.missed - Math.min(unmet.length, MAX_MISSED);
  const unmetText = [
    counts.overdue > 0 && `${formatCountOf(counts.overdue, "run", "runs")} overdue`,
    sees.enough ? `${formatCount(counts.missed)} missed` : "too few runs to detect missed ones",
  ].filter(Boolean).join(", ");
  const value = (
    <>
      {isUnmet ? unmetText : describePlan(plan)}
      <small>
        {isUnmet ? describePlan(plan) : unmetText}
        {counts.overdue === 0 && next !== null && <>, next {ago(next)}</>}
      </small>
      {isUnmet && (
        <details>
          <summary>Missed and overdue runs</summary>
          <ul>
            {unmet.slice(0, MAX_MISSED).map(({ at }) => (
              <li key={at}>
                <Moment at={at} />
              </li>
            ))}
            {more > 0 && <li>and {formatCount(more)} more</li>}
          </ul>
        </details>
      )}
    </>
  );
  return { name: `Plan (${source})`, value };
}

export function durationFact({ p50, p95, count, spread, outliers }: Durations<ReportRun>): Fact {
  return {
    name: "Duration",
    value: p50 === null ? "unknown" : `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95!)}`,
    notes: [
      p50 !== null && `of ${formatCountOf(count, "run", "runs")}`,
      spread && formatCountOf(outliers.length, "outlier", "outliers"),
    ],
  };
}

export function trendFact(
  name: string,
  trend: Trend<ReportRun> | null,
  { said, format, scheduleId, more }: {
    /** Numbers in the verdict's sentence, to show here too; by default those of the trend. */
    readonly said?: { readonly before?: number; readonly after?: number };
    readonly format: (value: number) => string;
    readonly scheduleId: number;
    readonly more?: ComponentChildren;
  },
): Fact {
  const details = more && <small>{more}</small>;
  if (!trend) return { name, value: <>too few runs{details}</> };
  const [before, after] = [said?.before ?? trend.first, said?.after ?? trend.last];
  const [first, last] = [format(before), format(after)];
  const isSame = first === last;
  const value = (
    <>
      {isSame ? `${said?.after === undefined ? "about " : ""}${last}` : `${first} → ${last}`}
      {trend.jump && (
        <small>
          changed abruptly <RunLink run={trend.jump.run} scheduleId={scheduleId} />
        </small>
      )}
      {details}
    </>
  );
  return { name, value, notes: [!isSame && formatChange(before, after)] };
}
