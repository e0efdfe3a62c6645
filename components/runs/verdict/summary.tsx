import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { Durations } from "../../../lib/runs/durations.ts";
import type { RunHealth, Streak } from "../../../lib/runs/health.ts";
import type { JudgedPlan, Verdict } from "../../../lib/runs/judge/judge_schedule.ts";
import { describePlan } from "../../../lib/runs/plans/describe.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { Trend } from "../../../lib/runs/trends.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Ago } from "../../ui/ago.tsx";
import { formatBytes, formatCount, formatCountOf, formatDuration } from "../../ui/format.ts";
import { Missing, Moment } from "../../ui/moment.tsx";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { formatChange, formatPercent } from "../format.ts";
import { RunLink } from "../run_link.tsx";
import { runHref, scheduleHref } from "../run_links.ts";
import type { Tier } from "./state_badge.tsx";

/** The maximum number of missed runs that are listed. */
const MAX_MISSED = 50;

/** At most this many facts are large. */
const MAX_LARGE = 5;

/** A fact about a schedule's runs. */
interface Fact {
  /** Why it is large; null for a fact that is well. */
  readonly alert: Tier | null;
  readonly tile: (place: Place) => ComponentChildren;
}

/** How a fact is shown: the one that matters most, others that need a look, and the rest. */
type Place = "lead" | "large" | "small";

/** The main facts about a schedule's runs: those that need a look are large, the rest on a line. */
export function Summary({ verdict, scheduleId, now }: {
  readonly verdict: Verdict;
  readonly scheduleId: number;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}) {
  const facts = factsOf(verdict, scheduleId, now);
  const alerting = [
    ...facts.filter(({ alert }) => alert === "down"),
    ...facts.filter(({ alert }) => alert !== null && alert !== "down"),
  ];
  const large = (alerting.length > 0 ? alerting : facts).slice(
    0,
    alerting.length > 0 ? MAX_LARGE : 1,
  );
  const small = facts.filter((fact) => !large.includes(fact));
  return (
    <>
      <dl class="tiles">
        {large.map(({ tile }, at) => tile(at === 0 ? "lead" : "large"))}
      </dl>
      <dl class="small-facts">{small.map(({ tile }) => tile("small"))}</dl>
    </>
  );
}

function factsOf(verdict: Verdict, scheduleId: number, now: number): readonly Fact[] {
  const { health, schedule, durations, findings, newcomers } = verdict;
  const path = scheduleHref(scheduleId);
  const isFailing = health.streak?.meaning === "bad";
  const trend = (
    name: string,
    of: Trend<ReportRun> | null,
    format: (value: number) => string,
  ): Fact => ({
    alert: of?.jump ? "late" : null,
    tile: (place) => (
      <TrendTile
        key={name}
        name={name}
        place={place}
        alert={of?.jump ? "late" : null}
        trend={of}
        format={format}
        scheduleId={scheduleId}
      />
    ),
  });
  const failing = isFailing ? "down" : null;
  const overdue = schedule && schedule.counts.overdue > 0 ? "down" : null;
  const outside = newcomers.length > 0 ? "down" : null;
  const inconsistent = findings.length > 0 ? "late" : null;
  return [
    {
      alert: failing,
      tile: (place) => (
        <SuccessTimeTile
          key="success"
          place={place}
          alert={failing}
          run={health.lastGood}
          scheduleId={scheduleId}
          now={now}
        />
      ),
    },
    ...(health.streak?.meaning === "good" ? [] : [
      {
        alert: failing,
        tile: (place) => (
          <FailingTile key="failing" place={place} streak={health.streak} scheduleId={scheduleId} />
        ),
      } satisfies Fact,
    ]),
    {
      alert: overdue,
      tile: (place) => (
        <ScheduleTile
          key="schedule"
          place={place}
          alert={overdue}
          schedule={schedule}
          health={health}
        />
      ),
    },
    {
      alert: outside,
      tile: (place) => (
        <TrendTile
          key="recipients"
          name="Recipients"
          place={place}
          alert={outside}
          trend={verdict.recipients}
          format={formatCount}
          scheduleId={scheduleId}
        >
          <a href={`${path}/recipients`}>
            {outside ? `${formatCount(newcomers.length)} new external` : "All recipients"}
          </a>
        </TrendTile>
      ),
    },
    trend("Attachment size", verdict.attachmentSize, formatBytes),
    trend("Email size", verdict.emailSize, formatBytes),
    {
      alert: inconsistent,
      tile: (place) => (
        <Tile key="consistency" name="Consistency" place={place} alert={inconsistent}>
          <a href={`${path}/check`}>
            {inconsistent
              ? formatCountOf(findings.length, "finding", "findings")
              : "No inconsistencies"}
          </a>
        </Tile>
      ),
    },
    { alert: null, tile: (place) => <SuccessTile key="rate" place={place} health={health} /> },
    { alert: null, tile: (place) => <StreakTile key="streak" place={place} health={health} /> },
    {
      alert: null,
      tile: (place) => <DurationTile key="duration" place={place} durations={durations} />,
    },
  ];
}

function Tile({ name, place, note = [], alert = null, children }: {
  readonly name: string;
  readonly place: Place;
  /** Details below the value. */
  readonly note?: readonly (string | false | null | undefined)[];
  readonly alert?: Tier | null;
  readonly children: ComponentChildren;
}) {
  const notes = note.filter((part) => !!part);
  return (
    <div
      class={["tile", place === "lead" && "lead", alert && `alert ${alert}`].filter(Boolean).join(
        " ",
      )}
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

function SuccessTimeTile({ place, alert, run, scheduleId, now }: {
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

function FailingTile({ place, streak, scheduleId }: {
  readonly place: Place;
  readonly streak: Streak<ReportRun> | null;
  readonly scheduleId: number;
}) {
  if (streak?.meaning !== "bad") {
    return (
      <Tile name="Failing since" place={place}>
        unknown: no run has a status that means success or failure
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

function SuccessTile({ place, health: { counts, successRate } }: {
  readonly place: Place;
  readonly health: RunHealth<ReportRun>;
}) {
  const judged = counts.good + counts.bad;
  return (
    <Tile
      name="Success rate"
      place={place}
      note={[
        judged > 0 && `${formatCount(counts.good)} of ${formatCountOf(judged, "run", "runs")}`,
        counts.neutral > 0 && `${formatCount(counts.neutral)} neutral`,
      ]}
    >
      {successRate === null ? "unknown" : formatPercent(successRate)}
    </Tile>
  );
}

function StreakTile({ place, health: { streak, longestBad } }: {
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

function ScheduleTile({ place, alert, schedule, health }: {
  readonly place: Place;
  readonly alert: Tier | null;
  readonly schedule: JudgedPlan | null;
  readonly health: RunHealth<ReportRun>;
}) {
  const zone = useContext(Zone);
  if (!schedule) {
    const count = formatCountOf(health.count, "run", "runs");
    return <Tile name="Schedule (inferred)" place={place}>no regular schedule in {count}</Tile>;
  }
  const { plan, source, missed, overdue, next, counts, sees } = schedule;
  const times = [...overdue, ...missed].map(({ at }) => new Date(at).toISOString());
  const more = counts.overdue + counts.missed - Math.min(times.length, MAX_MISSED);
  return (
    <Tile name={`Schedule (${source})`} place={place} alert={alert}>
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

function DurationTile({ place, durations }: {
  readonly place: Place;
  readonly durations: Durations<ReportRun>;
}) {
  const { p50, p95, count, spread, outliers } = durations;
  return (
    <Tile
      name="Duration"
      place={place}
      note={[
        p50 !== null && `of ${formatCountOf(count, "run", "runs")}`,
        spread && formatCountOf(outliers.length, "outlier", "outliers"),
      ]}
    >
      {p50 === null ? "unknown" : `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95!)}`}
    </Tile>
  );
}

function TrendTile({ name, place, alert, trend, format, scheduleId, children }: {
  readonly name: string;
  readonly place: Place;
  readonly alert: Tier | null;
  readonly trend: Trend<ReportRun> | null;
  readonly format: (value: number) => string;
  readonly scheduleId: number;
  readonly children?: ComponentChildren;
}) {
  const [first, last] = trend ? [format(trend.first), format(trend.last)] : [];
  return (
    <Tile
      name={name}
      place={place}
      alert={alert}
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
