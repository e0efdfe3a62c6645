/** Outlets: ways to notify people or programs. */
import type { OutletEvent } from "../event.ts";

export const OUTLETS = ["webhook", "alertmanager", "mail"] as const;

/** How long each kind collects messages to send together, in milliseconds. */
export const COLLECT_MS = {
  webhook: 2000,
  alertmanager: 0,
  mail: 5000,
  slack: 2000,
  teams: 2000,
} as const;

/** How long any outlet may take to send a message, in milliseconds. */
export const LONGEST_SEND_MS = 30_000;

export interface Message {
  /** The same for each attempt. */
  readonly id: string;
  readonly event: OutletEvent;
  /** Whether quiet hours held it, so that it is part of a digest. */
  readonly isHeld?: boolean;
}

export interface Outlet {
  /** Its kind, or the id of an owner's channel. */
  readonly name: string;
  /** Differs for another receiver, without saying where it is. */
  readonly receiver?: string;
  /** Events for which this is equal become one message, with the first one's id at each attempt. */
  readonly groupOf: (event: OutletEvent) => string;
  readonly collectMs: number;
  /**
   * Sends messages, all or none. Returns whom they did not reach, as a sentence, if it is known that
   * they did not reach everybody.
   *
   * @throws {OutletError} If the receiver did not accept them.
   */
  send(messages: readonly Message[], now: number): Promise<string | void>;
  /** Repeats what is open or was resolved lately, for receivers that keep only the latest state. */
  repeat?(events: readonly OutletEvent[], now: number): Promise<void>;
}

const MOST_LISTED = 20;

export function listed(messages: readonly Message[]) {
  const shown = messages.slice(0, MOST_LISTED);
  return { shown, others: messages.length - shown.length };
}

export function pageOfAll([{ event }]: readonly Message[]): string {
  return new URL("/incidents", event.data.url).href;
}

/** Thrown if a receiver did not accept a message. It contains no address and no secret. */
export class OutletError extends Error {
  override readonly name = "OutletError";
  constructor(
    message: string,
    /** How long the receiver wants to be left alone, in milliseconds. */
    readonly retryAfterMs: number = 0,
  ) {
    super(message);
  }
}
