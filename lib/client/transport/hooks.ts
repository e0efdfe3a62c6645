/** What a client reports about its requests while it works. None of it holds a secret. */
import type { AnyDocketError } from "../../errors.ts";
import type { Drift } from "../walks/walk.ts";

/** A request that is about to be sent. */
export interface RequestInfo {
  /** HTTP method. */
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** Which attempt it is, from 1. */
  readonly attempt: number;
}

/** An answer, whatever its status. */
export interface ResponseInfo extends RequestInfo {
  /** HTTP status. */
  readonly status: number;
  /** The headers under lower-case names, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Time from the sending to the end of the body, in milliseconds. */
  readonly ms: number;
}

/** An attempt that failed and is followed by another. */
export interface RetryInfo extends RequestInfo {
  /** Why it failed. */
  readonly error: AnyDocketError;
  /** How long is waited before the next attempt, in milliseconds. */
  readonly waitMs: number;
}

/** Functions that a client calls while it works. What one of them throws fails the call. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: (request: RequestInfo) => void;
  /** Called after each attempt that brought an answer. */
  readonly onResponse?: (response: ResponseInfo) => void;
  /** Called before the wait for another attempt. */
  readonly onRetry?: (retry: RetryInfo) => void;
  /** Called by each walk that has no `onDrift` of its own. */
  readonly onDrift?: (drift: Drift) => void;
}
