import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { capitalized, formatCount, formatCountOf } from "../../../lib/format.ts";
import { adviceParts } from "../../../lib/judgement/advice.ts";
import { type Headline, headline, headlineOfCode } from "../../../lib/judgement/headline.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { isDue, type Reason, type ReasonCode } from "../../../lib/judgement/reason.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { describePlan } from "../../../lib/judgement/plans/describe.ts";
import { countRecipients } from "../../../lib/runs/recipients.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Ago, Day } from "../../ui/moment.tsx";
import { Zone } from "../../ui/zone.ts";
import { isChange } from "./changes.ts";
import { formatPercent } from "../format.ts";
import { ComparedRuns } from "./compared_runs.tsx";
import { reasonMark, toneOf } from "./state_badge.tsx";
import { recipientsHref, runHref, scheduleHref, SERVICE_PATH } from "../run_links.tsx";

export function VerdictLine({ verdict, scheduleId, statuses, now, children }: {
  readonly verdict: Verdict;
  readonly scheduleId: number;
  readonly statuses: StatusDictionary;
  readonly now: number;
  readonly children?: ComponentChildren;
}) {
  const { reasons, health: { lastGood, latest, streak } } = verdict;
  const zone = useContext(Zone);
  const word = headline(verdict);
  const lead = leadOf(verdict, word);
  const others = reasons.filter((reason) => reason !== lead);
  const advice = lead && Advice({ code: lead.code, verdict, scheduleId });
  return (
    <section class={`verdict ${toneOf(word)}`} aria-label="Verdict">
      <div>
        <p class="sentence">
          <span class="unseen">{`${capitalized(word)}. `}</span>
          {sentenceOf(verdict, lead, now)}
        </p>
        {advice && <p>{advice}</p>}
        {others.length > 0 && (
          <ul class="reasons plain">
            {others.map((reason) => {
              const [sign, tone] = reasonMark(reason);
              return (
                <li key={reason.code + reason.subject} class={`tier ${tone}`}>
                  <span aria-hidden="true">{sign}</span> {capitalized(reasonText(reason, { zone }))}
                </li>
              );
            })}
          </ul>
        )}
        {children}
      </div>
      {lastGood && latest && streak?.meaning === "bad" && (
        <ComparedRuns
          runs={[lastGood, latest]}
          names={["Last success", "Latest run"]}
          {...{ scheduleId, statuses }}
        />
      )}
    </section>
  );
}

export function leadOf({ state, reasons }: Verdict, word: Headline): Reason | undefined {
  const isBehind = (reason: Reason) =>
    headlineOfCode(reason.code) === word && (reason.severity !== "info" || isDue([reason]));
  // An unknown state without such a reason explains itself.
  return reasons.find(isBehind) ?? (state === "unknown" ? undefined : reasons[0]);
}

function whyNoPlan(count: number): string {
  const runs = formatCountOf(count, "run", "runs");
  return `${runs} show no plan: they are too few, or at irregular times.`;
}

function sentenceOf(verdict: Verdict, lead: Reason | undefined, now: number): ComponentChildren[] {
  const { state, health, schedule } = verdict;
  const parts: ComponentChildren[] = [];
  if (lead) parts.push(<LeadSentence verdict={verdict} lead={lead} now={now} />);
  if (health.count > 0 && !health.streak) {
    if (lead?.code !== "unknown-status") parts.push("No status is known as success or failure.");
  } else if (health.count > 0 && !schedule) parts.push(whyNoPlan(health.count));
  else if (parts.length === 0 && state === "up") parts.push(healthyWords(verdict));
  if (health.streak) parts.push(<LastSent run={health.lastGood} now={now} />);
  return parts.flatMap((part, at) => at > 0 ? [" ", part] : [part]);
}

/** Smaller changes in the number of recipients are not worth a sentence. */
const RECIPIENTS_FACTOR = 1.5;

/** If at least this share of runs was started by hand, it is worth a sentence. */
const OFTEN_BY_HAND = 0.2;

function healthyWords({ recipients, schedule, runs, health: { lastGood } }: Verdict): string {
  const plan = schedule ? `Plan (${schedule.source}): ${describePlan(schedule.plan)}.` : "";
  const started = runs.filter(({ automated }) => typeof automated === "boolean");
  const byHand = started.filter(({ automated }) => automated === false).length / started.length;
  const hand = byHand >= OFTEN_BY_HAND
    ? `${formatPercent(byHand)} of its runs were started by hand.`
    : "";
  const trend = trendWords(recipients, lastGood) || "No problems.";
  return [trend, plan, hand].filter(Boolean).join(" ");
}

function trendWords(recipients: Verdict["recipients"], lastGood: ReportRun | null): string {
  if (!recipients) return "";
  // The latest count, as in the next sentence, and not the trend's median.
  const [first, last] = [recipients.first, countRecipients(lastGood) ?? recipients.last];
  const factor = Math.max(first, last) / Math.max(1, Math.min(first, last));
  if (factor < RECIPIENTS_FACTOR) return "";
  return `Recipients ${last > first ? "grew" : "fell"} from ${formatCount(first)} to ${
    formatCount(last)
  }.`;
}

/** How many failed runs were followed by one that a person started. */
function rerunWords(failed: readonly number[], runs: readonly ReportRun[]): string {
  const places = new Map(runs.map(({ id }, at) => [id, at]));
  const rerun = failed.filter((id) => runs[places.get(id)! - 1]?.automated === false).length;
  if (rerun === 0) return "";
  return rerun === failed.length
    ? "; each was rerun by hand"
    : `; ${formatCountOf(rerun, "was", "were")} rerun by hand`;
}

function LeadSentence({ verdict: { health: { streak }, runs }, lead, now }: {
  readonly verdict: Verdict;
  readonly lead: Reason;
  readonly now: number;
}) {
  const { since } = lead;
  const zone = useContext(Zone);
  const day = (at: number) => <Day at={at} now={now} />;
  if (lead.code !== "failing" || streak?.meaning !== "bad" || since === null) {
    return (
      <>
        {capitalized(reasonText(lead, { zone }))}
        {lead.code === "flaky" && rerunWords(lead.runs, runs)}
        {lead.code === "missed" && sinceWords(lead.latest, runs)}
        {isChange(lead) && lead.severity !== "info" && <>, since {day(lead.since)}</>}.
      </>
    );
  }
  return (
    <>
      Failing since {day(since)}
      {streak.reachesBack && " or earlier"}, {formatCountOf(streak.count, "run", "runs")}.
    </>
  );
}

function sinceWords(latest: number, runs: readonly ReportRun[]): string {
  const since = runs.filter(({ startTime }) => (timeOf(startTime) ?? 0) > latest).length;
  return since > 0 ? `; ${formatCountOf(since, "run", "runs")} since then` : "";
}

function LastSent({ run, now }: {
  readonly run: ReportRun | null;
  readonly now: number;
}) {
  const at = timeOf(run?.startTime);
  if (!run || at === undefined) return <>No success among the loaded runs.</>;
  const count = countRecipients(run);
  return (
    <>
      {count === 0 ? "Last success" : "Last sent"} <Ago at={at} now={now} />
      {count ? ` to ${formatCountOf(count, "person", "people")}` : ""}.
    </>
  );
}

export function Advice({ code, verdict, scheduleId }: {
  readonly code: ReasonCode;
  readonly verdict: Verdict;
  readonly scheduleId: number;
}): ComponentChildren {
  const { reasons, health: { latest, streak } } = verdict;
  const reason = reasons.find((reason) => reason.code === code);
  if (code === "never-ran" && latest) return null;
  if (code === "late" && isDue(reasons)) return "It may still start. Nothing to do yet.";
  if (code === "unreadable") return "Reload the page, or load more runs below.";
  const [before, linked, after] = adviceParts(code);
  const shown = code === "failing" ? streak?.last.id : reason?.runs[0];
  const href = pageAbout(code, scheduleId) ??
    (shown === undefined ? undefined : runHref(scheduleId, shown));
  return (
    <>
      {before}
      {linked && (href ? <a href={href}>{linked}</a> : linked)}
      {after}
    </>
  );
}

/** The page that the advice links to, unless it is that of a run. */
function pageAbout(code: ReasonCode, scheduleId: number): string | undefined {
  switch (code) {
    case "overdue":
    case "missed":
      return `${scheduleHref(scheduleId)}/plan`;
    case "unknown-status":
      return SERVICE_PATH;
    case "outside-recipient":
    case "leaver-recipient":
    case "recipients-dropped":
    case "sent-to-nobody":
      return recipientsHref(scheduleId);
  }
}
