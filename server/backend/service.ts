/** The service behind Docket, embedded or upstream. */
import type { Backend } from "../../lib/client/backend.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import type { CountUse } from "../store/limit.ts";
import type { Store } from "../store/store.ts";
import { isDocketError } from "../../lib/errors.ts";

/** The request on whose behalf the service is called. */
export interface Caller {
  /** Names the request to an upstream, as in the log. */
  readonly requestId: string;
  /** Which timeouts hold: those of a page, or those of a download. Default: a page's. */
  readonly timeouts?: "page" | "download";
}

export interface Service {
  readonly kind: "embedded" | "upstream";
  /** Identifies the service: a session belongs to one service. */
  readonly identity: string;
  /** The embedded service's storage; null with an upstream. */
  readonly store: Store | null;
  /** The observer's records; null if there is no lasting storage. */
  readonly records: ObserverRecords | null;
  /** The embedded service's own developer token; null with an upstream, whose tokens are its own. */
  readonly embeddedToken: string | null;
  /** The backend as the bearer of a developer token sees it. */
  backendFor(token: string, caller: Caller): Backend;
  /**
   * Who holds a developer token; null if the service does not accept it. The name may not be known.
   * With an upstream, this is one cheap call. @throws when the upstream could not be reached
   */
  holderOf(
    token: string,
    caller: Caller,
    signal?: AbortSignal,
  ): Promise<{ readonly name: string | null } | null>;
  /** Counts a request, if the requests of a token are limited. */
  readonly countUse: CountUse;
  /** Makes a trivial call; rejects when there is no answer. */
  reach(signal: AbortSignal): Promise<unknown>;
  /**
   * Opens the embedded service's database unless it is open; requests that need it open it too.
   * @throws {ProblemError} when it can't be used, or not yet
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The status of a service's answer, upstream or embedded; null if the error is not an answer. */
export function errorStatus(error: unknown): number | null {
  if (isDocketError(error)) return error.kind === "http" ? error.status : null;
  const { status } = (error as { problem?: { status?: unknown } }).problem ?? {};
  return typeof status === "number" ? status : null;
}
