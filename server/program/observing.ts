/** Runs the observer within the server. */
import { shownOrigin } from "../http/host.ts";
import { failureReason } from "../log/log_problem.ts";
import { observeUntil } from "../observer/observer.ts";
import { createOutlets } from "../observer/outlets/outlets.ts";
import {
  claimRecords,
  observerFor,
  OtherServiceError,
  whenAvailable,
  whyNotObserved,
} from "../observer/service_observer.ts";
import type { Services } from "./services.ts";

/** Starts the observer if the settings allow it, as soon as the database can be used. */
export function startObserving(services: Services, port: number) {
  const { settings, log, runtime, records, judging } = services;
  const ending = new AbortController();
  const { signal } = ending;
  async function work(): Promise<void> {
    const origin = shownOrigin(settings, port);
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
      const { sleep } = runtime;
      await whenAvailable(async () => {
        await claimRecords(records!, services.identity);
        await records!.service.store({ origin });
      }, { log, sleep, signal });
    } catch (error) {
      log.error("The observer could not start", { reason: failureReason(error) });
      // Nobody keeps them up to date here.
      if (error instanceof OtherServiceError) services.withhold(error.message);
      return;
    }
    if (!signal.aborted) await observeUntil(observer, { signal, sleep: runtime.sleep, onEvent });
  }
  const reason = whyNotObserved(services);
  if (reason !== null) {
    // A person who configured an outlet expects messages.
    const isExpected = settings.observer.heartbeatUrl ||
      createOutlets(settings.observer).length > 0;
    log[isExpected ? "warn" : "debug"]("No schedules are watched", { reason });
  }
  const working = reason === null ? work() : Promise.resolve();
  return {
    async stop(): Promise<void> {
      ending.abort();
      await working;
    },
  };
}
