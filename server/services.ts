/**
 * What every request is served with: the backend, sessions, sign-in codes and the log. Opened once,
 * when the program starts, and handed to each request.
 */
import type { Backend } from "../lib/backend.ts";
import { createClient } from "../lib/client.ts";
import { isDocketError } from "../lib/errors.ts";
import { keptSecret, makeDataFolder } from "./data_folder.ts";
import { createLog, type Log } from "./log.ts";
import { sameSecret } from "./same_secret.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import type { Settings } from "./settings.ts";
import { createSignInAttempts, type SignInAttempts } from "./sign_in_attempts.ts";
import { createSignInCodes, type SignInCodes } from "./sign_in_codes.ts";
import { type Limit, limitInMemory } from "./store/limit.ts";
import { openStore } from "./store/open.ts";
import { fillWithSample } from "./store/sample/fill.ts";
import type { Store } from "./store/store.ts";
import { hashOf } from "./store/tokens.ts";

/** Where the data comes from. */
export type BackendKind = "embedded" | "upstream";

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
  /** The embedded service's storage; null with an upstream. */
  readonly store: Store | null;
  /** The embedded service's own developer token; null with an upstream, whose tokens are its own. */
  readonly embeddedToken: string | null;
  /** The backend as the bearer of a developer token sees it. */
  backendFor(token: string): Backend;
  /**
   * Whether the service accepts a developer token. An upstream is asked by one cheap call.
   *
   * @throws when the upstream could not be asked
   */
  accepts(token: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * Counts one request of a token; nothing without `RATE_LIMIT`.
   *
   * @throws {ProblemError} when it was one too many, with the time to wait
   */
  countRequest(token: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the services that the settings ask for: an upstream's client, or the embedded store. */
export async function openServices(settings: Settings): Promise<Services> {
  const log = createLog({
    level: settings.logLevel,
    format: settings.logFormat ?? (Deno.stderr.isTerminal() ? "text" : "json"),
  });
  const kept = keptInDataFolder(settings);
  if (kept.length > 0) makeDataFolder(settings.dataDir, kept);
  const sessions = await createSessions(
    kept.includes("SESSION_KEY")
      ? [keptSecret(settings.dataDir, "session-key")]
      : settings.sessionKeys,
  );
  const shared = {
    settings,
    sessions,
    signInCodes: createSignInCodes(),
    signInAttempts: createSignInAttempts(),
    log,
  };
  return settings.serviceBaseUrl
    ? { ...shared, ...upstreamService(settings.serviceBaseUrl, settings) }
    : { ...shared, ...await embeddedService(settings) };
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

type ServiceParts = Pick<
  Services,
  | "kind"
  | "identity"
  | "store"
  | "embeddedToken"
  | "backendFor"
  | "accepts"
  | "countRequest"
  | "close"
>;

function upstreamService(baseUrl: string, settings: Settings): ServiceParts {
  const backendFor = (token: string) =>
    createClient({ baseUrl, token, tokenHeader: settings.serviceTokenHeader });
  return {
    kind: "upstream",
    identity: baseUrl,
    store: null,
    embeddedToken: null,
    backendFor,
    async accepts(token, signal) {
      try {
        await backendFor(token).fileSets.search({}, { limit: 1, signal });
        return true;
      } catch (error) {
        if (isRefusal(error)) return false;
        throw error;
      }
    },
    countRequest: countingBy(settings.rateLimit, limitInMemory),
    close: () => Promise.resolve(),
  };
}

async function embeddedService(settings: Settings): Promise<ServiceParts> {
  const store = await openStore(settings);
  if (await store.isEmpty()) await fillWithSample(store, { now: new Date() });
  const embeddedToken = settings.serviceToken ?? keptSecret(settings.dataDir, "service-token");
  return {
    kind: "embedded",
    identity: "embedded",
    store,
    embeddedToken,
    backendFor: () => store,
    accepts: async (token) =>
      await sameSecret(token, embeddedToken) || await store.tokens.accepts(token, new Date()),
    countRequest: countingBy(settings.rateLimit, store.limit),
    close: async () => await store.close(),
  };
}

function countingBy(
  perMinute: number | null,
  makeLimit: (perMinute: number) => Limit,
): Services["countRequest"] {
  if (perMinute === null) return () => Promise.resolve();
  const limit = makeLimit(perMinute);
  // The counts may be kept in a database, where no token belongs.
  return async (token) => await limit(await hashOf(token));
}

function isRefusal(error: unknown): boolean {
  return isDocketError(error) && error.kind === "http" &&
    (error.status === 401 || error.status === 403);
}
