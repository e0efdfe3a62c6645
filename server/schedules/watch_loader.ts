/** Loads and judges the schedules of a watch list, several at once. */
import { pooledMap } from "@std/async/pool";
import type { Backend } from "../../lib/client/backend.ts";
import { TimeoutError } from "../../lib/errors.ts";
import { type Runtime, systemRuntime } from "../../lib/client/transport/runtime.ts";
import type { Verdict } from "../../lib/judgement/judge_schedule.ts";
import { createKeptRuns, type KeptRuns } from "./kept_runs.ts";
import { judgeLoaded, type JudgingOptions } from "./judge_loaded.ts";
import { type LoadedRuns, loadRuns } from "../../lib/runs/load_runs.ts";

/** How a watch list is loaded: the last runs of each schedule, within times worth waiting for. */
export const WATCH = { runs: 250, atOnce: 6, eachMs: 4000, allMs: 12_000 } as const;

/** A watched schedule: its runs, or why they could not be loaded. */
export type Watched =
  | { readonly scheduleId: number; readonly loaded: LoadedRuns }
  | { readonly scheduleId: number; readonly error: unknown };

/** A watched schedule: its runs and what is said of them, or why that can't be said. */
export type JudgedWatch =
  | { readonly scheduleId: number; readonly loaded: LoadedRuns; readonly verdict: Verdict }
  | { readonly scheduleId: number; readonly error: unknown };

/**
 * Loads watched schedules, in their order; an error of one does not stop the others.
 *
 * @throws the reason of `signal` when it is aborted
 */
export async function loadWatched(
  backend: Backend,
  scheduleIds: readonly number[],
  {
    signal,
    zone,
    allMs = WATCH.allMs,
    runtime = systemRuntime(),
    keptRuns = createKeptRuns(),
    versionOf,
  }: {
    readonly signal?: AbortSignal;
    /** IANA name of the zone of times without one. Default: UTC. */
    readonly zone?: string;
    /** Timeout for all schedules together, in milliseconds. */
    readonly allMs?: number;
    /** The clock for timeouts. Default: the real one. */
    readonly runtime?: Runtime;
    /** Where the same runs as before are the same object. */
    readonly keptRuns?: KeptRuns;
    /** Names the state of a schedule's runs, where that is known. */
    readonly versionOf?: (scheduleId: number) => Promise<string>;
  } = {},
): Promise<Watched[]> {
  const end = runtime.now() + allMs;
  async function load(scheduleId: number): Promise<Watched> {
    try {
      const ms = Math.min(WATCH.eachMs, end - runtime.now());
      if (ms <= 0) {
        throw new TimeoutError("deadline", allMs, "The schedules before this one took too long");
      }
      const { runs } = WATCH;
      const version = await versionOf?.(scheduleId);
      const load = () => loadRuns(backend, scheduleId, { runs, ms, zone, signal, runtime });
      return { scheduleId, loaded: await keptRuns.load({ scheduleId, runs, version }, load) };
    } catch (error) {
      return { scheduleId, error };
    }
  }
  const watched = await Array.fromAsync<Watched>(pooledMap(WATCH.atOnce, scheduleIds, load));
  signal?.throwIfAborted();
  return watched;
}

/**
 * Judges watched schedules, in their order; an error of one does not stop the others.
 *
 * @throws the reason of `signal` when it is aborted
 */
export async function judgeWatched(
  watched: readonly Watched[],
  optionsOf: (scheduleId: number) => JudgingOptions,
  signal?: AbortSignal,
): Promise<JudgedWatch[]> {
  async function judge(each: Watched): Promise<JudgedWatch> {
    if ("error" in each) return each;
    const { scheduleId, loaded } = each;
    try {
      signal?.throwIfAborted();
      return { scheduleId, loaded, verdict: await judgeLoaded(loaded, optionsOf(scheduleId)) };
    } catch (error) {
      return { scheduleId, error };
    }
  }
  // All at once, a few long lists would fill the queue of what waits to be inferred.
  const judged = await Array.fromAsync<JudgedWatch>(pooledMap(WATCH.atOnce, watched, judge));
  signal?.throwIfAborted();
  return judged;
}
