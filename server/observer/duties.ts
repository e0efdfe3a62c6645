/** What one instance does for all from time to time: heartbeat, repeated alerts, clean-up. */
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import { resolveUnwatched } from "./end_watch.ts";
import { eventOf } from "./event.ts";
import { LONGEST_WAIT_MS, TRIED_FOR_MS } from "./outbox.ts";
import { sendHeartbeat } from "./outlets/heartbeat.ts";
import { type Outlet, OutletError } from "./outlets/outlet.ts";

export interface Duties {
  /** Does the duties that are due, unless another instance did them. */
  doDue(): Promise<void>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a watch may wait to be looked at before the observer counts as not working. */
const STUCK_MS = 5 * MINUTE;
/** How long the end of an incident is repeated. */
const RESOLVED_FOR_MS = 15 * MINUTE;
/** How long sent and given-up deliveries are kept. */
const LEDGER_MS = 90 * 24 * HOUR;

/** Creates the duties, which are recorded in `records`. */
export function createDuties(
  { records, outlets, origin, heartbeatUrl, everyMs, now, onEvent }: {
    readonly records: ObserverRecords;
    readonly outlets: readonly Outlet[];
    readonly origin: string;
    readonly heartbeatUrl: string | null;
    readonly everyMs: number;
    readonly now: () => number;
    readonly onEvent: (level: "warn", message: string, reason?: string) => void;
  },
): Duties {
  async function tried(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof OutletError)) throw error;
      onEvent("warn", what, error.message);
    }
  }

  async function heartbeat(url: string): Promise<void> {
    const due = await records.polls.nextDue();
    // An observer that can't look is no better than one that does not run.
    if (due !== null && now() - due > Math.max(STUCK_MS, 3 * everyMs)) return;
    await tried("The heartbeat was not accepted", () => sendHeartbeat(url));
  }

  async function repeatAlerts(): Promise<void> {
    const repeating = outlets.filter((outlet) => outlet.repeat);
    const at = now();
    const { incidents } = records;
    const open = (await incidents.allOpen()).filter(({ notified }) => notified !== null);
    // One that was resolved while it was repeated would stay open for the receiver.
    const resolved = await incidents.resolvedSince(at - RESOLVED_FOR_MS);
    const repeated = [...resolved, ...open];
    if (repeated.length === 0) return;
    const names = await records.overview.names(repeated.map(({ scheduleId }) => scheduleId));
    const events = repeated.map((incident) =>
      eventOf(incident, {
        type: incident.resolved === null ? "incident.opened" : "incident.resolved",
        at,
        scheduleName: names.get(incident.scheduleId ?? NaN) ?? "",
        origin,
      })
    );
    for (const outlet of repeating) {
      const what = `Incidents could not be sent again to ${outlet.name}`;
      await tried(what, () => outlet.repeat!(events, at));
    }
  }

  /** What no instance has tried for so long is of an outlet that none has any more. */
  async function giveUpUntried(at: number): Promise<void> {
    const error = "The outlet is no longer configured";
    const names = outlets.map(({ name }) => name);
    const untried = { dueBefore: at - TRIED_FOR_MS, outlets: names, error, now: at };
    const counts = await records.deliveries.giveUpUntried(untried);
    await records.values.add(
      new Map([...counts].map(([name, count]) => [`count/deliveries/${name}/given_up`, count])),
    );
    for (const name of counts.keys()) onEvent("warn", `Deliveries by ${name} were given up`, error);
  }

  return {
    async doDue() {
      const at = now();
      const { values } = records;
      if (await values.takeDuty("clock", at, at + MINUTE)) {
        await records.correctFutureTimes(at, LONGEST_WAIT_MS);
      }
      if (heartbeatUrl && await values.takeDuty("heartbeat", at, at + MINUTE)) {
        await heartbeat(heartbeatUrl);
      }
      const repeats = outlets.some((outlet) => outlet.repeat);
      if (repeats && await values.takeDuty("alerts", at, at + MINUTE)) await repeatAlerts();
      // The end of their watch may have failed to resolve them.
      if (await values.takeDuty("unwatched", at, at + MINUTE)) {
        for (const scheduleId of await records.incidents.unwatched()) {
          // One that fails does not keep the others waiting.
          try {
            await resolveUnwatched({ records, outlets, origin }, { scheduleId, now: at });
          } catch (error) {
            const which = scheduleId === null ? "the service" : `schedule ${scheduleId}`;
            const what = `The incidents of ${which} could not be resolved`;
            onEvent("warn", what, error instanceof Error ? error.message : undefined);
          }
        }
      }
      if (await values.takeDuty("tidy", at, at + HOUR)) {
        await giveUpUntried(at);
        await records.deliveries.forget(at - LEDGER_MS);
      }
    },
  };
}
