/** The service behind Docket, embedded or upstream. */
import type { Backend } from "../../lib/client/backend.ts";
import type { RequestLog } from "../log/log.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import type { BackendOf } from "./backend_calls.ts";
import type { JsonAnswer, Store } from "../store/store.ts";

export type BackendKind = "embedded" | "upstream";

/** The request on whose behalf the service is called. */
export interface Caller {
  /** Names the request to an upstream, as in the log. */
  readonly requestId: string;
  readonly log: RequestLog;
  /** Which timeouts hold: those of a page, or those of a download. Default: a page's. */
  readonly timeouts?: "page" | "download";
}

export interface TokenHolder {
  /** The name for which the token was made; null if that is not known. */
  readonly name: string | null;
}

export interface Service {
  readonly kind: BackendKind;
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
  /** The backend that answers with JSON; null with an upstream, whose rows have to be checked. */
  jsonFor(caller: Caller): BackendOf<JsonAnswer, JsonAnswer> | null;
  /**
   * Who holds a developer token; null if the service does not accept it. With an upstream, this is one
   * cheap call.
   *
   * @throws when the upstream could not be reached
   */
  holderOf(token: string, caller: Caller, signal?: AbortSignal): Promise<TokenHolder | null>;
  /**
   * Counts one request of a token; nothing without `RATE_LIMIT`.
   *
   * @throws {ProblemError} when the limit is exceeded, with the time to wait
   */
  countRequest(token: string): Promise<void>;
  /** Makes a trivial call; rejects when there is no answer. */
  reach(signal: AbortSignal): Promise<unknown>;
  /**
   * Opens the embedded service's database unless it is open; does nothing with an upstream. Requests
   * that need it open it too.
   *
   * @throws {ProblemError} when it can't be used, or not yet
   */
  open(): Promise<void>;
  close(): Promise<void>;
}
