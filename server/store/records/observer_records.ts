/** The records, in the embedded service's database or in a separate one. */
import { type Database, within } from "../database/database.ts";
import { lock } from "../database/sql.ts";
import type { Sealing } from "../../auth/sealing.ts";
import { forgetPerson } from "../people/forget.ts";
import { countUnknownForgotten } from "../people/forgotten.ts";
import { leaversOn } from "../people/leavers.ts";
import { peopleOn } from "../people/people_list.ts";
import { recipientDecisionsOn } from "../people/recipient_decisions.ts";
import { lockRuns } from "../runs/histories.ts";
import { storedRunsOn } from "../runs/read_runs.ts";
import { receiptsOn } from "../runs/receipts.ts";
import { retentionOn } from "../runs/store_runs.ts";
import { calendarsOn } from "./calendars.ts";
import { countersOn, dutiesOn, sentFormsOn, serviceOn } from "./shared.ts";
import { eventsOn } from "./events.ts";
import { scansOn } from "./stored_scans.ts";
import { incidentsOn } from "./incidents.ts";
import { messagesOn, outletsOn } from "./messages.ts";
import { overviewOn } from "./overview.ts";
import { verdictsOn } from "./verdicts.ts";
import { ownersOn } from "./owners.ts";
import { pollsOn } from "./polls.ts";
import { readShell } from "./shell.ts";
import { statusesOn } from "./statuses.ts";
import { commit, type TransactionStep } from "./transaction_step.ts";
import { watchesOn } from "./watches.ts";

export interface ObserverRecords extends ReturnType<typeof recordsOn> {
  /**
   * Does work in one transaction, and nobody else at the same time on this subject. Whatever of it may
   * be undone alone, as by `commit`, has to throw: the records that it gets undo all or nothing.
   */
  alone<Result>(
    subject: "runs" | "owners" | "scans",
    work: (records: ObserverRecords) => Promise<Result>,
  ): Promise<Result>;
}

export function observerRecordsOn(database: Database): ObserverRecords {
  return {
    ...recordsOn(database),
    alone: (subject, work) =>
      database.transaction(async (transaction) => {
        await (subject === "runs" ? lockRuns(transaction) : transaction.read(lock(subject)));
        return await work(observerRecordsOn(within(transaction, database)));
      }),
  };
}

function recordsOn(database: Database) {
  return {
    retention: retentionOn(database),
    receipts: receiptsOn(database),
    people: peopleOn(database),
    peopleOfSchedule: (scheduleId: number) => peopleOn(database, scheduleId),
    leavers: leaversOn(database),
    recipientDecisions: recipientDecisionsOn(database),
    countUnknownForgotten: (keys: readonly string[]) => countUnknownForgotten(database, keys),
    forget: (person: number | string, sealing: Sealing) => forgetPerson(database, person, sealing),
    runs: storedRunsOn(database),
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
    statuses: statusesOn(database),
    scans: scansOn(database),
    sentForms: sentFormsOn(database),
    duties: dutiesOn(database),
    counters: countersOn(database),
    service: serviceOn(database),
    shell: (scheduleId: number | null) => readShell(database, scheduleId),
    /** Runs all steps in one transaction; undoes them and returns false if one of them says so. */
    commit: (steps: readonly TransactionStep[]): Promise<boolean> => commit(database, steps),
  };
}
