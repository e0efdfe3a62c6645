/** The embedded service: the store, and the developer tokens that it accepts. */
import type { Backend } from "../../lib/backend.ts";
import { storedSecret } from "../config/data_folder.ts";
import type { Log, RequestLog } from "../log/log.ts";
import { logProblem } from "../log/log_problem.ts";
import { problemOf } from "../http/problem.ts";
import { requestCounter } from "./request_limit.ts";
import { sameSecret } from "../auth/same_secret.ts";
import type { Service } from "./service.ts";
import type { Settings } from "../config/settings.ts";
import { reconnectingEngine } from "../store/reconnecting_engine.ts";
import { openEngine } from "../store/open.ts";
import { fillWithSample, SEEDED } from "../store/sample/fill.ts";
import { type Store, storeOn } from "../store/store.ts";

/** A request that writes must not hold up all others while another process is writing. */
const BUSY_MS = 100;

/**
 * The embedded service, its database opened when it is needed, and again when that failed; one
 * without data is given the sample's, but not in place of what was there before.
 */
export function embeddedService(settings: Settings, log: Log): Service {
  let wasOpen = false;
  const engine = reconnectingEngine(async () => {
    const opened = await openEngine(settings, { busyMs: BUSY_MS, make: !wasOpen });
    try {
      if (!wasOpen) await fillWhenEmpty(storeOn(opened));
    } catch (error) {
      await opened.close();
      throw error;
    }
    wasOpen = true;
    return opened;
  }, { onRecovered: () => log.info("The database can be used again") });
  const store = storeOn(engine);
  const embeddedToken = settings.serviceToken ?? storedSecret(settings.dataDir, "service-token");
  return {
    kind: "embedded",
    identity: "embedded",
    store,
    embeddedToken,
    backendFor: (_token, { log }) => telling(store, log),
    accepts: async (token) =>
      await sameSecret(token, embeddedToken) || await store.tokens.accepts(token, new Date()),
    countRequest: requestCounter(settings.rateLimit, store.limit),
    reach: () => store.isEmpty(),
    open: () => engine.open(),
    close: () => engine.close(),
  };
}

/** The backend, whose faults are logged here: a page may leave out what it can't have. */
function telling({ fileSets, reportSchedules }: Backend, log: RequestLog): Backend {
  async function tell<T>(answer: PromiseLike<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      logProblem(log, problemOf(error), error, signal);
      throw error;
    }
  }
  return {
    fileSets: {
      search: (body, options) => tell(fileSets.search(body, options), options?.signal),
    },
    reportSchedules: {
      history: (scheduleId, options) =>
        tell(reportSchedules.history(scheduleId, options), options?.signal),
    },
  };
}

async function fillWhenEmpty(store: Store): Promise<void> {
  const isFresh = await store.isEmpty() && await store.note(SEEDED) === undefined;
  if (isFresh) await fillWithSample(store, { now: new Date() });
}
