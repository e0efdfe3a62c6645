import { useContext } from "preact/hooks";
import { formatBytes, formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../lib/judgement/reason.ts";
import { domainOf, recipientKey } from "../../../lib/runs/recipients.ts";
import type { Trend } from "../../../lib/runs/trends.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Zone } from "../../ui/zone.ts";
import { contentOf } from "../charts/measures.ts";
import { recipientsHref, scheduleHref } from "../run_links.ts";
import {
  currentStreak,
  durationFact,
  type Fact,
  failingSince,
  lastSuccess,
  planFact,
  successRate,
  Tile,
  trendFact,
} from "./fact_tiles.tsx";
import { reasonMark } from "./state_badge.tsx";

interface RankedFact extends Fact {
  /** Its reason; undefined for a fact that is fine. */
  readonly reason: Reason | undefined;
}

interface SummaryProps {
  readonly verdict: Verdict;
  readonly scheduleId: number;
  readonly now: number;
}

/** The main facts about a schedule's runs: those that need a look are large, all else is a line. */
export function Summary(props: SummaryProps) {
  const facts = factsOf(props, useContext(Zone));
  const rankOf = ({ reason }: RankedFact) => props.verdict.reasons.indexOf(reason!);
  const large = facts.filter(({ reason }) => reason).sort((a, b) => rankOf(a) - rankOf(b));
  return (
    <>
      {large.length > 0 && (
        <dl class="tiles">
          {large.map((fact, at) => (
            <Tile
              key={fact.name}
              fact={fact}
              place={at === 0 ? "lead" : "large"}
              alert={fact.reason!.severity === "info" ? null : reasonMark(fact.reason!)[1]}
            />
          ))}
        </dl>
      )}
      <dl class="small-facts">
        {facts.filter(({ reason }) => !reason).map((fact) => (
          <Tile key={fact.name} fact={fact} place="small" alert={null} />
        ))}
      </dl>
    </>
  );
}

function factsOf(
  { verdict, scheduleId, now }: SummaryProps,
  zone: string,
): readonly RankedFact[] {
  const { health, durations, findings, newcomers, reasons } = verdict;
  const path = scheduleHref(scheduleId);
  /** A fact that one of these reasons is about; of those that only inform, only the first counts. */
  const ranked = (
    codes: readonly ReasonCode[],
    fact: Fact,
    isAbout: (reason: Reason) => boolean = () => true,
  ): RankedFact => {
    const reason = reasons.find((reason, at) =>
      codes.includes(reason.code) && (reason.severity !== "info" || at === 0) && isAbout(reason)
    );
    return { ...fact, reason };
  };
  const size = (name: string, content: "attachments" | "email", of: Trend<ReportRun> | null) => {
    const codes = ["size-jump", "empty-delivery"] as const;
    const isAbout = ({ evidence }: Reason) => contentOf(evidence) === content;
    const said = reasons.find((reason) =>
      codes.some((code) => code === reason.code) && isAbout(reason)
    )?.evidence;
    const fact = trendFact(name, of, {
      said: said && {
        before: said.gone ? of?.first : Number(said.before),
        after: said.gone ? 0 : Number(said.after),
      },
      format: formatBytes,
      scheduleId,
    });
    return ranked(codes, fact, isAbout);
  };
  const { latest } = health;
  const elsewhere = countElsewhere(verdict);
  const recipients = trendFact("Recipients", verdict.recipients, {
    said: { after: latest?.recipientCount ?? latest?.recipients?.length },
    format: formatCount,
    scheduleId,
    more: (
      <a href={recipientsHref(scheduleId)}>
        {newcomers.length > 0
          ? `${formatCount(newcomers.length)} new external`
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
  const plan = ranked(["overdue", "missed", "late"], planFact(verdict, now));
  return [
    ranked(["failing", "stuck"], lastSuccess(health.lastGood, { scheduleId, now, zone })),
    ...(health.streak?.meaning === "good"
      ? []
      : [ranked(["failing"], failingSince(health.streak, scheduleId))]),
    plan.reason ? { ...plan, ...planFact(verdict, now, plan.reason.code !== "late") } : plan,
    ranked(
      ["outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"],
      recipients,
    ),
    ranked(["flaky", "started-by-hand"], successRate(health)),
    ranked(["slower"], durationFact(durations)),
    size("Attachment size", "attachments", verdict.attachmentSize),
    size("Email size", "email", verdict.emailSize),
    ranked(["clock", "inconsistent"], consistency),
    ranked([], currentStreak(health)),
  ];
}

/** How many current recipients are at other domains than most, without being new from outside. */
function countElsewhere({ runs, newcomers }: Pick<Verdict, "runs" | "newcomers">): number {
  const listed = runs.find(({ recipients = [] }) => recipients && recipients.length > 0);
  const current = new Map(listed?.recipients?.map((person) => [recipientKey(person), person]));
  const domains = Map.groupBy(
    [...current].filter(([, { emailAddress }]) => domainOf(emailAddress)),
    ([, { emailAddress }]) => domainOf(emailAddress)!,
  );
  const [[main] = [""], ...others] = [...domains].sort(([, a], [, b]) => b.length - a.length);
  const isPart = (domain: string) => domain.endsWith(`.${main}`) || main.endsWith(`.${domain}`);
  const isNew = new Set(newcomers.map(({ recipient }) => recipientKey(recipient)));
  return others.filter(([domain]) => !isPart(domain)).flatMap(([, people]) => people)
    .filter(([key]) => !isNew.has(key)).length;
}
