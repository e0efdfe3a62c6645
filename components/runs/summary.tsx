import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { Streak } from "../../lib/runs/health.ts";
import type { Trend } from "../../lib/runs/trends.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatBytes, formatCount, formatCountOf, formatDuration } from "../ui/format.ts";
import { Missing, Moment } from "../ui/moment.tsx";
import { formatMoment, Zone } from "../ui/zone.ts";
import type { Judgement } from "../../lib/runs/judgement.ts";
import { runHref } from "./view.ts";
import { cadenceWords, changeWords, formatPart } from "./words.ts";

/** How a schedule is doing, fact by fact. */
export function Summary({ judgement, scheduleId }: {
  readonly judgement: Judgement;
  readonly scheduleId: number;
}) {
  const { health, durations, findings, newcomers } = judgement;
  const { streak, longestBad, lastGood, counts, successRate } = health;
  const judged = counts.good + counts.bad;
  const failing = streak?.meaning === "bad" ? streak : null;
  const path = `/schedules/${scheduleId}`;
  return (
    <dl class="tiles">
      <Tile name="Last success">
        {lastGood ? <RunLink run={lastGood} scheduleId={scheduleId} /> : "none among these runs"}
      </Tile>
      <Tile name="Failing since" alert={failing !== null}>
        {failing
          ? <FailingSince streak={failing} scheduleId={scheduleId} />
          : streak
          ? "the latest judged run did not fail"
          : "not known: no status is known to be good or bad"}
      </Tile>
      <Tile
        name="Success rate"
        note={[
          judged > 0 && `${formatCount(counts.good)} of ${formatCountOf(judged, "run", "runs")}`,
          counts.neutral > 0 && `${formatCount(counts.neutral)} neutral`,
        ]}
      >
        {successRate === null ? "not known" : formatPart(successRate)}
      </Tile>
      <Tile
        name="Streak"
        note={[longestBad && `longest failure streak ${streakWords(longestBad)}`]}
      >
        {streak
          ? `${streakWords(streak)} ${streak.meaning === "good" ? "good" : "failed"}`
          : <Missing />}
      </Tile>
      <CadenceTile judgement={judgement} />
      <Tile
        name="Duration"
        note={[
          durations.p50 !== null && `of ${formatCountOf(durations.count, "run", "runs")}`,
          durations.spread && formatCountOf(durations.outliers.length, "outlier", "outliers"),
        ]}
      >
        {durations.p50 === null
          ? "not known"
          : `p50 ${formatDuration(durations.p50)}, p95 ${formatDuration(durations.p95!)}`}
      </Tile>
      <TrendTile
        name="Attachment size"
        trend={judgement.attachmentSize}
        format={formatBytes}
        scheduleId={scheduleId}
      />
      <TrendTile
        name="E-mail size"
        trend={judgement.emailSize}
        format={formatBytes}
        scheduleId={scheduleId}
      />
      <TrendTile
        name="Recipients"
        trend={judgement.recipients}
        format={formatCount}
        scheduleId={scheduleId}
        alert={newcomers.length > 0}
      >
        <a href={`${path}/recipients`}>
          {newcomers.length > 0
            ? `${formatCount(newcomers.length)} new from outside`
            : "Who received what"}
        </a>
      </TrendTile>
      <Tile name="Consistency" alert={findings.length > 0}>
        <a href={`${path}/check`}>
          {findings.length > 0
            ? formatCountOf(findings.length, "finding", "findings")
            : "nothing found that does not add up"}
        </a>
      </Tile>
    </dl>
  );
}

function Tile({ name, note = [], alert = false, children }: {
  readonly name: string;
  /** What the value is based on, in parts. */
  readonly note?: readonly (string | false | null | undefined)[];
  /** Whether somebody should look at this. */
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

function RunLink({ run, scheduleId }: {
  readonly run: ReportRun;
  readonly scheduleId: number;
}) {
  return (
    <a href={runHref(scheduleId, run.id)}>
      {run.startTime ? <Moment at={run.startTime} /> : `run ${run.id}`}
    </a>
  );
}

function FailingSince({ streak, scheduleId }: {
  readonly streak: Streak<ReportRun>;
  readonly scheduleId: number;
}) {
  return (
    <>
      <RunLink run={streak.first} scheduleId={scheduleId} />
      <small>
        {formatCountOf(streak.count, "run", "runs")} in a row
        {streak.reachesBack && ", or longer: no success before was read"}
      </small>
    </>
  );
}

function streakWords({ count, reachesBack }: Streak<ReportRun>): string {
  return `${reachesBack ? "at least " : ""}${formatCountOf(count, "run", "runs")}`;
}

function CadenceTile({ judgement: { cadence } }: { readonly judgement: Judgement }) {
  const zone = useContext(Zone);
  if (!cadence) return <Tile name="Cadence, inferred">no regular one can be seen</Tile>;
  const { missed, overdue, next } = cadence;
  const moments = [...overdue, ...missed].map(({ at }) => new Date(at).toISOString());
  return (
    <Tile name="Cadence, inferred" alert={overdue.length > 0}>
      {cadenceWords(cadence)}
      <small>
        {overdue.length > 0 ? `${formatCountOf(overdue.length, "run is", "runs are")} overdue` : (
          <>
            next about <Moment at={new Date(next).toISOString()} />
          </>
        )}
        {`, ${formatCount(missed.length)} missed, `}
        {`from ${formatCountOf(cadence.count, "automated run", "automated runs")}`}
      </small>
      {moments.length > 0 && (
        <details>
          <summary>Runs that are missing, inferred</summary>
          <ul>
            {moments.slice(0, 50).map((at) => (
              <li key={at}>
                about <time dateTime={at}>{formatMoment(at, zone)}</time>
              </li>
            ))}
            {moments.length > 50 && <li>and {formatCount(moments.length - 50)} more</li>}
          </ul>
        </details>
      )}
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
  const same = trend && format(trend.first) === format(trend.last);
  return (
    <Tile
      name={name}
      alert={alert ?? !!trend?.jump}
      note={[trend && !same && changeWords(trend.first, trend.last)]}
    >
      {!trend
        ? "too few runs to tell"
        : same
        ? `about ${format(trend.last)}`
        : `${format(trend.first)} → ${format(trend.last)}`}
      {trend?.jump && (
        <small>
          at once, <RunLink run={trend.jump.run} scheduleId={scheduleId} />
        </small>
      )}
      {children && <small>{children}</small>}
    </Tile>
  );
}
