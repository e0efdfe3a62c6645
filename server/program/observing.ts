/** The observer within the server: it works while the server does. */
import { originOf } from "../http/host.ts";
import { reasonOf } from "../log/log_problem.ts";
import { observe } from "../observer/observer.ts";
import { outletsOf } from "../observer/outlets/outlets.ts";
import {
  claimRecords,
  observerFor,
  ORIGIN,
  whenAvailable,
  whyNotObserved,
} from "../observer/service_observer.ts";
import { setText } from "../store/observer/values.ts";
import type { Services } from "./services.ts";

/** Starts the observer if the settings allow it, as soon as the database can be used. */
export function startObserving(services: Services, port: number) {
  const { settings, log, runtime, records, judging } = services;
  const ending = new AbortController();
  const { signal } = ending;
  async function work(): Promise<void> {
    const origin = originOf(settings, port);
    const { observer, onEvent } = observerFor({
      settings,
      service: services,
      sealing: services.recordsSealing!,
      judging,
      log,
      now: () => Date.now(),
      origin,
    });
    try {
      // The embedded service's database is the one that the program says is away.
      const isSaid = services.kind === "embedded";
      const { sleep } = runtime;
      await whenAvailable(async () => {
        await claimRecords(records!, services.identity);
        await records!.commit([setText(ORIGIN, origin)]);
      }, { log, sleep, signal, isSaid });
    } catch (error) {
      log.error("The observer could not start", { reason: reasonOf(error) });
      return;
    }
    if (!signal.aborted) await observe(observer, { signal, sleep: runtime.sleep, onEvent });
  }
  const reason = whyNotObserved(services);
  if (reason !== null) {
    // Whoever set up an outlet expects messages.
    const isMeant = settings.observer.heartbeatUrl || outletsOf(settings.observer).length > 0;
    log[isMeant ? "warn" : "debug"]("No schedules are watched", { reason });
  }
  const working = reason === null ? work() : Promise.resolve();
  return {
    async stop(): Promise<void> {
      ending.abort();
      await working;
    },
  };
}
