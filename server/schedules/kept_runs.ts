/**
 * Caches loaded runs, and what was computed from them, while they stay the same: judging a thousand
 * runs takes longer than everything else that a page does.
 */
import type { LoadedRuns } from "../../lib/runs/load_runs.ts";

/** The most runs and recipients that are kept. */
const MOST_KEPT = 200_000;

/** The most values of one kind that are kept for the same runs, such as verdicts in several zones. */
const MOST_VALUES = 8;

/** Which runs are loaded. */
export interface RunsQuestion {
  readonly scheduleId: number;
  /** The most runs that are loaded. */
  readonly runs: number;
  /** The version of the data, if known: at the same version, runs are not loaded again. */
  readonly version?: string;
}

export type KeptRuns = ReturnType<typeof createKeptRuns>;

interface Kept {
  readonly loaded: LoadedRuns;
  readonly version: string | undefined;
  readonly weight: number;
}

/** Keeps runs in this process; `most` runs and recipients together. */
export function createKeptRuns(most = MOST_KEPT) {
  const kept = new Map<string, Kept>();
  let weight = 0;

  function remove(name: string): void {
    weight -= kept.get(name)?.weight ?? 0;
    kept.delete(name);
  }

  return {
    /**
     * The runs that `load` gives. Where they are those of the last time, it is the same object, so
     * that {@linkcode computedOnce} finds what was worked out of it.
     */
    async load(
      { scheduleId, runs, version }: RunsQuestion,
      load: () => Promise<LoadedRuns>,
    ): Promise<LoadedRuns> {
      const name = `${scheduleId} ${runs}`;
      const before = kept.get(name);
      if (before && version !== undefined && before.version === version) {
        // The least recently used is removed first.
        kept.delete(name);
        kept.set(name, before);
        return before.loaded;
      }
      const found = await load();
      const loaded = before && isSame(found, before.loaded) ? before.loaded : found;
      remove(name);
      // An error may be over at the next attempt.
      if (loaded.stopped === "error" || loaded.stopped === "time") return loaded;
      const made = { loaded, version, weight: weightOf(loaded) };
      if (made.weight > most) return loaded;
      kept.set(name, made);
      weight += made.weight;
      while (weight > most) remove(kept.keys().next().value!);
      return loaded;
    },
  };
}

function weightOf({ runs, repeated }: LoadedRuns): number {
  return [...runs, ...repeated].reduce(
    (sum, { recipients }) => sum + 1 + (recipients?.length ?? 0),
    1,
  );
}

/** Whether two values are equal, with all that they hold. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => isSame(a[key as never], b[key as never]));
}

const values = new WeakMap<object, Map<string, Map<string, unknown>>>();

/**
 * A value computed from runs, once for each `kind` and `question`.
 *
 * @throws what `make` throws
 */
export function computedOnce<Value>(
  of: object,
  { kind, question = "" }: { readonly kind: string; readonly question?: string },
  make: () => Value,
): Value {
  const kinds = values.get(of) ?? new Map<string, Map<string, unknown>>();
  values.set(of, kinds);
  const made = kinds.get(kind) ?? new Map<string, unknown>();
  kinds.set(kind, made);
  if (!made.has(question)) {
    const value = make();
    if (made.size >= MOST_VALUES) made.delete(made.keys().next().value!);
    made.set(question, value);
  }
  return made.get(question) as Value;
}
