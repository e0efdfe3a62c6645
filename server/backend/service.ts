/** The service whose data Docket shows, embedded or upstream. */
import type { Backend } from "../../lib/client/backend.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { Store } from "../store/store.ts";
import { isDocketError } from "../../lib/errors.ts";
import type { Role } from "../auth/role.ts";
import type { SearchAnswers } from "./search_answers.ts";
import type { Tokens } from "../store/records/tokens.ts";

/** The request that needs a call of the service. */
export interface Caller {
  /** Its id in the log, which is also sent to an upstream. */
  readonly requestId: string;
  /** Which timeouts apply. Default: those of a page. */
  readonly timeouts?: "page" | "download" | "check";
  /** Whether it is for a page of Docket, which also finds what an upstream can't search for. */
  readonly isPage?: boolean;
}

/** Whom a token lets in. */
export interface Holder {
  /** The name of a Docket token; null for a token of the service. */
  readonly name: string | null;
  readonly role: Role;
  /** The token with which Docket reads the service for them. */
  readonly serviceToken: string;
}

/** What for: `operation` is one of the two that the service answers, which checks the token itself. */
export type Purpose = "sign-in" | "session" | "call" | "operation";

export interface Service {
  /** Identifies the service: a session belongs to one service. */
  readonly identity: string;
  /** The embedded service's storage; null with an upstream. */
  readonly store: Store | null;
  /** The observer's records; null if there is no lasting storage. */
  readonly records: ObserverRecords | null;
  /** The embedded service's own developer token; null with an upstream. */
  readonly embeddedToken: string | null;
  /** What the answers to searches for file sets have shown. */
  searchAnswers(): SearchAnswers;
  backendFor(token: string, caller: Caller): Backend;
  /** The Docket tokens; null if there is no lasting storage. */
  readonly tokens: Tokens | null;
  /**
   * Whom a token lets in; null if it is not accepted. An upstream is asked for each sign-in (default),
   * and otherwise every five minutes, but not for an operation. If it does not answer then, a session
   * goes on, and the observer's own token still lets in.
   *
   * @throws If the upstream does not say whether it accepts the token
   */
  findHolder(
    token: string,
    caller: Caller,
    options?: { readonly signal?: AbortSignal; readonly purpose?: Purpose },
  ): Promise<Holder | null>;
  /** Makes a trivial call; rejects if there is no answer. */
  reach(signal: AbortSignal): Promise<unknown>;
  /**
   * Opens the database of the embedded service, or of what is watched, unless it is open. Requests
   * that need it also open it.
   * @throws {ProblemError} While it can't be used
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The HTTP status of a service's error, upstream or embedded; null if it did not answer. */
export function errorStatus(error: unknown): number | null {
  if (isDocketError(error)) return error.kind === "http" ? error.status : null;
  const { status } = (error as { problem?: { status?: unknown } }).problem ?? {};
  return typeof status === "number" ? status : null;
}
