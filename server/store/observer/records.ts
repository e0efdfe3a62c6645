/** The observer's records in a database: the embedded service's own, or one beside an upstream. */
import type { Engine, Step } from "../engine.ts";
import { putClockRight } from "./clock.ts";
import { deliveriesOn } from "./deliveries.ts";
import { incidentsOn } from "./incidents.ts";
import { looksOn } from "./looks.ts";
import { overviewOn } from "./overview.ts";
import { sharedValuesOn } from "./values.ts";
import { verdictsOn } from "./verdicts.ts";
import { watchEventsOn } from "./watch_events.ts";
import { watchesOn } from "./watches.ts";
import { watchedRunsOn } from "./runs.ts";

export type Records = ReturnType<typeof recordsOn>;

export function recordsOn(engine: Engine) {
  return {
    watches: watchesOn(engine),
    looks: looksOn(engine),
    watchEvents: watchEventsOn(engine),
    runs: watchedRunsOn(engine),
    verdicts: verdictsOn(engine),
    incidents: incidentsOn(engine),
    deliveries: deliveriesOn(engine),
    overview: overviewOn(engine),
    values: sharedValuesOn(engine),
    putClockRight: (now: number, longestWaitMs: number) =>
      putClockRight(engine, now, longestWaitMs),
    /** Does all steps in one transaction; false, and nothing done, where a required one failed. */
    commit: async (steps: readonly Step[]): Promise<boolean> =>
      steps.length === 0 || await engine.transact(steps) !== null,
  };
}
