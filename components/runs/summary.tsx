import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { Durations } from "../../lib/runs/durations.ts";
import type { RunHealth, Streak } from "../../lib/runs/health.ts";
import type { JudgedPlan, Verdict } from "../../lib/runs/judge/judge_schedule.ts";
import { describePlan } from "../../lib/runs/plans/describe.ts";
import type { Trend } from "../../lib/runs/trends.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatBytes, formatCount, formatCountOf, formatDuration } from "../ui/format.ts";
import { Missing, Moment } from "../ui/moment.tsx";
import { formatMoment, Zone } from "../ui/zone.ts";
import { formatChange, formatPercent } from "./format.ts";
import { RunLink } from "./run_link.tsx";
import { scheduleHref } from "./run_links.ts";

/** The maximum number of missed runs that are listed. */
const MAX_MISSED = 50;

/** The main facts about a schedule's runs. */
export function Summary({ verdict, scheduleId }: {
  readonly verdict: Verdict;
  readonly scheduleId: number;
}) {
  const { health, schedule, durations, findings, newcomers } = verdict;
  const path = scheduleHref(scheduleId);
  return (
    <dl class="tiles">
      <Tile name="Last success">
        {health.lastGood ? <RunLink run={health.lastGood} scheduleId={scheduleId} /> : "none"}
      </Tile>
      <FailingTile streak={health.streak} scheduleId={scheduleId} />
      <SuccessTile health={health} />
      <StreakTile health={health} />
      <ScheduleTile schedule={schedule} health={health} />
      <DurationTile durations={durations} />
      <TrendTile
        name="Attachment size"
        trend={verdict.attachmentSize}
        format={formatBytes}
        scheduleId={scheduleId}
      />
      <TrendTile
        name="Email size"
        trend={verdict.emailSize}
        format={formatBytes}
        scheduleId={scheduleId}
      />
      <TrendTile
        name="Recipients"
        trend={verdict.recipients}
        format={formatCount}
        scheduleId={scheduleId}
        alert={newcomers.length > 0}
      >
        <a href={`${path}/recipients`}>
          {newcomers.length > 0
            ? `${formatCount(newcomers.length)} new external`
            : "All recipients"}
        </a>
      </TrendTile>
      <Tile name="Consistency" alert={findings.length > 0}>
        <a href={`${path}/check`}>
          {findings.length > 0
            ? formatCountOf(findings.length, "finding", "findings")
            : "No inconsistencies"}
        </a>
      </Tile>
    </dl>
  );
}

function Tile({ name, note = [], alert = false, children }: {
  readonly name: string;
  /** Details below the value. */
  readonly note?: readonly (string | false | null | undefined)[];
  readonly alert?: boolean;
  readonly children: ComponentChildren;
}) {
  const notes = note.filter((part) => !!part);
  return (
    <div class={alert ? "tile alert" : "tile"}>
      <dt>
        {alert && <span aria-hidden="true">⚠</span>}
        {name}
        {alert && <span class="unseen">, needs attention</span>}
      </dt>
      <dd>
        {children}
        {notes.length > 0 && <small>{notes.join(", ")}</small>}
      </dd>
    </div>
  );
}

function FailingTile({ streak, scheduleId }: {
  readonly streak: Streak<ReportRun> | null;
  readonly scheduleId: number;
}) {
  if (streak?.meaning !== "bad") {
    return (
      <Tile name="Failing since">
        {streak ? "Not failing" : "unknown: no run has a status that means success or failure"}
      </Tile>
    );
  }
  const count = formatCountOf(streak.count, "run", "runs");
  return (
    <Tile
      name="Failing since"
      alert
      note={[`${count} in a row`, streak.reachesBack && "or more: no earlier success was loaded"]}
    >
      <RunLink run={streak.first} scheduleId={scheduleId} />
    </Tile>
  );
}

function SuccessTile(
  { health: { counts, successRate } }: { readonly health: RunHealth<ReportRun> },
) {
  const judged = counts.good + counts.bad;
  return (
    <Tile
      name="Success rate"
      note={[
        judged > 0 && `${formatCount(counts.good)} of ${formatCountOf(judged, "run", "runs")}`,
        counts.neutral > 0 && `${formatCount(counts.neutral)} neutral`,
      ]}
    >
      {successRate === null ? "unknown" : formatPercent(successRate)}
    </Tile>
  );
}

function StreakTile({ health: { streak, longestBad } }: { readonly health: RunHealth<ReportRun> }) {
  return (
    <Tile
      name="Current streak"
      note={[longestBad && `longest failure streak ${formatStreak(longestBad)}`]}
    >
      {streak
        ? `${formatStreak(streak)} ${streak.meaning === "good" ? "successful" : "failed"}`
        : <Missing />}
    </Tile>
  );
}

function formatStreak({ count, reachesBack }: Streak<ReportRun>): string {
  return `${formatCount(count)}${reachesBack ? "+" : ""} in a row`;
}

function ScheduleTile({ schedule, health }: {
  readonly schedule: JudgedPlan | null;
  readonly health: RunHealth<ReportRun>;
}) {
  const zone = useContext(Zone);
  if (!schedule) {
    const count = formatCountOf(health.count, "run", "runs");
    return <Tile name="Schedule (inferred)">no regular schedule in {count}</Tile>;
  }
  const { plan, source, missed, overdue, next, counts, sees } = schedule;
  const times = [...overdue, ...missed].map(({ at }) => new Date(at).toISOString());
  const more = counts.overdue + counts.missed - Math.min(times.length, MAX_MISSED);
  return (
    <Tile name={`Schedule (${source})`} alert={counts.overdue > 0}>
      {describePlan(plan)}
      <small>
        {counts.overdue > 0 ? `${formatCountOf(counts.overdue, "run", "runs")} overdue` : next && (
          <>
            next at <Moment at={new Date(next).toISOString()} />
          </>
        )}
        {sees.enough ? `, ${formatCount(counts.missed)} missed` : ", too few runs to see a miss"}
      </small>
      {times.length > 0 && (
        <details>
          <summary>Missed and overdue runs</summary>
          <ul>
            {times.slice(0, MAX_MISSED).map((at) => (
              <li key={at}>
                <time dateTime={at}>{formatMoment(at, zone)}</time>
              </li>
            ))}
            {more > 0 && <li>and {formatCount(more)} more</li>}
          </ul>
        </details>
      )}
    </Tile>
  );
}

function DurationTile({ durations }: { readonly durations: Durations<ReportRun> }) {
  const { p50, p95, count, spread, outliers } = durations;
  return (
    <Tile
      name="Duration"
      note={[
        p50 !== null && `of ${formatCountOf(count, "run", "runs")}`,
        spread && formatCountOf(outliers.length, "outlier", "outliers"),
      ]}
    >
      {p50 === null ? "unknown" : `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95!)}`}
    </Tile>
  );
}

function TrendTile({ name, trend, format, scheduleId, alert, children }: {
  readonly name: string;
  readonly trend: Trend<ReportRun> | null;
  readonly format: (value: number) => string;
  readonly scheduleId: number;
  readonly alert?: boolean;
  readonly children?: ComponentChildren;
}) {
  const [first, last] = trend ? [format(trend.first), format(trend.last)] : [];
  return (
    <Tile
      name={name}
      alert={alert ?? !!trend?.jump}
      note={[trend && first !== last && formatChange(trend.first, trend.last)]}
    >
      {!trend ? "too few runs" : first === last ? `about ${last}` : `${first} → ${last}`}
      {trend?.jump && (
        <small>
          changed abruptly <RunLink run={trend.jump.run} scheduleId={scheduleId} />
        </small>
      )}
      {children && <small>{children}</small>}
    </Tile>
  );
}
