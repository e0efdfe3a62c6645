/**
 * The services that every request uses: the backend, sessions, sign-in codes and the log. They are
 * opened once, when the program starts.
 */
import { type Runtime, systemRuntime } from "../../lib/client/transport/runtime.ts";
import { isOpenToOthers, makeDataFolder, storedSecret } from "../config/data_folder.ts";
import { embeddedService } from "../backend/embedded.ts";
import { createLog, type Log, logFormatOf } from "../log/log.ts";
import { createEndedSessions } from "../auth/ended_sessions.ts";
import { type Oidc, openOidc } from "../auth/oidc.ts";
import { createSealedCookies, type SealedCookies } from "../auth/sealed_cookies.ts";
import { recordsKeys } from "../auth/records_key.ts";
import { createSealing, type Sealing } from "../auth/sealing.ts";
import { createSessions, type Sessions } from "../auth/sessions.ts";
import { createReadiness, type Readiness } from "../backend/readiness.ts";
import { SEALING_KEY_LENGTH, type Settings } from "../config/settings.ts";
import {
  type Attempts,
  createAttempts,
  createTokenGuard,
  type TokenGuard,
} from "../auth/failed_attempts.ts";
import { createSignInCodes, type SignInCodes } from "../auth/sign_in_codes.ts";
import { createJudging, type Judging } from "../observer/judging/judging.ts";
import { ownRecords } from "../backend/own_records.ts";
import type { Service } from "../backend/service.ts";
import { createRunCache, type RunCache } from "../schedules/run_cache.ts";
import { createVisibleTo, type VisibleTo } from "../backend/visible_schedules.ts";
import { upstreamService } from "../backend/upstream.ts";
import type { SharedSecrets } from "./shared_secrets.ts";

export interface Services extends Omit<Service, "reach"> {
  readonly settings: Settings;
  readonly sessions: Sessions;
  readonly secrets: SharedSecrets;
  /** Seals secrets in the records; null without records. */
  readonly recordsSealing: Sealing | null;
  /** The schedules whose records a person may see. */
  readonly visibleTo: VisibleTo;
  readonly signInCodes: SignInCodes;
  /** Null if people sign in with tokens only. */
  readonly oidc: Oidc | null;
  /** Cookies that hold other things than the session. */
  readonly cookies: SealedCookies;
  readonly signInAttempts: Attempts;
  readonly tokenGuard: TokenGuard;
  readonly log: Log;
  /** Judges and replays histories off the loop that answers requests. */
  readonly judging: Judging;
  readonly readiness: Readiness;
  /** Runs that pages loaded before, with what was computed from them. */
  readonly runCache: RunCache;
  /** The clock for timeouts. */
  readonly runtime: Runtime;
}

export type ServiceStandIns = Partial<Pick<Services, "log" | "runtime" | "judging">>;

/** The services for these settings. The embedded service opens its database when it is first needed. */
export function openServices(
  settings: Settings,
  {
    log = createLog({ level: settings.logLevel, format: logFormatOf(settings) }),
    runtime = systemRuntime(),
    judging = createJudging(),
  }: ServiceStandIns = {},
): Services {
  const stored = storedInDataFolder(settings);
  if (stored.length > 0) {
    makeDataFolder(settings.dataDir, stored);
    if (isOpenToOthers(settings.dataDir)) {
      const folder = settings.dataDir;
      log.warn("Other users of this machine can read the data folder; chmod 700 makes it private", {
        folder,
      });
    }
  }
  const sessionKeys = stored.includes("SESSION_KEY")
    ? [storedSecret(settings.dataDir, "session-key", SEALING_KEY_LENGTH)]
    : settings.sessionKeys;
  const shared = {
    settings,
    signInCodes: createSignInCodes(),
    oidc: settings.oidc && openOidc(settings.oidc),
    cookies: createSealedCookies(createSealing(sessionKeys)),
    signInAttempts: createAttempts("attempts to sign in"),
    tokenGuard: createTokenGuard(),
    runCache: createRunCache(),
    log,
    runtime,
  };
  const { reach, ...service } = settings.serviceBaseUrl
    ? upstreamService(settings.serviceBaseUrl, settings, runtime, ownRecords(settings, log))
    : embeddedService(settings, log);
  const secrets = {
    SESSION_KEY: sessionKeys,
    SERVICE_TOKEN: service.embeddedToken === null ? [] : [service.embeddedToken],
    RECORDS_KEY: service.records ? recordsKeys(settings) : [],
  };
  return {
    ...shared,
    ...service,
    judging,
    secrets,
    visibleTo: createVisibleTo(service, settings),
    recordsSealing: service.records && createSealing(secrets.RECORDS_KEY),
    async close() {
      judging.close();
      await service.close();
    },
    sessions: createSessions(sessionKeys, {
      ended: createEndedSessions(service.store?.endedSessions),
    }),
    readiness: createReadiness(reach, { log }),
  };
}

/** What is stored in the data folder, by the variable that would replace it. */
function storedInDataFolder(settings: Settings): readonly string[] {
  const { sessionKeys, recordsKeys, serviceBaseUrl, serviceToken, databaseUrl, onDeploy } =
    settings;
  return [
    ...(sessionKeys.length > 0 ? [] : ["SESSION_KEY"]),
    ...(recordsKeys.length > 0 || onDeploy ? [] : ["RECORDS_KEY"]),
    ...(serviceBaseUrl || serviceToken ? [] : ["SERVICE_TOKEN"]),
    ...(serviceBaseUrl || databaseUrl || onDeploy ? [] : ["DATABASE_URL"]),
  ];
}
