/** What a failed poll means: whose failure it is, when it is an incident, and when to ask again. */
import { findKnownCause } from "../../lib/client/transport/root_cause.ts";
import { type AnyDocketError, isDocketError } from "../../lib/errors.ts";
import { MINUTE, SECOND } from "../../lib/time_units.ts";
import { errorStatus } from "../backend/service.ts";
import { DatabaseError } from "../store/database/database.ts";
import type { LeasedWatch } from "../store/records/polls.ts";
import type { FailureKind } from "../store/records/watches.ts";
import { JudgingError } from "./judging/judging.ts";
import { findStaleFailure, StaleAnswerError } from "./service_access.ts";

/** A failed poll. Its words don't quote the service. */
export interface ReadFailure {
  readonly kind: FailureKind;
  readonly words: string;
  /** The status that the service answered with; null if it gave none. */
  readonly status: number | null;
  /** The ids of the runs that a stale answer lacks, such as `7,9`; empty for none, else null. */
  readonly lacked: string | null;
}

interface Kind {
  readonly code: "unreadable" | "stale";
  /** `unknown`: the schedule's where others can be read, otherwise the service's. */
  readonly about: "service" | "schedule" | "unknown";
  /** After how many failures in a row it is an incident, or how long after the first of its kind. */
  readonly after: { readonly failures: number } | { readonly ms: number };
  /** When to ask again; null for the usual time. */
  readonly againMs: number | null;
}

export const KINDS = {
  /** 401: the token is refused, whatever it asks for. */
  token: { code: "unreadable", about: "service", after: { failures: 1 }, againMs: null },
  /** 403, 409: about this schedule, until another one is refused as well. */
  refused: { code: "unreadable", about: "schedule", after: { failures: 1 }, againMs: null },
  /** 404: as if refused, since services answer so to hide what a token may not read. */
  missing: { code: "unreadable", about: "schedule", after: { failures: 1 }, againMs: null },
  /** 5xx, timeouts, HTML, broken JSON: one alone often passes. */
  broken: { code: "unreadable", about: "unknown", after: { failures: 2 }, againMs: null },
  /** The history can't be judged in time, and others can. */
  unjudged: { code: "unreadable", about: "schedule", after: { failures: 2 }, againMs: null },
  /** An answer from before, as caches and replicas give them for a while. */
  stale: { code: "stale", about: "service", after: { ms: 5 * MINUTE }, againMs: 30 * SECOND },
} as const satisfies Readonly<Record<FailureKind, Kind>>;

/**
 * Null if nothing failed: the service asks to wait, or no worker had time to judge.
 *
 * @throws The error itself if it is neither about the service nor about judging.
 */
export function readFailure(error: unknown): ReadFailure | null {
  if (error instanceof DatabaseError) throw error;
  const status = errorStatus(error);
  const stale = findStaleFailure(error);
  if (stale !== null) {
    const runs = error instanceof StaleAnswerError ? error.runs : [];
    return { kind: "stale", words: stale, status, lacked: runs.join() };
  }
  if (error instanceof JudgingError) {
    const words = "The history could not be judged";
    return error.isUntried ? null : { kind: "unjudged", words, status, lacked: null };
  }
  if (status === 429) return null;
  const kind = KIND_BY_STATUS[status ?? 0] ?? "broken";
  const words = status === null ? faultWords(error) : statusWords(status);
  return { kind, words, status, lacked: null };
}

/** Whether a failure that comes after those of a watch is an incident. */
export function isIncident(
  { kind }: ReadFailure,
  { failures, failingSince, failureKind: before }: LeasedWatch,
  at: number,
): boolean {
  const { after } = KINDS[kind];
  if ("ms" in after) return at - (failingSince ?? at) >= after.ms;
  // A stale answer was an answer: what fails after it has failed once.
  const inARow = before === "stale" ? 1 : failures + 1;
  return inARow >= after.failures;
}

/** Whether the service refused what was asked for: a schedule, or by 404 that there is one. */
export function isRefusal(kind: FailureKind | null): boolean {
  return kind === "refused" || kind === "missing";
}

const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: "token",
  403: "refused",
  404: "missing",
  409: "refused",
};

const FAULTS: Readonly<Record<string, string>> = {
  timeout: "The service did not answer in time",
  network: "The service could not be reached",
  shape: "The service's answer is not a history",
  stalled:
    "The service does not return the rest of the history: it ignores skip, or repeats itself",
};

function statusWords(status: number): string {
  if (status === 401) return "The service refused OBSERVER_TOKEN (status 401)";
  if (status === 403) return "The service does not let OBSERVER_TOKEN read it (status 403)";
  if (status === 404) return "The service has no such schedule, or hides it (status 404)";
  return `The service answered with status ${status}`;
}

function faultWords(error: unknown): string {
  if (!isDocketError(error)) throw error;
  const fault = FAULTS[error.kind] ?? "The request to the service failed";
  const cause = fault === FAULTS.network ? findKnownCause(error) : wrongField(error);
  return fault + (cause && `: ${cause}`);
}

/** Which field of an answer is wrong and what it must be, such as `endTime must be a date-time, …`. */
function wrongField(error: AnyDocketError): string {
  if (error.kind !== "shape" || !error.path) return "";
  const [, rule = "is wrong"] = / of the answer (must be .*)$/s.exec(error.message) ?? [];
  return `${error.path.replace(/\[\d+\]/g, "").replace(/^\./, "")} ${rule}`;
}
