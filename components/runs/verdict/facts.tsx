/** Five facts of a schedule: what was sent, when it started, how long it takes, its size, who gets it. */
import { useContext } from "preact/hooks";
import {
  formatBytes,
  formatChange,
  formatCount,
  formatCountOf,
  formatDuration,
} from "../../../lib/format.ts";
import type { PlannedOutcome, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { isShown, type Reason, type ReasonCode } from "../../../lib/judgement/reason.ts";
import { countRecipients } from "../../../lib/runs/recipients.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import { DAY } from "../../../lib/time_units.ts";
import { Now } from "../../ui/moment.tsx";
import { FactRow, type ShownFact } from "../../ui/section.tsx";
import { formatPercent, Statuses } from "../run_words.tsx";
import { recipientsHref } from "../run_links.tsx";
import { reasonMark } from "./state_badge.tsx";

export function Facts({ verdict, scheduleId, olderUnread }: {
  readonly verdict: Verdict;
  readonly scheduleId: number;
  /** Whether there may be runs before those of the verdict. */
  readonly olderUnread: boolean;
}) {
  const now = useContext(Now);
  const statuses = useContext(Statuses);
  const { reasons } = verdict;
  const about = (...codes: readonly ReasonCode[]) => {
    const reason = reasons.find((reason) => codes.includes(reason.code) && isShown(reason));
    return reason && { tone: reasonMark(reason)[1] };
  };
  return (
    <FactRow
      facts={[
        {
          ...sent(verdict, statuses, olderUnread, now),
          ...about("failing", "flaky", "started-by-hand", "stuck", "sent-twice"),
        },
        { ...onTime(verdict), ...about("overdue", "missed") },
        { ...duration(verdict), ...about("slower") },
        { ...size(verdict), ...about("size-jump", "empty-delivery") },
        {
          ...recipients(verdict, scheduleId),
          ...about("outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"),
        },
      ]}
    />
  );
}

const LATELY_DAYS = 30;

function sent(
  { runs, health }: Verdict,
  statuses: StatusDictionary,
  olderUnread: boolean,
  now: number,
): ShownFact {
  const { counts, successRate } = health;
  const since = now - LATELY_DAYS * DAY;
  const lately = runs.filter(({ startTime }) => timeOf(startTime)! > since)
    .map(({ status }) => meaningOf(status, statuses));
  const good = lately.filter((meaning) => meaning === "good").length;
  const ended = good + lately.filter((meaning) => meaning === "bad").length;
  const all = formatCountOf(counts.good + counts.bad, "run", "runs");
  // Of a run every 5 minutes, the newest 1,000 are of four days.
  const isCut = olderUnread && !runs.some(({ startTime }) => timeOf(startTime)! <= since);
  return {
    name: isCut ? "Sent, newest runs" : `Sent, last ${LATELY_DAYS} days`,
    value: ended === 0 ? "none" : `${formatCount(good)} of ${formatCount(ended)}`,
    note: listed(
      successRate !== null && `${formatPercent(successRate)} of ${olderUnread ? "" : "all "}${all}`,
      counts.unknown > 0 && `${formatCount(counts.unknown)} with an unknown status`,
    ),
  };
}

const STARTED: ReadonlySet<PlannedOutcome> = new Set(["met", "failed", "other", "running"]);
const NOT_ON_TIME = ["late", "missed", "overdue", "by-hand"] as const;

/** How many of the latest planned runs, which the chart shows, started on time. */
function onTime({ planned, schedule, health }: Verdict): ShownFact {
  const name = "Started on time";
  if (!schedule) {
    const runs = formatCountOf(health.count, "run shows", "runs show");
    return { name, value: "unknown", note: `${runs} no plan` };
  }
  if (!schedule.sees.enough) return { name, value: "unknown", note: "too few runs" };
  // What started late may have failed.
  const late = new Set(schedule.late.map(({ at }) => at));
  const count = (wanted: PlannedOutcome) =>
    planned.filter(({ at, outcome }) => (late.has(at) ? "late" : outcome) === wanted).length;
  const met = planned.filter(({ at, outcome }) => STARTED.has(outcome) && !late.has(at)).length;
  const others = NOT_ON_TIME.map((outcome) => [outcome, count(outcome)] as const)
    .filter(([, count]) => count > 0);
  const all = others.reduce((sum, [, count]) => sum + count, met);
  return {
    name,
    value: `${formatCount(met)} of ${formatCount(all)}`,
    note: others.length === 0
      ? "of the latest planned runs"
      : others.map(([outcome, count]) => `${formatCount(count)} ${outcome.replace("-", " ")}`)
        .join(", "),
  };
}

function duration({ durations: { p50, p95, spread, outliers } }: Verdict): ShownFact {
  return {
    name: "Usually takes",
    value: p50 === null ? "unknown" : formatDuration(p50),
    note: listed(
      p95 !== null && `95 % within ${formatDuration(p95)}`,
      spread !== null && outliers.length > 0 &&
        formatCountOf(outliers.length, "unusual run", "unusual runs"),
    ),
  };
}

/** The attachments' size, or the email's if there are none or that is what changed. */
function size({ attachmentSize, emailSize, reasons }: Verdict): ShownFact {
  const isEmail = attachmentSize === null || reasons.some(isAboutEmail);
  const [name, trend] = isEmail && emailSize
    ? ["Email size", emailSize] as const
    : ["Attachments", attachmentSize] as const;
  if (!trend) return { name, value: "unknown", note: "too few are known" };
  const jump = reasons.find((reason) => reason.code === "size-jump");
  const { before, after } = jump ?? { before: trend.first, after: trend.last };
  const isSteady = Math.abs(after - before) < before / 10;
  return {
    name,
    value: formatBytes(after),
    note: isSteady
      ? "usually, as before"
      : `${formatBytes(before)} before, ${formatChange(before, after)}`,
  };
}

function isAboutEmail(reason: Reason): boolean {
  if (reason.code === "size-jump") return reason.field === "emailSize";
  if (reason.code !== "empty-delivery") return false;
  const { almost, gone } = reason;
  return almost ? almost.field === "emailSize" : gone.length === 1 && gone[0] === "emailSize";
}

function recipients(
  { recipients: trend, newcomers, health: { latest } }: Verdict,
  scheduleId: number,
): ShownFact {
  // Of an even number of runs, a median may lie between two numbers.
  const [before, last] = [trend?.first, trend?.last].map((median) => median && Math.round(median));
  const count = countRecipients(latest) ?? last;
  return {
    name: "Recipients",
    value: count === undefined ? "unknown" : formatCount(count),
    note: (
      <>
        {before !== undefined && before !== count && `${formatCount(before)} before, `}
        <a href={recipientsHref(scheduleId)}>
          {newcomers.length > 0 ? `${formatCount(newcomers.length)} new outside` : "All recipients"}
        </a>
      </>
    ),
  };
}

function listed(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(", ");
}
