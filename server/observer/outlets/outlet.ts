/** What an outlet is: a way to notify people or programs. */
import type { OutletEvent } from "../event.ts";

/** The outlets that incidents go to, by the names that the ledger and the metrics use. */
export const OUTLETS = ["webhook", "alertmanager", "mail"] as const;
export type OutletName = typeof OUTLETS[number];

/** Something to send. */
export interface Message {
  /** The same at each attempt. */
  readonly id: string;
  readonly event: OutletEvent;
}

/** A way to notify people or programs. */
export interface Outlet {
  readonly name: OutletName;
  /** The most events that one call of `send` takes. */
  readonly mostAtOnce: number;
  /**
   * What events have in common that become one message, for receivers that know messages by their
   * ids: the first event's id stands for all of them, at each attempt. Without it, whatever is due is
   * sent together.
   */
  readonly groupOf?: (event: OutletEvent) => string;
  /** How long messages are collected before they are sent together, in milliseconds. */
  readonly collectMs: number;
  /** Whether the receiver keeps a state, so that only the last change of an incident counts. */
  readonly keepsState?: boolean;
  /**
   * Sends messages, all or none.
   *
   * @throws {OutletError} when the receiver did not take them
   */
  send(messages: readonly Message[], now: number): Promise<void>;
  /** Says again which incidents are open, for receivers that forget. */
  repeat?(open: readonly OutletEvent[], now: number): Promise<void>;
}

/** Thrown when a receiver did not take what was sent. The message holds no address and no secret. */
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
