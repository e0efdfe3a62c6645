/** The services that all requests use, opened once when the program starts. */
import { systemRuntime } from "../../lib/client/transport/runtime.ts";
import { makeDataFolder, recordsKeys, storedSecret } from "../config/data_folder.ts";
import { embeddedService, openRecords } from "../backend/embedded.ts";
import { chosenLogFormat, createLog } from "../log/log.ts";
import { failureReason } from "../log/log_problem.ts";
import { openOidc } from "../auth/oidc.ts";
import { createSealedCookies } from "../auth/sealed_cookies.ts";
import { createSealing } from "../auth/sealing.ts";
import { createEndedSessions, createSessions } from "../auth/sessions.ts";
import { createReadiness } from "../backend/readiness.ts";
import { SEALING_KEY_LENGTH, type Settings } from "../config/settings.ts";
import { createAttempts, createTokenGuard } from "../auth/failed_attempts.ts";
import { createRateLimit } from "../auth/rate_limit.ts";
import { createSignInCodes } from "../auth/sign_in_codes.ts";
import { shownOrigin } from "../http/host.ts";
import { observerFor } from "../observer/service_observer.ts";
import { createJudging } from "../observer/judging/judging.ts";
import { upstreamService } from "../backend/upstream.ts";

export type Services = Readonly<ReturnType<typeof openServices>>;

/** How long the first page waits for the sample to be judged; longer, and pages say that it is read. */
const SAMPLE_JUDGED_MS = 2000;

/** Opens the services. The embedded service opens its database when it is first needed. */
export function openServices(
  settings: Settings,
  {
    log = createLog({ level: settings.logLevel, format: chosenLogFormat(settings) }),
    runtime = systemRuntime(),
    judging = createJudging(),
  } = {},
) {
  const { dataDir, serviceBaseUrl } = settings;
  const stored = storedInDataFolder(settings);
  if (stored.length > 0) makeDataFolder(dataDir, stored);
  const sessionKeys = stored.includes("SESSION_KEY")
    ? [storedSecret(dataDir, "session-key", SEALING_KEY_LENGTH)]
    : settings.sessionKeys;
  const service = serviceBaseUrl
    ? upstreamService(
      serviceBaseUrl,
      settings,
      runtime,
      openRecords(settings, log, settings.statuses),
    )
    : embeddedService(settings, log, async (sample) => {
      const { observer } = observerFor({
        settings,
        service: sample,
        sealing: createSealing(keys),
        judging,
        log,
        now: () => Date.now(),
        origin: shownOrigin(settings, settings.port),
      });
      const judged = observer.pollDue().then(() => {}, (error) => {
        log.warn("The sample was not judged", { reason: failureReason(error) });
      });
      const waiting = new AbortController();
      await Promise.race([judged, runtime.sleep(SAMPLE_JUDGED_MS, waiting.signal)]);
      waiting.abort();
    });
  const keys = service.records ? recordsKeys(settings) : [];
  const services = {
    ...service,
    settings,
    log,
    runtime,
    judging,
    recordsKeys: keys,
    /** Seals secrets in the records; null without records. */
    recordsSealing: service.records && createSealing(keys),
    /** Why a request gets no records, as a sentence; null if it gets those that there are. */
    noRecords: null as string | null,
    sessions: createSessions(sessionKeys, {
      ended: createEndedSessions(service.store?.endedSessions),
    }),
    cookies: createSealedCookies(createSealing(sessionKeys)),
    signInCodes: createSignInCodes(),
    /** Null if people sign in with tokens only. */
    oidc: settings.oidc && openOidc(settings.oidc),
    signInAttempts: createAttempts("attempts to sign in"),
    tokenGuard: createTokenGuard(),
    countRequest: createRateLimit(settings.rateLimit),
    readiness: createReadiness(service.reach, { log }),
    /** Gives no records from now on, and says why in a sentence. */
    withhold(reason: string): void {
      services.records = null;
      services.noRecords = reason;
    },
    async close() {
      judging.close();
      await service.close();
    },
  };
  return services;
}

/** What the data folder is used for, as the variables that would make it unnecessary. */
function storedInDataFolder(settings: Settings): readonly string[] {
  const { sessionKeys, recordsKeys, serviceBaseUrl, serviceToken, databaseUrl, onDeploy } =
    settings;
  return [
    ...(sessionKeys.length > 0 ? [] : ["SESSION_KEY"]),
    ...(recordsKeys.length > 0 || onDeploy ? [] : ["RECORDS_KEY"]),
    ...(serviceBaseUrl || serviceToken ? [] : ["SERVICE_TOKEN"]),
    ...(databaseUrl || onDeploy ? [] : ["DATABASE_URL"]),
  ];
}
