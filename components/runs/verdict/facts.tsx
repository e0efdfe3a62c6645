/** Five facts of a schedule: what was sent, what was missed, how long it takes, its size, who gets it. */
import type { ComponentChildren } from "preact";
import {
  formatBytes,
  formatChange,
  formatCount,
  formatCountOf,
  formatDuration,
} from "../../../lib/format.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../lib/judgement/reason.ts";
import { countRecipients, domainOf, recipientKey } from "../../../lib/runs/recipients.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import { DAY } from "../../../lib/time_units.ts";
import { Moment } from "../../ui/moment.tsx";
import { isAboutEmail } from "./changes.ts";
import { formatPercent } from "../format.ts";
import { recipientsHref, RunLink } from "../run_links.tsx";
import { reasonMark } from "./state_badge.tsx";

const LATELY_DAYS = 30;
const MAX_LISTED = 50;

interface FactsProps {
  readonly verdict: Verdict;
  readonly scheduleId: number;
  readonly statuses: StatusDictionary;
  readonly now: number;
}

interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  /** The reasons that are about it. */
  readonly codes: readonly ReasonCode[];
}

export function Facts(props: FactsProps) {
  const { reasons } = props.verdict;
  return (
    <dl class="five">
      {[sent(props), missed(props), duration(props), size(props), recipients(props)].map((fact) => {
        const { name, value, note, codes } = fact;
        const tone = toneOf(reasons.find(({ code }) => codes.includes(code)));
        return (
          <div key={name} class={tone}>
            <dt>{name}</dt>
            <dd>
              {value}
              {tone && <span class="unseen">, needs attention</span>}
              {note && (
                <>
                  {" "}
                  <small>{note}</small>
                </>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function toneOf(reason: Reason | undefined): string | undefined {
  return reason && reason.severity !== "info" ? reasonMark(reason)[1] : undefined;
}

function sent({ verdict: { runs, health }, statuses, now }: FactsProps): Fact {
  const { counts, successRate } = health;
  const lately = runs.filter(({ startTime }) => (timeOf(startTime) ?? 0) > now - LATELY_DAYS * DAY)
    .map(({ status }) => meaningOf(status, statuses));
  const good = lately.filter((meaning) => meaning === "good").length;
  const ended = good + lately.filter((meaning) => meaning === "bad").length;
  const all = formatCountOf(counts.good + counts.bad, "run", "runs");
  const rate = `${formatCount(counts.good)} of ${all}`;
  const notes = [
    successRate !== null && `${rate}, ${formatPercent(successRate)}`,
    counts.unknown > 0 && `${formatCount(counts.unknown)} with an unknown status`,
  ];
  return {
    name: `Sent, last ${LATELY_DAYS} days`,
    value: ended === 0 ? "none" : `${formatCount(good)} of ${formatCount(ended)}`,
    note: notes.filter((each) => each !== false).join(", "),
    codes: ["failing", "flaky", "started-by-hand", "stuck", "sent-twice"],
  };
}

function missed({ verdict: { schedule, health } }: FactsProps): Fact {
  const codes = ["overdue", "missed"] as const;
  if (!schedule) {
    const note = `${formatCountOf(health.count, "run shows", "runs show")} no plan`;
    return { name: "Missed", value: "unknown", note, codes };
  }
  const { missed, overdue, counts, sees } = schedule;
  const unmet = [...overdue, ...missed].slice(0, MAX_LISTED);
  const more = counts.overdue + counts.missed - unmet.length;
  const late = counts.overdue > 0 && `${formatCountOf(counts.overdue, "run", "runs")} overdue`;
  return {
    name: "Missed",
    value: sees.enough ? formatCountOf(counts.missed, "run", "runs") : "unknown",
    note: (unmet.length > 0 || !sees.enough) && (
      <>
        {[!sees.enough && "too few runs to see it", late].filter(Boolean).join(", ")}
        {unmet.length > 0 && (
          <details>
            <summary>Which</summary>
            <ul class="plain">
              {unmet.map(({ at }) => (
                <li key={at}>
                  <Moment at={at} />
                </li>
              ))}
              {more > 0 && <li>and {formatCount(more)} more</li>}
            </ul>
          </details>
        )}
      </>
    ),
    codes,
  };
}

function duration({ verdict: { durations: { p50, p95, spread, outliers } } }: FactsProps): Fact {
  const within = p95 !== null && `95 % within ${formatDuration(p95)}`;
  const unusual = spread && outliers.length > 0 &&
    formatCountOf(outliers.length, "unusual run", "unusual runs");
  return {
    name: "Usually takes",
    value: p50 === null ? "unknown" : formatDuration(p50),
    note: [within, unusual].filter(Boolean).join(", "),
    codes: ["slower"],
  };
}

/** The attachments' size, or the email's if there are none or that is what changed. */
function size({ verdict: { attachmentSize, emailSize, reasons }, scheduleId }: FactsProps): Fact {
  const codes = ["size-jump", "empty-delivery"] as const;
  const isEmail = attachmentSize === null ||
    reasons.some(isAboutEmail);
  const [name, trend] = isEmail && emailSize
    ? ["Email size", emailSize] as const
    : ["Attachments", attachmentSize] as const;
  if (!trend) return { name, value: "unknown", note: "too few runs", codes };
  const jump = reasons.find((reason) => reason.code === "size-jump");
  const [before, after] = jump ? [jump.before, jump.after] : [trend.first, trend.last];
  const isSteady = formatBytes(before) === formatBytes(after);
  return {
    name,
    value: formatBytes(after),
    note: (
      <>
        {isSteady ? "steady" : `${formatBytes(before)} before, ${formatChange(before, after)}`}
        {trend.jump && (
          <>
            , since <RunLink run={trend.jump.run} scheduleId={scheduleId} />
          </>
        )}
      </>
    ),
    codes,
  };
}

function recipients({ verdict, scheduleId }: FactsProps): Fact {
  const { recipients: trend, newcomers, health: { latest } } = verdict;
  const count = countRecipients(latest) ?? trend?.last;
  const elsewhere = countElsewhere(verdict);
  const before = trend && count !== undefined && trend.first !== count &&
    `${formatCount(trend.first)} before, `;
  return {
    name: "Recipients",
    value: count === undefined ? "unknown" : formatCount(count),
    note: (
      <>
        {before}
        <a href={recipientsHref(scheduleId)}>
          {newcomers.length > 0
            ? `${formatCount(newcomers.length)} new external`
            : elsewhere > 0
            ? `${formatCount(elsewhere)} at other domains`
            : "All recipients"}
        </a>
      </>
    ),
    codes: ["outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"],
  };
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
