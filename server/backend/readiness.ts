/** Whether the backend can be reached: asked for now and then, however often one wants to know. */
import type { Log } from "../log/log.ts";
import { reasonOf } from "../log/log_problem.ts";

/** Knows whether the backend can be reached. */
export interface Readiness {
  isReady(): Promise<boolean>;
  /** Says from now on that it can't, because the program is ending. */
  end(): void;
}

/** How the backend is asked, in milliseconds. */
export interface ReadinessOptions {
  readonly log: Log;
  /** How long an answer holds. */
  readonly keptMs?: number;
  /** How long the backend may take. */
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/**
 * Asks by `reach`, which rejects when the backend is away. Who asks meanwhile waits for the same
 * answer; the log tells only of changes.
 */
export function createReadiness(
  reach: (signal: AbortSignal) => Promise<unknown>,
  { log, keptMs = 5000, timeoutMs = 2000, now = () => performance.now() }: ReadinessOptions,
): Readiness {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  let wasReady = true;
  let hasEnded = false;

  async function ask(): Promise<boolean> {
    const fault = await faultOf(reach, timeoutMs);
    const isReady = fault === null;
    if (!isReady && wasReady) log.warn("The backend cannot be reached", { reason: fault });
    if (isReady && !wasReady) log.info("The backend can be reached again");
    wasReady = isReady;
    return isReady;
  }

  return {
    async isReady() {
      if (!asked || now() - asked.at >= keptMs) asked = { at: now(), answer: ask() };
      return await asked.answer && !hasEnded;
    },
    end: () => void (hasEnded = true),
  };
}

/** Why the backend was not reached in time; null when it was. */
async function faultOf(
  reach: (signal: AbortSignal) => Promise<unknown>,
  timeoutMs: number,
): Promise<string | null> {
  const late = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    resolve(`no answer within ${timeoutMs} ms`);
    late.abort();
  }, timeoutMs);
  try {
    return await Promise.race([promise, reach(late.signal).then(() => null, reasonOf)]);
  } finally {
    clearTimeout(timer);
  }
}
