/**
 * A database that is opened when it is needed, and again when that failed or what was open is gone.
 *
 * @module
 */

import { DatabaseFault } from "./database_fault.ts";
import type { Batches, Engine, Written } from "./engine.ts";
import type { Limit } from "./limit.ts";

/** A database that opens itself. */
export interface KeptOpen extends Engine {
  /**
   * Opens it where it is not open.
   *
   * @throws {DatabaseFault} when it can't be used, or not yet
   */
  open(): Promise<void>;
}

/** How long who asks waits for the database to be opened: longer than for one that does not answer. */
const PATIENCE_MS = 6000;
/** How long nobody tries again after the first attempt that failed; twice as long after each more. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

/** Keeps a database open, however often it has to be opened for that. */
export function keptOpen(
  openEngine: () => Promise<Engine>,
  { onRecovered = () => {}, now = () => performance.now() }: {
    /** Told when it was opened after attempts that failed. */
    readonly onRecovered?: () => void;
    /** The time in milliseconds. */
    readonly now?: () => number;
  } = {},
): KeptOpen {
  let engine: Engine | undefined;
  let openedAt = 0;
  let isClosed = false;
  let opening: Promise<Engine> | undefined;
  let failure: { readonly error: unknown; readonly until: number; readonly pause: number } | null =
    null;

  async function attempt(): Promise<Engine> {
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

  async function current(): Promise<Engine> {
    if (isClosed) throw new DatabaseFault("away", "", "it was closed, as Docket ends");
    if (engine?.isStale()) await letGo(engine);
    if (engine) return engine;
    // One attempt for all who ask, and none for a while after one that failed.
    if (!opening && failure && now() < failure.until) throw failure.error;
    return await patiently(opening ??= attempt());
  }

  async function letGo(gone: Engine): Promise<void> {
    if (engine !== gone) return;
    engine = undefined;
    // What is gone or damaged may not even close.
    await gone.close().catch(() => {});
  }

  async function use<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const used = await current();
    try {
      return await work(used);
    } catch (error) {
      // Somebody may have restored it; what was read before the damage is still remembered.
      const isDamaged = error instanceof DatabaseFault && error.kind === "damaged";
      if (isDamaged && now() - openedAt >= LONGEST_PAUSE_MS) await letGo(used);
      throw error;
    }
  }

  async function* load(batches: Batches): AsyncGenerator<Written> {
    yield* (await current()).load(batches);
  }

  return {
    open: async () => void await current(),
    count: (plan) => use((engine) => engine.count(plan)),
    page: (plan, counts) => use((engine) => engine.page(plan, counts)),
    rows: (sql) => use((engine) => engine.rows(sql)),
    writeIfFree: (sql) => use((engine) => engine.writeIfFree(sql)),
    dataVersion: () => use((engine) => engine.dataVersion()),
    put: (changes) => use((engine) => engine.put(changes)),
    load,
    clear: () => use((engine) => engine.clear()),
    isStale: () => false,
    limit(perMinute): Limit {
      let of: Engine | undefined;
      let limit: Limit;
      return (key) =>
        use((engine) => {
          if (of !== engine) limit = engine.limit(perMinute);
          of = engine;
          return limit(key);
        });
    },
    async close() {
      isClosed = true;
      const last = engine ?? await opening?.catch(() => undefined);
      engine = undefined;
      await last?.close();
    },
  };
}

async function patiently(opening: Promise<Engine>): Promise<Engine> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const advice = "it takes its time when its schema is changed, or when it does not answer";
    late.reject(new DatabaseFault("opening", "", advice));
  }, PATIENCE_MS);
  try {
    return await Promise.race([opening, late.promise]);
  } finally {
    clearTimeout(timer);
    // Told to those who still wait; to nobody when all went away.
    opening.catch(() => {});
  }
}
