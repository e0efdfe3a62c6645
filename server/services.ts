/**
 * What every request is served with: the backend, sessions, sign-in codes and the log. Opened once,
 * when the program starts, and handed to each request.
 */
import type { Backend } from "../lib/backend.ts";
import { type Runtime, systemRuntime } from "../lib/runtime.ts";
import { keptSecret, makeDataFolder } from "./data_folder.ts";
import { embeddedService } from "./embedded.ts";
import { createLog, type Log, logFormatOf, type RequestLog } from "./log.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { SESSION_KEY_LENGTH, type Settings } from "./settings.ts";
import { createSignInAttempts, type SignInAttempts } from "./sign_in_attempts.ts";
import { createSignInCodes, type SignInCodes } from "./sign_in_codes.ts";
import type { Store } from "./store/store.ts";
import { observedBackend } from "./telemetry/backend.ts";
import { upstreamService } from "./upstream.ts";

/** Where the data comes from. */
export type BackendKind = "embedded" | "upstream";

/** Who asks the service: the request whose answer needs it. */
export interface Caller {
  /** Names the request to an upstream, as in the log. */
  readonly requestId: string;
  /** The log of the request. */
  readonly log: RequestLog;
  /** Who waits: a person for a page, or a download. Default: a page. */
  readonly patience?: "page" | "download";
}

/** What every request is served with. */
export interface Services {
  readonly settings: Settings;
  readonly kind: BackendKind;
  /** Tells this service from others: a session is of one service only. */
  readonly identity: string;
  readonly sessions: Sessions;
  readonly signInCodes: SignInCodes;
  readonly signInAttempts: SignInAttempts;
  readonly log: Log;
  /** Whether the store, or the upstream, can be reached. */
  readonly readiness: Readiness;
  /** The clock that waiting for the service goes by. */
  readonly runtime: Runtime;
  /** The embedded service's storage; null with an upstream. */
  readonly store: Store | null;
  /** The embedded service's own developer token; null with an upstream, whose tokens are its own. */
  readonly embeddedToken: string | null;
  /** The backend as the bearer of a developer token sees it. */
  backendFor(token: string, caller: Caller): Backend;
  /**
   * Whether the service accepts a developer token. An upstream is asked by one cheap call.
   *
   * @throws when the upstream could not be asked
   */
  accepts(token: string, caller: Caller, signal?: AbortSignal): Promise<boolean>;
  /**
   * Counts one request of a token; nothing without `RATE_LIMIT`.
   *
   * @throws {ProblemError} when it was one too many, with the time to wait
   */
  countRequest(token: string): Promise<void>;
  /**
   * Opens the embedded service's database where it is not open yet; nothing with an upstream. Every
   * request that needs it does the same.
   *
   * @throws {ProblemError} when it can't be used, or not yet
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** What the embedded and the upstream service do each in their own way. */
export interface ServiceParts extends
  Pick<
    Services,
    | "kind"
    | "identity"
    | "store"
    | "embeddedToken"
    | "backendFor"
    | "accepts"
    | "countRequest"
    | "open"
    | "close"
  > {
  /** Asks for something trivial; rejects where there is no answer. */
  reach(signal: AbortSignal): Promise<unknown>;
}

/** What the services of a test have instead of the real thing. */
export type ServiceStandIns = Partial<Pick<Services, "log" | "runtime">>;

/**
 * The services that the settings ask for: an upstream's client, or the embedded store, whose database
 * is opened when it is needed.
 */
export async function openServices(
  settings: Settings,
  {
    log = createLog({ level: settings.logLevel, format: logFormatOf(settings) }),
    runtime = systemRuntime(),
  }: ServiceStandIns = {},
): Promise<Services> {
  const kept = keptInDataFolder(settings);
  if (kept.length > 0) makeDataFolder(settings.dataDir, kept);
  const sessions = await createSessions(
    kept.includes("SESSION_KEY")
      ? [keptSecret(settings.dataDir, "session-key", SESSION_KEY_LENGTH)]
      : settings.sessionKeys,
  );
  const shared = {
    settings,
    sessions,
    signInCodes: createSignInCodes(),
    signInAttempts: createSignInAttempts(),
    log,
    runtime,
  };
  const { reach, ...service } = settings.serviceBaseUrl
    ? upstreamService(settings.serviceBaseUrl, settings, runtime)
    : embeddedService(settings, log);
  return {
    ...shared,
    ...service,
    backendFor: (...args) => observedBackend(service.backendFor(...args), service.kind),
    readiness: createReadiness(reach, { log }),
  };
}

/** What the data folder is needed for, each by the variable that would spare it. */
function keptInDataFolder(settings: Settings): readonly string[] {
  const { sessionKeys, serviceBaseUrl, serviceToken, databaseUrl, onDeploy } = settings;
  return [
    ...(sessionKeys.length > 0 ? [] : ["SESSION_KEY"]),
    ...(serviceBaseUrl || serviceToken ? [] : ["SERVICE_TOKEN"]),
    ...(serviceBaseUrl || databaseUrl || onDeploy ? [] : ["DATABASE_URL"]),
  ];
}
