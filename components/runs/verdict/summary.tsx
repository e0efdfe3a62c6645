import type { ComponentChildren } from "preact";
import { formatBytes, formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Verdict } from "../../../lib/runs/judge/judge_schedule.ts";
import type { ReasonCode } from "../../../lib/runs/judge/reason.ts";
import type { Trend } from "../../../lib/runs/trends.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { scheduleHref } from "../run_links.ts";
import {
  DurationTile,
  FailingTile,
  type Place,
  ScheduleTile,
  StreakTile,
  SuccessTile,
  SuccessTimeTile,
  Tile,
  TrendTile,
} from "./fact_tiles.tsx";
import { type Tier, tierOf } from "./state_badge.tsx";

/** At most this many facts are shown; the others unfold. */
const MOST_SHOWN = 5;

interface Fact {
  /** Why it is large; null for a fact that is fine. */
  readonly alert: Tier | null;
  /** The index of its reason among the verdict's reasons. */
  readonly rank: number;
  readonly tile: (place: Place, alert: Tier | null) => ComponentChildren;
}

interface SummaryProps {
  readonly verdict: Verdict;
  readonly scheduleId: number;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  /** How many recipients are at other domains than most, without being new. */
  readonly elsewhere?: number;
}

/** The main facts about a schedule's runs: those that need a look are first and large. */
export function Summary(props: SummaryProps) {
  const facts = factsOf(props);
  const alerting = facts.filter(({ alert }) => alert !== null)
    .sort((a, b) => a.rank - b.rank).slice(0, MOST_SHOWN);
  const others = facts.filter((fact) => !alerting.includes(fact));
  const shown = [...alerting, ...others].slice(0, MOST_SHOWN);
  const rest = others.filter((fact) => !shown.includes(fact));
  return (
    <>
      <dl class="tiles">
        {shown.map(({ tile, alert }, at) =>
          tile(at === 0 ? "lead" : alert === null ? "small" : "large", alert)
        )}
      </dl>
      <details class="more-facts">
        <summary>{formatCountOf(rest.length, "more fact", "more facts")}</summary>
        <dl class="small-facts">{rest.map(({ tile, alert }) => tile("small", alert))}</dl>
      </details>
    </>
  );
}

/** The facts, in the order of importance for a healthy schedule. */
function factsOf({ verdict, scheduleId, now, elsewhere = 0 }: SummaryProps): readonly Fact[] {
  const { health, schedule, durations, findings, newcomers, reasons } = verdict;
  const path = scheduleHref(scheduleId);
  /** A fact that one of these reasons is about; later reasons that only inform raise no alert. */
  const fact = (codes: readonly ReasonCode[], tile: Fact["tile"], field?: string): Fact => {
    const rank = reasons.findIndex(({ code, severity, evidence }, at) =>
      codes.includes(code) && (severity !== "info" || at === 0) &&
      (!field || evidence.field === field)
    );
    return { alert: rank < 0 ? null : tierOf(reasons[rank]), rank, tile };
  };
  const size = (name: string, field: string, of: Trend<ReportRun> | null) => {
    const jump = reasons.find(({ code, evidence }) =>
      code === "size-jump" && evidence.field === field
    )?.evidence;
    return fact(["size-jump"], (place, alert) => (
      <TrendTile
        key={field}
        name={name}
        place={place}
        alert={alert}
        trend={of}
        said={jump && { before: Number(jump.before), after: Number(jump.after) }}
        format={formatBytes}
        scheduleId={scheduleId}
      />
    ), field);
  };
  const { latest } = health;
  return [
    fact(["failing", "stuck"], (place, alert) => (
      <SuccessTimeTile
        key="success"
        place={place}
        alert={alert}
        run={health.lastGood}
        scheduleId={scheduleId}
        now={now}
      />
    )),
    ...(health.streak?.meaning === "good" ? [] : [
      fact(
        ["failing"],
        (place) => (
          <FailingTile key="failing" place={place} streak={health.streak} scheduleId={scheduleId} />
        ),
      ),
    ]),
    fact(["overdue", "missed", "late"], (place, alert) => (
      <ScheduleTile
        key="schedule"
        place={place}
        alert={alert}
        schedule={schedule}
        health={health}
        now={now}
      />
    )),
    fact(["outside-recipient", "recipients-dropped", "sent-to-nobody"], (place, alert) => (
      <TrendTile
        key="recipients"
        name="Recipients"
        place={place}
        alert={alert}
        trend={verdict.recipients}
        said={{ after: latest?.recipientCount ?? latest?.recipients?.length }}
        format={formatCount}
        scheduleId={scheduleId}
      >
        <a href={`${path}/recipients`}>
          {newcomers.length > 0
            ? `${formatCount(newcomers.length)} new external`
            : elsewhere > 0
            ? `${formatCount(elsewhere)} at other domains`
            : "All recipients"}
        </a>
      </TrendTile>
    )),
    fact(
      ["flaky", "made-up-by-hand"],
      (place, alert) => <SuccessTile key="rate" place={place} alert={alert} health={health} />,
    ),
    fact(
      ["slower"],
      (place, alert) => (
        <DurationTile key="duration" place={place} alert={alert} durations={durations} />
      ),
    ),
    size("Attachment size", "attachmentSize", verdict.attachmentSize),
    size("Email size", "emailSize", verdict.emailSize),
    fact(
      ["hollow-success", "clock", "inconsistent"],
      (place, alert) => (
        <Tile key="consistency" name="Consistency" place={place} alert={alert}>
          <a href={`${path}/check`}>
            {findings.length > 0
              ? formatCountOf(findings.length, "finding", "findings")
              : "No inconsistencies"}
          </a>
        </Tile>
      ),
    ),
    fact([], (place) => <StreakTile key="streak" place={place} health={health} />),
  ];
}
