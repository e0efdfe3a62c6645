/**
 * One service behind Docket, the embedded one or an upstream: what each does in its own way.
 */
import type { Backend } from "../../lib/backend.ts";
import type { RequestLog } from "../log/log.ts";
import type { Store } from "../store/store.ts";

/** Where the data comes from. */
export type BackendKind = "embedded" | "upstream";

/** Who asks the service: the request whose answer needs it. */
export interface Caller {
  /** Names the request to an upstream, as in the log. */
  readonly requestId: string;
  /** The log of the request. */
  readonly log: RequestLog;
  /** Who waits: a person for a page, or a download. Default: a page. */
  readonly timeouts?: "page" | "download";
}

/** The service that answers searches and histories. */
export interface Service {
  readonly kind: BackendKind;
  /** Tells this service from others: a session belongs to one service. */
  readonly identity: string;
  /** The embedded service's storage; null with an upstream. */
  readonly store: Store | null;
  /** The embedded service's own developer token; null with an upstream, whose tokens are its own. */
  readonly embeddedToken: string | null;
  /** The backend as the bearer of a developer token sees it. */
  backendFor(token: string, caller: Caller): Backend;
  /**
   * Whether the service accepts a developer token. An upstream is asked by one cheap call.
   *
   * @throws when the upstream could not be asked
   */
  accepts(token: string, caller: Caller, signal?: AbortSignal): Promise<boolean>;
  /**
   * Counts one request of a token; nothing without `RATE_LIMIT`.
   *
   * @throws {ProblemError} when it was one too many, with the time to wait
   */
  countRequest(token: string): Promise<void>;
  /** Asks for something trivial; rejects where there is no answer. */
  reach(signal: AbortSignal): Promise<unknown>;
  /**
   * Opens the embedded service's database where it is not open yet; nothing with an upstream. Every
   * request that needs it does the same.
   *
   * @throws {ProblemError} when it can't be used, or not yet
   */
  open(): Promise<void>;
  close(): Promise<void>;
}
