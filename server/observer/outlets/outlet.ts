/** Outlets: ways to notify people or programs. */
import type { OutletEvent } from "../event.ts";
import { parseRetryAfter } from "../../../lib/client/transport/retry.ts";
import { findKnownCause } from "../../../lib/client/transport/root_cause.ts";

export const LONGEST_SEND_MS = 30_000;

export interface Message {
  /** The same for each attempt. */
  readonly id: string;
  readonly event: OutletEvent;
  /** Whether quiet hours held it: it is then part of a digest. */
  readonly isHeld?: boolean;
}

export interface Outlet {
  /** Its kind, or the id of an owner's channel. */
  readonly name: string;
  /** Identifies the receiver without revealing its address. */
  readonly receiver?: string;
  /** Events with the same group become one message, with the first one's id; without it, all do. */
  readonly groupOf?: (event: OutletEvent) => string;
  /**
   * Sends messages, all or none. Returns a sentence on who was not reached, if that is known.
   * @throws {OutletError} If the receiver did not accept them.
   */
  send(messages: readonly Message[], now: number): Promise<string | void>;
  /** Sends incidents again, for receivers that only store the latest state. */
  repeat?(events: readonly OutletEvent[], now: number): Promise<void>;
}

const MAX_LISTED = 20;

export function splitList(messages: readonly Message[]) {
  const listed = messages.slice(0, MAX_LISTED);
  return { listed, others: messages.length - listed.length };
}

export function pageOfAll([{ event }]: readonly Message[]): string {
  return new URL("/incidents", event.data.url).href;
}

/** Thrown if a receiver did not accept a message. It contains no address and no secret. */
export class OutletError extends Error {
  constructor(
    message: string,
    readonly retryAfterMs: number = 0,
  ) {
    super(message);
  }
}

export const RECEIVER_MS = 10_000;

/** The runtime's `fetch`, or another function in tests. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** @throws {OutletError} Unless the status is 2xx. */
export async function post(
  url: string,
  init: RequestInit,
  { send = fetch, timeoutMs = RECEIVER_MS }: {
    readonly send?: Send;
    readonly timeoutMs?: number;
  } = {},
): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const response = await send(url, { ...init, redirect: "manual", signal: late.signal });
    // Only the status matters.
    await response.body?.cancel().catch(() => {});
    const { status, headers } = response;
    if (response.ok) return;
    if (status >= 300 && status < 400) {
      throw new OutletError("The receiver answered with a redirect: set the address it leads to");
    }
    const retryAfterMs = parseRetryAfter(headers.get("retry-after"), Date.now()) ?? 0;
    throw new OutletError(`The receiver answered with status ${status}`, retryAfterMs);
  } catch (error) {
    if (error instanceof OutletError) throw error;
    if (late.signal.aborted) {
      throw new OutletError(`The receiver did not answer within ${timeoutMs / 1000} s`);
    }
    // Does not quote the runtime's message, which has the URL and so may have a secret.
    const cause = findKnownCause(error);
    throw new OutletError(`The receiver could not be reached${cause && `: ${cause}`}`);
  } finally {
    clearTimeout(timer);
  }
}

export function postJson(
  url: string,
  body: unknown,
  send?: Send,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const headers = { "content-type": "application/json", ...more };
  return post(url, { method: "POST", headers, body: JSON.stringify(body) }, { send });
}

export function sendHeartbeat(url: string): Promise<void> {
  return post(url, { method: "GET" });
}
