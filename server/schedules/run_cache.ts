/** Loaded runs of Docket's own store, and what was computed from loaded runs. */
import { LRUCache } from "lru-cache";
import type { LoadedRuns } from "../../lib/runs/load_runs.ts";

/** The most runs and recipients that are cached. */
const MAX_SIZE = 200_000;

/** The most values that are computed from the same runs, such as verdicts in several zones. */
const MAX_VALUES = 16;

/** Loaded runs by schedule, number of runs and version of the data. */
export type RunCache = LRUCache<string, LoadedRuns>;

/** Creates a cache for that many runs and recipients together. */
export function createRunCache(maxSize = MAX_SIZE): RunCache {
  return new LRUCache({ maxSize, sizeCalculation: sizeOf });
}

function sizeOf({ runs }: LoadedRuns): number {
  return runs.reduce((sum, { recipients }) => sum + 1 + (recipients?.length ?? 0), 1);
}

const computed = new WeakMap<object, LRUCache<string, { readonly value: unknown }>>();

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
  const values = computed.get(of) ?? new LRUCache({ max: MAX_VALUES });
  computed.set(of, values);
  const name = `${kind} ${question}`;
  const known = values.get(name) ?? { value: make() };
  values.set(name, known);
  return known.value as Value;
}
