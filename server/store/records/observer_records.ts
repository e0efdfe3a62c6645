/** The observer's records, in the embedded service's database or in a separate one. */
import type { Engine, TransactionStep } from "../engine.ts";
import { idSearchesOn } from "./id_searches.ts";
import { leaversOn } from "../ledger/leavers.ts";
import { peopleOn } from "../ledger/people_list.ts";
import { recipientDecisionsOn } from "../ledger/recipient_decisions.ts";
import { receiptsOn } from "../ledger/receipts.ts";
import { retentionOn } from "../ledger/retention.ts";
import { type LedgerSource, OBSERVED } from "../ledger/source.ts";
import { calendarsOn } from "./calendars.ts";
import { correctFutureTimes } from "./future_times.ts";
import { deliveriesOn } from "./deliveries.ts";
import { incidentsOn } from "./incidents.ts";
import { pollsOn } from "./polls.ts";
import { overviewOn } from "./overview.ts";
import { ownersOn } from "./owners.ts";
import { statusesOn } from "./statuses.ts";
import { sharedValuesOn } from "./values.ts";
import { verdictsOn } from "./verdicts.ts";
import { watchEventsOn } from "./watch_events.ts";
import { watchesOn } from "./watches.ts";
import { storedRunsOn } from "../ledger/stored_runs.ts";

export type ObserverRecords = ReturnType<typeof observerRecordsOn>;

/** `source` is the source of receipts and people. */
export function observerRecordsOn(engine: Engine, source: LedgerSource = OBSERVED) {
  return {
    retention: retentionOn(engine),
    receipts: receiptsOn(engine, source),
    people: peopleOn(engine, source),
    peopleOfSchedule: (scheduleId: number) => peopleOn(engine, source, scheduleId),
    leavers: leaversOn(engine, source),
    recipientDecisions: recipientDecisionsOn(engine, source),
    watches: watchesOn(engine),
    idSearches: idSearchesOn(engine),
    polls: pollsOn(engine),
    watchEvents: watchEventsOn(engine),
    runs: storedRunsOn(engine, OBSERVED),
    verdicts: verdictsOn(engine),
    incidents: incidentsOn(engine),
    deliveries: deliveriesOn(engine),
    overview: overviewOn(engine),
    owners: ownersOn(engine),
    calendars: calendarsOn(engine),
    statuses: statusesOn(engine, source),
    values: sharedValuesOn(engine),
    correctFutureTimes: (now: number, longestWaitMs: number) =>
      correctFutureTimes(engine, now, longestWaitMs),
    /** Runs all steps in one transaction; undoes them and returns false if a required one failed. */
    commit: async (steps: readonly TransactionStep[]): Promise<boolean> =>
      steps.length === 0 || await engine.transact(steps) !== null,
  };
}
