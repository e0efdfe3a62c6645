import type { ReportRun } from "../types.ts";

/**
 * Why a schedule needs attention, or the service that it is read from. `code` says what is wrong, and
 * which further members there are. Times are milliseconds since 1970, sizes bytes, and what ends in
 * `Ms` milliseconds. `first` is the id of the first run with what is wrong.
 *
 * @example
 * ```ts
 * import type { Reason } from "@docket/docket";
 *
 * const domains = (reasons: readonly Reason[]) =>
 *   reasons.flatMap((reason) => reason.code === "outside-recipient" ? reason.domain : []);
 * console.log(domains([]));
 * ```
 */
export type Reason =
  & {
    /** How much it matters. What is merely information, such as a late run, is `info`. */
    readonly severity: "critical" | "warning" | "info";
    /**
     * What it is about, among the reasons of its code: when the first run of a gap was due, the first
     * run of a streak, a domain, a size, the run that is stuck; empty for the schedule as a whole.
     */
    readonly subject: string;
    /** Since when it holds, or null if unknown. */
    readonly since: number | null;
    /** Ids of the runs that show it, newest first, at most 20. */
    readonly runs: readonly number[];
  }
  & (
    /** The newest runs failed; `lastGood` is the start of the last success, or null if unknown. */
    | { readonly code: "failing"; readonly count: number; readonly lastGood: number | null }
    /** The grace of `count` planned runs is over, from `due` to `latest`; none started since. */
    | {
      readonly code: "overdue";
      readonly due: number;
      readonly latest: number;
      readonly count: number;
    }
    /** The same, but a later one started. */
    | {
      readonly code: "missed";
      readonly due: number;
      readonly latest: number;
      readonly count: number;
    }
    /** The newest planned run is `due` and has not started; where that is null, `count` runs were late. */
    | {
      readonly code: "late";
      readonly due: number | null;
      readonly lateMs: number;
      readonly count: number;
    }
    /** A run that started then goes on for much longer than runs usually take. */
    | { readonly code: "stuck"; readonly usualMs: number }
    /** This many `of` the last planned runs were started by people. */
    | { readonly code: "started-by-hand"; readonly count: number; readonly of: number }
    /** The newest runs ended with statuses that nobody knows, the last one with `status`. */
    | {
      readonly code: "unknown-status";
      readonly status: string;
      readonly statuses: readonly string[];
      readonly count: number;
      /** Null in a verdict. In an incident of the service, the first schedule, and how many do. */
      readonly of: {
        readonly scheduleId: number;
        readonly name: string;
        readonly schedules: number;
      } | null;
    }
    /** Planned runs in a row went out several times, the newest so many `times`. */
    | {
      readonly code: "sent-twice";
      readonly first: number;
      readonly count: number;
      readonly latest: number;
      readonly times: number;
      readonly people: number | null;
    }
    /** So many addresses at a domain outside receive it; `newest` is when the last of them came. */
    | {
      readonly code: "outside-recipient";
      readonly domain: string;
      readonly count: number;
      readonly newest: number;
      /** The inside domain that the domain looks like. */
      readonly resembles: string | null;
    }
    /** So many who left receive it; `newest` is when the last of them was first listed. */
    | {
      readonly code: "leaver-recipient";
      readonly count: number;
      readonly newest: number;
    }
    | {
      readonly code: "recipients-dropped";
      readonly first: number;
      readonly count: number;
      readonly before: number;
      readonly after: number;
    }
    | { readonly code: "sent-to-nobody"; readonly first: number; readonly count: number }
    /** The fields that are `gone`, or one size that is `almost` nothing. */
    | {
      readonly code: "empty-delivery";
      readonly first: number;
      readonly count: number;
      readonly gone: readonly ("cardCount" | "attachmentCount" | "attachmentSize" | "emailSize")[];
      readonly almost: {
        readonly field: "attachmentSize" | "emailSize";
        readonly before: number;
        readonly after: number;
      } | null;
    }
    | {
      readonly code: "size-jump";
      readonly field: "attachmentSize" | "emailSize";
      readonly first: number;
      readonly count: number;
      readonly before: number;
      readonly after: number;
    }
    /** Runs take longer; `slowly` if that came about over many runs. */
    | {
      readonly code: "slower";
      readonly slowly: boolean;
      readonly first: number;
      readonly count: number;
      readonly before: number;
      readonly after: number;
    }
    /** `failed` of the last planned runs did; `rerun` of those went out, as a person ran them again. */
    | {
      readonly code: "flaky";
      readonly failed: number;
      readonly of: number;
      readonly rerun: number;
    }
    /** Impossible times in runs; or `offsetMs`, by which the service's clock is ahead of this one. */
    | {
      readonly code: "clock";
      readonly offsetMs: number;
      readonly impossibleStarts: number;
      readonly endsBeforeStart: number;
    }
    | { readonly code: "never-ran" }
    /** It can't be read, and why; null if just newer runs could not be loaded. */
    | { readonly code: "unreadable"; readonly failure: string | null }
    /** Of the service: its answers are older than earlier ones. */
    | { readonly code: "stale"; readonly failure: string }
    /** Of the service: polls are late by so much. */
    | { readonly code: "behind"; readonly lateMs: number }
    /** Of Docket: channels that can't send, by id and in words. */
    | {
      readonly code: "channel-failing";
      readonly channels: readonly string[];
      readonly names: readonly string[];
    }
  );

/** Members of reasons that are times. */
export const TIMES: readonly string[] = ["since", "due", "lastGood", "latest", "newest"];

export type ReasonCode = Reason["code"];

/** The reason of one code. */
export type ReasonOf<Code extends ReasonCode> = Extract<Reason, { readonly code: Code }>;

/** Changes of size, duration or recipients, which people may expect: known by their first run. */
export const LEVELS = [
  "size-jump",
  "slower",
  "recipients-dropped",
  "sent-to-nobody",
  "empty-delivery",
] as const satisfies readonly ReasonCode[];

export function hasLevel({ code }: { readonly code: ReasonCode }): boolean {
  return (LEVELS as readonly ReasonCode[]).includes(code);
}

/** A reason names at most this many runs, the newest. */
export const MAX_NAMED_RUNS = 20;

/** What a reason says of the runs that show it, which are sorted, oldest first. */
export function shownBy(
  runs: readonly { readonly run: Pick<ReportRun, "id">; readonly time: number }[],
  subject = "",
): Pick<Reason, "subject" | "since" | "runs"> {
  const named = runs.slice(-MAX_NAMED_RUNS).map(({ run }) => run.id).reverse();
  return { subject, since: runs[0]?.time ?? null, runs: named };
}

/** Whether the newest planned run is due, but not yet overdue: it may start, or be listed. */
export function isDue(reasons: readonly Reason[]): boolean {
  return reasons.some((reason) => reason.code === "late" && reason.due !== null);
}

/** Whether pages say a reason. Of what is only information, they say what is new or due now. */
export function isShown(reason: Reason): boolean {
  return reason.severity !== "info" || reason.code === "never-ran" || isDue([reason]);
}

/** Whether a schedule with these reasons is down: it is failing or overdue. */
export function saysDown(reasons: readonly Pick<Reason, "code">[]): boolean {
  return reasons.some(({ code }) => code === "failing" || code === "overdue");
}
