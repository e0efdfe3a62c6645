import { useContext } from "preact/hooks";
import { formatBytes, formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { ReasonCode } from "../../../lib/judgement/reason.ts";
import type { Trend } from "../../../lib/runs/trends.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Zone } from "../../ui/zone.ts";
import { scheduleHref } from "../run_links.ts";
import {
  currentStreak,
  durationFact,
  type Fact,
  failingSince,
  lastSuccess,
  type Place,
  planFact,
  successRate,
  Tile,
  trendFact,
} from "./fact_tiles.tsx";
import { reasonMark, type Tone } from "./state_badge.tsx";

/** At most this many facts are shown; the others unfold. */
const MOST_SHOWN = 5;

interface RankedFact extends Fact {
  /** Why it is large; null for a fact that is fine. */
  readonly alert: Tone | null;
  /** The index of its reason among the verdict's reasons. */
  readonly rank: number;
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
  const facts = factsOf(props, useContext(Zone));
  const alerting = facts.filter(({ alert }) => alert !== null)
    .sort((a, b) => a.rank - b.rank).slice(0, MOST_SHOWN);
  const others = facts.filter((fact) => !alerting.includes(fact));
  const shown = [...alerting, ...others].slice(0, MOST_SHOWN);
  const rest = others.filter((fact) => !shown.includes(fact));
  const tileOf = (fact: RankedFact, place: Place) => (
    <Tile key={fact.name} fact={fact} place={place} alert={fact.alert} />
  );
  return (
    <>
      <dl class="tiles">
        {shown.map((fact, at) =>
          tileOf(fact, at === 0 ? "lead" : fact.alert === null ? "small" : "large")
        )}
      </dl>
      <details class="more-facts">
        <summary>{formatCountOf(rest.length, "more fact", "more facts")}</summary>
        <dl class="small-facts">{rest.map((fact) => tileOf(fact, "small"))}</dl>
      </details>
    </>
  );
}

/** The facts, in the order of importance for a healthy schedule. */
function factsOf(
  { verdict, scheduleId, now, elsewhere = 0 }: SummaryProps,
  zone: string,
): readonly RankedFact[] {
  const { health, durations, findings, newcomers, reasons } = verdict;
  const path = scheduleHref(scheduleId);
  /** A fact that one of these reasons is about; later reasons that only inform raise no alert. */
  const ranked = (codes: readonly ReasonCode[], fact: Fact, field?: string): RankedFact => {
    const rank = reasons.findIndex(({ code, severity, evidence }, at) =>
      codes.includes(code) && (severity !== "info" || at === 0) &&
      (!field || evidence.field === field)
    );
    return { ...fact, alert: rank < 0 ? null : reasonMark(reasons[rank])[1], rank };
  };
  const size = (name: string, field: string, of: Trend<ReportRun> | null) => {
    const jump = reasons.find(({ code, evidence }) =>
      code === "size-jump" && evidence.field === field
    )?.evidence;
    const said = jump && { before: Number(jump.before), after: Number(jump.after) };
    return ranked(
      ["size-jump"],
      trendFact(name, of, { said, format: formatBytes, scheduleId }),
      field,
    );
  };
  const { latest } = health;
  const recipients = trendFact("Recipients", verdict.recipients, {
    said: { after: latest?.recipientCount ?? latest?.recipients?.length },
    format: formatCount,
    scheduleId,
    more: (
      <a href={`${path}/recipients`}>
        {newcomers > 0
          ? `${formatCount(newcomers)} new external`
          : elsewhere > 0
          ? `${formatCount(elsewhere)} at other domains`
          : "All recipients"}
      </a>
    ),
  });
  const consistency = {
    name: "Consistency",
    value: (
      <a href={`${path}/check`}>
        {findings.length > 0
          ? formatCountOf(findings.length, "finding", "findings")
          : "No inconsistencies"}
      </a>
    ),
  };
  return [
    ranked(["failing", "stuck"], lastSuccess(health.lastGood, { scheduleId, now, zone })),
    ...(health.streak?.meaning === "good"
      ? []
      : [ranked(["failing"], failingSince(health.streak, scheduleId))]),
    ranked(["overdue", "missed", "late"], planFact(verdict, now)),
    ranked(
      ["outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"],
      recipients,
    ),
    ranked(["flaky", "started-by-hand"], successRate(health)),
    ranked(["slower"], durationFact(durations)),
    size("Attachment size", "attachmentSize", verdict.attachmentSize),
    size("Email size", "emailSize", verdict.emailSize),
    ranked(["empty-delivery", "clock", "inconsistent"], consistency),
    ranked([], currentStreak(health)),
  ];
}
