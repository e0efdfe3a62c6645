/** Why a schedule needs attention. */
export interface Reason {
  /** What is wrong, as a code. */
  readonly code:
    | "failing"
    | "overdue"
    | "missed"
    | "late"
    | "stuck"
    | "started-by-hand"
    | "unknown-status"
    | "outside-recipient"
    | "leaver-recipient"
    | "sent-twice"
    | "recipients-dropped"
    | "sent-to-nobody"
    | "empty-delivery"
    | "size-jump"
    | "slower"
    | "flaky"
    | "clock"
    | "inconsistent"
    | "unread"
    | "never-ran";
  /** How much it matters. */
  readonly severity: "critical" | "warning" | "info";
  /** Since when it holds, in milliseconds since 1970, or null if unknown. */
  readonly since: number | null;
  /** Ids of the runs that show it, newest first, at most 20. */
  readonly runs: readonly number[];
  /** The numbers behind it. */
  readonly evidence: Readonly<Record<string, number | string | boolean | null>>;
}

export type ReasonCode = Reason["code"];

/** A reason names at most this many runs. */
export const MAX_NAMED_RUNS = 20;

/** Whether a schedule with these reasons is down: it is failing or overdue. */
export function saysDown(reasons: readonly Pick<Reason, "code">[]): boolean {
  return reasons.some(({ code }) => code === "failing" || code === "overdue");
}
