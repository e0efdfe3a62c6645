/** The observer's records in a database: the embedded service's own, or one beside an upstream. */
import type { Engine, Step } from "../engine.ts";
import { type Deliveries, deliveriesOn } from "./deliveries.ts";
import { type Incidents, incidentsOn } from "./incidents.ts";
import { type Overview, overviewOn } from "./overview.ts";
import { type SharedValues, sharedValuesOn } from "./values.ts";
import { type Verdicts, verdictsOn } from "./verdicts.ts";
import { type Watches, watchesOn } from "./watches.ts";
import { type WatchedRuns, watchedRunsOn } from "./runs.ts";

export interface Records {
  readonly watches: Watches;
  readonly runs: WatchedRuns;
  readonly verdicts: Verdicts;
  readonly incidents: Incidents;
  readonly deliveries: Deliveries;
  readonly overview: Overview;
  readonly values: SharedValues;
  /** Does all steps in one transaction; false, and nothing done, where a required one failed. */
  commit(steps: readonly Step[]): Promise<boolean>;
}

export function recordsOn(engine: Engine): Records {
  return {
    watches: watchesOn(engine),
    runs: watchedRunsOn(engine),
    verdicts: verdictsOn(engine),
    incidents: incidentsOn(engine),
    deliveries: deliveriesOn(engine),
    overview: overviewOn(engine),
    values: sharedValuesOn(engine),
    commit: async (steps) => await engine.transact(steps) !== null,
  };
}
