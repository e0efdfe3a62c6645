import { formatBytes, formatCount } from "../../../lib/format.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../lib/judgement/reason.ts";
import { countRecipients, domainOf, recipientKey } from "../../../lib/runs/recipients.ts";
import type { Trend } from "../../../lib/runs/trends.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { contentOf } from "../charts/measures.ts";
import { recipientsHref } from "../run_links.tsx";
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

interface SummaryProps {
  readonly verdict: Verdict;
  readonly scheduleId: number;
  readonly now: number;
}

export function Summary(props: SummaryProps) {
  const facts = factsOf(props);
  const rankOf = ({ reason }: Fact) => props.verdict.reasons.indexOf(reason!);
  const large = facts.filter(({ reason }) => reason).sort((a, b) => rankOf(a) - rankOf(b));
  return (
    <>
      {large.length > 0 && (
        <dl class="tiles">
          {large.map((fact, at) => (
            <Tile key={fact.name} fact={fact} place={at === 0 ? "lead" : "large"} />
          ))}
        </dl>
      )}
      <dl class="small-facts">
        {facts.filter(({ reason }) => !reason).map((fact) => (
          <Tile key={fact.name} fact={fact} place="small" />
        ))}
      </dl>
    </>
  );
}

function factsOf({ verdict, scheduleId, now }: SummaryProps): readonly Fact[] {
  const { health, durations, newcomers, reasons } = verdict;
  /** The reason behind a fact. Mere information counts only if it is the first reason. */
  const reasonOf = (
    codes: readonly ReasonCode[],
    isAbout: (reason: Reason) => boolean = () => true,
  ): Reason | undefined =>
    reasons.find((reason, at) =>
      codes.includes(reason.code) && (reason.severity !== "info" || at === 0) && isAbout(reason)
    );
  const size = (name: string, content: "attachments" | "email", of: Trend<ReportRun> | null) => {
    const codes: readonly ReasonCode[] = ["size-jump", "empty-delivery"];
    const isAbout = (reason: Reason) => contentOf(reason) === content;
    const said = reasons.find(isAbout);
    const fact = trendFact(name, of, {
      said: said?.code === "size-jump"
        ? said
        : said?.code === "empty-delivery"
        ? said.almost ?? { before: of?.first, after: 0 }
        : undefined,
      format: formatBytes,
      scheduleId,
    });
    return { ...fact, reason: reasonOf(codes, isAbout) };
  };
  const { latest } = health;
  const elsewhere = countElsewhere(verdict);
  const recipients = trendFact("Recipients", verdict.recipients, {
    said: { after: countRecipients(latest) ?? undefined },
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
  const unmet = reasonOf(["overdue", "missed", "late"]);
  return [
    {
      ...lastSuccess(health.lastGood, scheduleId, now),
      reason: reasonOf(["failing", "stuck", "sent-twice"]),
    },
    ...(health.streak?.meaning === "good"
      ? []
      : [{ ...failingSince(health.streak, scheduleId), reason: reasonOf(["failing"]) }]),
    {
      ...planFact(verdict, now, unmet !== undefined && unmet.code !== "late"),
      reason: unmet,
    },
    {
      ...recipients,
      reason: reasonOf([
        ...["outside-recipient", "leaver-recipient", "recipients-dropped"] as const,
        "sent-to-nobody",
      ]),
    },
    { ...successRate(health), reason: reasonOf(["flaky", "started-by-hand"]) },
    { ...durationFact(durations), reason: reasonOf(["slower"]) },
    size("Attachment size", "attachments", verdict.attachmentSize),
    size("Email size", "email", verdict.emailSize),
    currentStreak(health, reasonOf(["unknown-status"]) !== undefined),
  ];
}

/** How many recipients are outside the most common domain, without the new ones. */
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
