/** A database that is opened when first needed, and reopened after an error or when its file changes. */
import { systemRuntime, within } from "../../lib/client/transport/runtime.ts";
import { DatabaseError } from "./database_error.ts";
import type { System } from "./database/sql.ts";
import { type Engine, engineThrough, type OpenEngine } from "./engine.ts";

/** How long a call waits for the database to open: longer than a connection may take to fail. */
const OPEN_TIMEOUT_MS = 6000;
/** The pause after the first failed attempt; doubled after each further one. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

export function reconnectingEngine(
  openEngine: () => Promise<OpenEngine>,
  { system = "sqlite", onRecovered = () => {}, now = () => performance.now() }: {
    readonly system?: System;
    readonly onRecovered?: () => void;
    readonly now?: () => number;
  } = {},
): Engine & { open(): Promise<void> } {
  let engine: OpenEngine | undefined;
  let openedAt = 0;
  let isClosed = false;
  let opening: Promise<OpenEngine> | undefined;
  let failure: { readonly error: unknown; readonly until: number; readonly pause: number } | null =
    null;

  async function attempt(): Promise<OpenEngine> {
    try {
      engine = await openEngine();
      openedAt = now();
      if (failure) onRecovered();
      failure = null;
      return engine;
    } catch (error) {
      const pause = failure ? Math.min(failure.pause * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
      failure = { error, until: now() + pause, pause };
      throw error;
    } finally {
      opening = undefined;
    }
  }

  async function current(): Promise<OpenEngine> {
    if (isClosed) throw new DatabaseError("unreachable", "", "Docket is stopping");
    if (engine?.isStale()) await discard(engine);
    if (engine) return engine;
    // One attempt for all callers, and none during the pause after a failure.
    if (!opening && failure && now() < failure.until) throw failure.error;
    const advice = "its schema is being changed, or it does not answer";
    const late = () => new DatabaseError("opening", "", advice);
    const { setTimer } = systemRuntime();
    return await within(() => opening ??= attempt(), OPEN_TIMEOUT_MS, setTimer, undefined, late);
  }

  async function discard(gone: OpenEngine): Promise<void> {
    if (engine !== gone) return;
    engine = undefined;
    // Closing a file that is gone or damaged may fail.
    await gone.close().catch(() => {});
  }

  const calls = engineThrough(system, async (call) => {
    const used = await current();
    try {
      return await call(used);
    } catch (error) {
      // The file may have been restored; reopening drops the cached pages.
      const isDamaged = error instanceof DatabaseError && error.kind === "damaged";
      if (isDamaged && now() - openedAt >= LONGEST_PAUSE_MS) await discard(used);
      throw error;
    }
  });

  async function close(): Promise<void> {
    isClosed = true;
    const last = engine ?? await opening?.catch(() => undefined);
    engine = undefined;
    await last?.close();
  }

  return {
    ...calls,
    database: { ...calls.database, close },
    /** Opens the database unless it is open; throws a DatabaseError while it can't be used. */
    open: async () => void await current(),
    close,
  };
}
