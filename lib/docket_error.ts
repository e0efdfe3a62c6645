/** The base class of all errors of this library. */
export abstract class DocketError extends Error {
  /** Which error this is. */
  abstract readonly kind: string;
  /** The attempts, oldest first; empty if nothing was sent. */
  readonly attempts: readonly {
    /** HTTP status, if there was an answer. */
    readonly status?: number;
    /** How long the attempt took, in milliseconds. */
    readonly ms: number;
    /** How long the client waited before the next attempt, in milliseconds; 0 for the last. */
    readonly waitedMs: number;
    /** Why it failed. */
    readonly reason: string;
  }[];
  /** Method and URL of the request, if there was one. */
  declare readonly request?: string;
  /** The request id in the service's answer, if there was one. */
  declare readonly requestId?: string;

  /** Makes the error; the message is a sentence without a full stop. */
  constructor(message: string, { cause, attempts = [], ...details }: Partial<DocketError> = {}) {
    super(message, cause === undefined ? undefined : { cause });
    // Set here, because bundlers can't leave out an unused class that does this in its body.
    Object.defineProperty(this, Symbol.for("docket.error"), { value: true });
    for (const [name, value] of Object.entries(details)) {
      if (value !== undefined) (this as Record<string, unknown>)[name] = value;
    }
    this.attempts = [...attempts];
  }

  /** The error as plain data, for a log: its message, its cause's message and its own fields. */
  toJSON(): Record<string, unknown> {
    const cause = this.cause instanceof Error ? String(this.cause) : this.cause;
    return { ...this as object, message: this.message, cause };
  }
}
