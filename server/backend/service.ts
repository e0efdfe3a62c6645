/** The service whose data Docket shows, embedded or upstream. */
import type { Backend } from "../../lib/client/backend.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import type { CountUse } from "../store/limit.ts";
import type { Store } from "../store/store.ts";
import { isDocketError } from "../../lib/errors.ts";

/** The request that needs a call of the service. */
export interface Caller {
  /** Its id in the log, which is also sent to an upstream. */
  readonly requestId: string;
  /** Whether the timeouts of a page or of a download apply. Default: those of a page. */
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
  /** The embedded service's own developer token; null with an upstream. */
  readonly embeddedToken: string | null;
  backendFor(token: string, caller: Caller): Backend;
  /**
   * The holder of a developer token, whose name may be unknown; null if the service does not accept it.
   * With an upstream, this makes one cheap call. @throws If the upstream can't be reached
   */
  holderOf(
    token: string,
    caller: Caller,
    signal?: AbortSignal,
  ): Promise<{ readonly name: string | null } | null>;
  readonly countUse: CountUse;
  /** Makes a trivial call; rejects if there is no answer. */
  reach(signal: AbortSignal): Promise<unknown>;
  /**
   * Opens the embedded service's database unless it is open. Requests that need it also open it.
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
