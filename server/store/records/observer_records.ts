/** The records, in the embedded service's database or in a separate one. */
import type { Engine } from "../engine.ts";
import { leaversOn } from "../ledger/leavers.ts";
import { peopleOn } from "../ledger/people_list.ts";
import { receiptsOn } from "../ledger/receipts.ts";
import { recipientDecisionsOn } from "../ledger/recipient_decisions.ts";
import { retentionOn } from "../ledger/retention.ts";
import { type LedgerSource, OBSERVED } from "../ledger/source.ts";
import { storedRunsOn } from "../ledger/stored_runs.ts";
import { calendarsOn } from "./calendars.ts";
import { countersOn, dutiesOn } from "./shared_duties.ts";
import { eventsOn } from "./events.ts";
import { idSearchesOn } from "./id_searches.ts";
import { incidentsOn } from "./incidents.ts";
import { messagesOn } from "./messages.ts";
import { outletsOn } from "./known_outlets.ts";
import { overviewOn } from "./overview.ts";
import { ownersOn } from "./owners.ts";
import { pollsOn } from "./polls.ts";
import { scheduleFileOn } from "./file_progress.ts";
import { serviceOn } from "./service_facts.ts";
import { statusesOn } from "./statuses.ts";
import { commit, type TransactionStep } from "./transaction_step.ts";
import { verdictsOn } from "./verdicts.ts";
import { watchesOn } from "./watches.ts";

export type ObserverRecords = ReturnType<typeof observerRecordsOn>;

/** `source` is the source of receipts and people. */
export function observerRecordsOn(engine: Engine, source: LedgerSource = OBSERVED) {
  const { database } = engine;
  return {
    retention: retentionOn(engine),
    receipts: receiptsOn(engine, source),
    people: peopleOn(engine, source),
    peopleOfSchedule: (scheduleId: number) => peopleOn(engine, source, scheduleId),
    leavers: leaversOn(engine, source),
    recipientDecisions: recipientDecisionsOn(engine, source),
    runs: storedRunsOn(engine, OBSERVED),
    watches: watchesOn(database),
    polls: pollsOn(database),
    verdicts: verdictsOn(database),
    overview: overviewOn(database),
    incidents: incidentsOn(database),
    events: eventsOn(database),
    messages: messagesOn(database),
    outlets: outletsOn(database),
    owners: ownersOn(database),
    calendars: calendarsOn(database),
    statuses: statusesOn(database, source),
    idSearches: idSearchesOn(database),
    scheduleFile: scheduleFileOn(database),
    duties: dutiesOn(database),
    counters: countersOn(database),
    service: serviceOn(database),
    /** Runs all steps in one transaction; undoes them and returns false if one of them says so. */
    commit: (steps: readonly TransactionStep[]): Promise<boolean> => commit(database, steps),
  };
}
