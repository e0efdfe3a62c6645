/** The options of judging a schedule, and the verdict. */
import type { Recipient, ReportRun } from "../types.ts";
import type { Durations } from "../runs/durations.ts";
import type { RunHealth } from "../runs/health.ts";
import type { EarlierRuns, Newcomer } from "../runs/outsiders.ts";
import type { StatusDictionary } from "../runs/status.ts";
import type { Trend } from "../runs/trends.ts";
import type { Headline } from "./headline.ts";
import type { PlannedRun } from "./planned_runs.ts";
import type { Plan } from "./plans/plan.ts";
import type { Reason } from "./reason.ts";
import { type JudgedSlots, type Pause, type Slot, slotAt, type SlotOutcome } from "./slots.ts";

/** How a schedule is judged. */
export interface JudgeOptions {
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  /** What each status means. */
  readonly statuses: StatusDictionary;
  /**
   * The plans that people confirmed, in their order: each judges the planned runs from its `since` to
   * that of the next one. Runs before the first are judged by plans inferred from them.
   */
  readonly plans?: readonly Plan[];
  /** Times when no run is expected, so nothing is missed or overdue. */
  readonly pauses?: readonly Pause[];
  /** How much later than they start runs may be listed, in milliseconds: added to the grace. */
  readonly listingDelayMs?: number;
  /** Days such as `2026-12-25` in the plan's zone, from a calendar: excused as a whole. */
  readonly calendar?: readonly string[];
  /** What people decided about a recipient, a domain or a change. */
  readonly decisions?: readonly (
    & {
      /** Recipients that are not expected are reported as if nobody had decided. */
      readonly expected: boolean;
      /** When it ends, in milliseconds since 1970; null if it has no end. */
      readonly until: number | null;
    }
    & (
      /** By user id, or by address where runs name no user id. */
      | { readonly kind: "recipient"; readonly recipient: Recipient }
      /** Such as `partner.example`. */
      | { readonly kind: "domain"; readonly domain: string }
      /** A new size, duration or number of recipients, or no content; `run` is `first` in its reason. */
      | { readonly kind: "level"; readonly run: number }
    )
  )[];
  /** Who left, by user id or address, and the end of their last day, in milliseconds since 1970. */
  readonly leavers?: readonly { readonly recipient: Recipient; readonly left: number }[];
  /**
   * The domains of the house, such as `example.com`: other recipients are outside. By default, the
   * domain of most recipients of these runs.
   */
  readonly inside?: readonly string[];
  /** What is known of the schedule's runs before these; by default, there are none. */
  readonly before?: EarlierRuns;
  /** IANA name of the reader's zone; an inferred plan is in this zone if that explains the runs. */
  readonly zone?: string;
}

/** The verdict on a schedule. */
export interface Verdict {
  /**
   * `up`: it runs. `late`: due, within its grace. `down`: failing or overdue now.
   * `unknown`: too little is known. `new`: it never ran. {@linkcode headline} says more.
   */
  readonly state: "up" | "late" | "down" | "unknown" | "new";
  /** How it is doing, in one word: {@linkcode headline}. */
  readonly headline: Headline;
  /** Why it needs attention, most severe first, then newest. */
  readonly reasons: readonly Reason[];
  /** The plan, or null if none is confirmed and none was found. */
  readonly schedule: JudgedPlan | null;
  /** The latest planned runs and what became of each, oldest first, among runs nobody planned. */
  readonly planned: readonly PlannedRun[];
  /** Its last success, since when it fails, how often it succeeds. */
  readonly health: RunHealth<ReportRun>;
  /** How long runs take. */
  readonly durations: Durations<ReportRun>;
  /** How the attachments' size changed. */
  readonly attachmentSize: Trend<ReportRun> | null;
  /** How the email's size changed. */
  readonly emailSize: Trend<ReportRun> | null;
  /** How the number of recipients changed. */
  readonly recipients: Trend<ReportRun> | null;
  /** New recipients from outside. */
  readonly newcomers: readonly Newcomer[];
  /** The statuses of runs that are over which nobody knows, most frequent first. */
  readonly unknownStatuses: readonly { readonly status: string | null; readonly runs: number }[];
  /**
   * When the verdict may change although nothing runs, in milliseconds since 1970; null for never.
   * Before that, only how long something has lasted changes.
   */
  readonly changesAt: number | null;
  /** The judged runs, newest first, each id once. */
  readonly runs: readonly ReportRun[];
}

/** The plan that a schedule is judged by, and what became of its slots. */
export interface JudgedPlan {
  /** The plan. */
  readonly plan: Plan;
  /** Whether a person confirmed it. */
  readonly source: "confirmed" | "inferred";
  /** Slots before the newest run that were not met, newest first, at most 500. */
  readonly missed: readonly Slot[];
  /** Slots after the newest run whose grace is over, newest first, at most 500. */
  readonly overdue: readonly Slot[];
  /** Slots whose run started after the grace, newest first, at most 500. */
  readonly late: readonly Slot[];
  /** When it is due next, in milliseconds since 1970; null if never, or in a pause without an end. */
  readonly next: number | null;
  /** Since when a miss would have shown, and whether enough ran to say that nothing was missed. */
  readonly sees: { readonly since: number; readonly enough: boolean };
  /** How many slots were missed or are overdue, even if the lists are cut. */
  readonly counts: { readonly missed: number; readonly overdue: number };
}

const MAX_SLOTS = 500;
/** Fewer runs don't prove that nothing was missed. */
const ENOUGH_RUNS = 5;

export function judgedPlan(
  plan: Plan,
  source: JudgedPlan["source"],
  { slots, next, since }: JudgedSlots<ReportRun>,
  { runCount, newerUnread }: { readonly runCount: number; readonly newerUnread: boolean },
): JudgedPlan {
  const of = (outcome: SlotOutcome) =>
    slots.filter((slot) => slot.outcome === outcome).map(({ at }) => at).reverse();
  const missed = of("missed");
  // Newer runs may have met an overdue slot.
  const overdue = newerUnread ? [] : of("overdue");
  const listed = (moments: readonly number[]) => moments.slice(0, MAX_SLOTS).map(slotAt);
  return {
    plan,
    source,
    missed: listed(missed),
    overdue: listed(overdue),
    late: listed(of("late")),
    next,
    sees: {
      since: since ?? plan.since,
      enough: since !== null && (source === "confirmed" || runCount >= ENOUGH_RUNS),
    },
    counts: { missed: missed.length, overdue: overdue.length },
  };
}
