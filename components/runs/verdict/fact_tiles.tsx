import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatChange, formatCount, formatCountOf, formatDuration } from "../../../lib/format.ts";
import type { Durations } from "../../../lib/runs/durations.ts";
import type { RunHealth, Streak } from "../../../lib/runs/health.ts";
import type { JudgedPlan } from "../../../lib/runs/judge/judge_schedule.ts";
import { describePlan } from "../../../lib/runs/plans/describe.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { Trend } from "../../../lib/runs/trends.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Ago } from "../../ui/ago.tsx";
import { Missing, Moment } from "../../ui/moment.tsx";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { formatPercent } from "../format.ts";
import { RunLink } from "../run_link.tsx";
import { runHref } from "../run_links.ts";
import type { Tier } from "./state_badge.tsx";

const MAX_MISSED = 50;

/** How a fact is shown: the most important one, others that need a look, and the rest. */
export type Place = "lead" | "large" | "small";

/** A fact by its name. */
export function Tile({ name, place, note = [], alert = null, children }: {
  readonly name: string;
  readonly place: Place;
  readonly note?: readonly (string | false | null | undefined)[];
  readonly alert?: Tier | null;
  readonly children: ComponentChildren;
}) {
  const notes = note.filter((part) => !!part);
  return (
    <div
      class={["tile", place, alert && `alert ${alert}`].filter(Boolean).join(" ")}
    >
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

export function SuccessTimeTile({ place, alert, run, scheduleId, now }: {
  readonly place: Place;
  readonly alert: Tier | null;
  readonly run: ReportRun | null;
  readonly scheduleId: number;
  readonly now: number;
}) {
  const zone = useContext(Zone);
  const at = timeOf(run?.startTime);
  if (!run || at === undefined) {
    return (
      <Tile name="Last success" place={place} alert={alert}>
        {run ? <RunLink run={run} scheduleId={scheduleId} /> : "none"}
      </Tile>
    );
  }
  return (
    <Tile
      name="Last success"
      place={place}
      alert={alert}
      note={[formatMoment(run.startTime!, zone)]}
    >
      <a href={runHref(scheduleId, run.id)}>
        <Ago at={at} now={now} />
      </a>
    </Tile>
  );
}

/** Since when it fails. */
export function FailingTile({ place, streak, scheduleId }: {
  readonly place: Place;
  readonly streak: Streak<ReportRun> | null;
  readonly scheduleId: number;
}) {
  if (streak?.meaning !== "bad") {
    return (
      <Tile name="Failing since" place={place}>
        unknown: no run has a status known as success or failure
      </Tile>
    );
  }
  const count = formatCountOf(streak.count, "run", "runs");
  return (
    <Tile
      name="Failing since"
      place={place}
      alert="down"
      note={[`${count} in a row`, streak.reachesBack && "or more: no earlier success was loaded"]}
    >
      <RunLink run={streak.first} scheduleId={scheduleId} />
    </Tile>
  );
}

export function SuccessTile({ place, alert, health: { counts, successRate } }: {
  readonly place: Place;
  readonly alert: Tier | null;
  readonly health: RunHealth<ReportRun>;
}) {
  const judged = counts.good + counts.bad;
  return (
    <Tile
      name="Success rate"
      place={place}
      alert={alert}
      note={[
        judged > 0 && `${formatCount(counts.good)} of ${formatCountOf(judged, "run", "runs")}`,
        counts.neutral > 0 && `${formatCount(counts.neutral)} neutral`,
      ]}
    >
      {successRate === null ? "unknown" : formatPercent(successRate)}
    </Tile>
  );
}

/** How many runs in a row ended alike. */
export function StreakTile({ place, health: { streak, longestBad } }: {
  readonly place: Place;
  readonly health: RunHealth<ReportRun>;
}) {
  return (
    <Tile
      name="Current streak"
      place={place}
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

/** The plan, what is due next, and what was missed. */
export function ScheduleTile({ place, alert, schedule, health, now }: {
  readonly place: Place;
  readonly alert: Tier | null;
  readonly now: number;
  readonly schedule: JudgedPlan | null;
  readonly health: RunHealth<ReportRun>;
}) {
  if (!schedule) {
    const count = formatCountOf(health.count, "run", "runs");
    return <Tile name="Plan (inferred)" place={place}>no regular schedule in {count}</Tile>;
  }
  const { plan, source, missed, overdue, next, counts, sees } = schedule;
  const unmet = [...overdue, ...missed];
  const more = counts.overdue + counts.missed - Math.min(unmet.length, MAX_MISSED);
  return (
    <Tile name={`Plan (${source})`} place={place} alert={alert}>
      {describePlan(plan)}
      <small>
        {counts.overdue > 0 ? `${formatCountOf(counts.overdue, "run", "runs")} overdue` : next && (
          <>
            next <Ago at={next} now={now} />
          </>
        )}
        {sees.enough ? `, ${formatCount(counts.missed)} missed` : ", too few runs to see a miss"}
      </small>
      {unmet.length > 0 && (
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
    </Tile>
  );
}

export function DurationTile({ place, alert, durations }: {
  readonly place: Place;
  readonly alert: Tier | null;
  readonly durations: Durations<ReportRun>;
}) {
  const { p50, p95, count, spread, outliers } = durations;
  return (
    <Tile
      name="Duration"
      place={place}
      alert={alert}
      note={[
        p50 !== null && `of ${formatCountOf(count, "run", "runs")}`,
        spread && formatCountOf(outliers.length, "outlier", "outliers"),
      ]}
    >
      {p50 === null ? "unknown" : `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95!)}`}
    </Tile>
  );
}

export function TrendTile({ name, place, alert, trend, said, format, scheduleId, children }: {
  readonly name: string;
  readonly place: Place;
  readonly alert: Tier | null;
  readonly trend: Trend<ReportRun> | null;
  /** The numbers that the verdict mentions, if any; otherwise the usual ones. */
  readonly said?: { readonly before?: number; readonly after?: number };
  readonly format: (value: number) => string;
  readonly scheduleId: number;
  readonly children?: ComponentChildren;
}) {
  const before = trend && (said?.before ?? trend.first);
  const after = trend && (said?.after ?? trend.last);
  const [first, last] = trend ? [format(before!), format(after!)] : [];
  const isSame = trend !== null && first === last;
  return (
    <Tile
      name={name}
      place={place}
      alert={alert}
      note={[trend && !isSame && formatChange(before!, after!)]}
    >
      {!trend
        ? "too few runs"
        : isSame
        ? `${said?.after === undefined ? "about " : ""}${last}`
        : `${first} → ${last}`}
      {trend?.jump && (
        <small>
          changed abruptly <RunLink run={trend.jump.run} scheduleId={scheduleId} />
        </small>
      )}
      {children && <small>{children}</small>}
    </Tile>
  );
}
