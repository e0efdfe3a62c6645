import { formatBytes, formatCount, formatDuration } from "../../../lib/format.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { durationOf, timeOf } from "../../../lib/runs/times.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { countRecipients } from "../../../lib/runs/recipients.ts";

export interface Measure {
  readonly name: string;
  readonly of: (run: ReportRun) => number | null | undefined;
  readonly format: (value: number) => string;
  /** Round values for the axis; 1, 2, 5, 10 and so on by default. */
  readonly steps?: readonly number[];
  /** Counts have a link at each change, and a linear axis. */
  readonly isCount?: boolean;
}

const TIME_STEPS = [
  ...[1, 2, 5, 10, 20, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * MINUTE),
  ...[1, 2, 5, 10, 24, 48, 100].map((count) => count * HOUR),
];

const MEASURES = {
  duration: {
    name: "Duration",
    of: (run) => {
      const ms = durationOf(run);
      return ms === undefined || ms < 0 ? undefined : ms;
    },
    format: formatDuration,
    steps: TIME_STEPS,
  },
  attachments: {
    name: "Attachment size",
    of: (run) => run.attachmentSize,
    format: formatBytes,
  },
  email: { name: "Email size", of: (run) => run.emailSize, format: formatBytes },
  cards: { name: "Cards", of: (run) => run.cardCount, format: formatCount, isCount: true },
  recipients: {
    name: "Recipients",
    of: countRecipients,
    format: formatCount,
    isCount: true,
  },
} as const satisfies Readonly<Record<string, Measure>>;

export type ChartName = keyof typeof MEASURES | "starts" | "days";

export const CHART_NAMES: readonly ChartName[] = [
  ...["days", "starts"] as const,
  ...Object.keys(MEASURES) as (keyof typeof MEASURES)[],
];

/** What a chart other than the calendar shows. Lateness depends on the plan. */
export function measureOf(
  name: Exclude<ChartName, "days">,
  planned: Verdict["planned"],
): Measure {
  if (name !== "starts") return MEASURES[name];
  const due = new Map(
    planned.flatMap(({ at, outcome, run }) =>
      run === null || outcome.startsWith("extra") ? [] : [[run, at] as const]
    ),
  );
  return {
    name: "Lateness",
    of: (run) => {
      const [at, time] = [due.get(run.id), timeOf(run.startTime)];
      return at === undefined || time === undefined ? undefined : Math.max(0, time - at);
    },
    format: formatDuration,
    steps: TIME_STEPS,
  };
}

const REASONS: Readonly<Partial<Record<ChartName, readonly Reason["code"][]>>> = {
  days: [
    "failing",
    "overdue",
    "missed",
    "flaky",
    "started-by-hand",
    "unknown-status",
    "sent-twice",
  ],
  starts: ["late"],
  duration: ["slower", "stuck"],
  recipients: ["outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"],
};

export function chartOf(reason: Reason): ChartName | null {
  return contentOf(reason) ??
    CHART_NAMES.find((name) => REASONS[name]?.includes(reason.code)) ?? null;
}

/** Which content a reason is about; null if it is about something else. */
export function contentOf(reason: Reason): "attachments" | "email" | "cards" | null {
  if (reason.code === "size-jump") return reason.field === "emailSize" ? "email" : "attachments";
  if (reason.code !== "empty-delivery") return null;
  const { almost, gone } = reason;
  const [only, ...others] = almost ? [almost.field] : gone;
  if (others.length > 0) return "attachments";
  return only === "emailSize" ? "email" : only === "cardCount" ? "cards" : "attachments";
}

/** Whether a reason is about an abrupt change at its `since`, not a drift or single runs. */
export function isChange(
  reason: Reason,
): reason is Reason & { readonly since: number } {
  const chart = chartOf(reason);
  const isOfLevel = reason.code === "slower" ? !reason.slowly : reason.code !== "stuck";
  return reason.since !== null && isOfLevel && chart !== null &&
    !["days", "starts"].includes(chart);
}
