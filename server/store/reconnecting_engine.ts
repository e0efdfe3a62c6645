/**
 * A database that is opened when first needed, and reopened after an error or when its file
 * changes.
 */
import { systemRuntime, within } from "../../lib/client/transport/runtime.ts";
import { DatabaseError } from "./database_error.ts";
import type { Batches, Engine, Written } from "./engine.ts";
import type { Limit } from "./limit.ts";

export interface ReconnectingEngine extends Engine {
  /**
   * Opens it unless it is open.
   *
   * @throws {DatabaseError} when it can't be used, or not yet
   */
  open(): Promise<void>;
  /**
   * Looks whether it can be used.
   *
   * @throws {DatabaseError} when it can't, or when it turned out to be damaged a short while ago
   */
  reach(): Promise<void>;
}

/** How long a damaged database counts as such when no search has succeeded since. */
const DAMAGED_MS = 60_000;

/** How long a call waits for the database to open: longer than for one that does not answer. */
const OPEN_TIMEOUT_MS = 6000;
/** The pause after the first failed attempt; doubled after each further one. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

export function reconnectingEngine(
  openEngine: () => Promise<Engine>,
  { onRecovered = () => {}, now = () => performance.now() }: {
    /** Called when it opened after failed attempts. */
    readonly onRecovered?: () => void;
    readonly now?: () => number;
  } = {},
): ReconnectingEngine {
  let engine: Engine | undefined;
  let openedAt = 0;
  let isClosed = false;
  let opening: Promise<Engine> | undefined;
  let damage: { readonly error: DatabaseError; readonly until: number } | null = null;
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

  async function discard(gone: Engine): Promise<void> {
    if (engine !== gone) return;
    engine = undefined;
    // A file that is gone or damaged may not even close.
    await gone.close().catch(() => {});
  }

  async function use<T>(work: (engine: Engine) => Promise<T>, known?: Engine): Promise<T> {
    const used = known ?? await current();
    try {
      return await work(used);
    } catch (error) {
      // The file may have been restored; reopening drops the cached pages.
      if (error instanceof DatabaseError && error.kind === "damaged") {
        damage = { error, until: now() + DAMAGED_MS };
        if (now() - openedAt >= LONGEST_PAUSE_MS) await discard(used);
      }
      throw error;
    }
  }

  async function* load(batches: Batches): AsyncGenerator<Written> {
    yield* (await current()).load(batches);
  }

  return {
    open: async () => void await current(),
    async reach() {
      // A small query may not touch the damaged part.
      if (damage && now() < damage.until) throw damage.error;
      await use((engine) => engine.rows("SELECT count(*) FROM schedules"));
    },
    // A search asks for the version first: whether it is still the same file is known since then.
    count: (...args) => use((engine) => engine.count(...args), engine),
    async page(...args) {
      const rows = await use((engine) => engine.page(...args), engine);
      damage = null;
      return rows;
    },
    tally: (...args) => use((engine) => engine.tally(...args), engine),
    rows: (...args) => use((engine) => engine.rows(...args)),
    transact: (steps) => use((engine) => engine.transact(steps)),
    writeIfFree: (sql) => use((engine) => engine.writeIfFree(sql)),
    dataVersion: () => use((engine) => engine.dataVersion()),
    runsVersion: (scheduleId) => use((engine) => engine.runsVersion(scheduleId)),
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
