/**
 * What every request is served with: the backend, sessions, sign-in codes and the log. Opened once,
 * when the program starts, and handed to each request.
 */
import type { Backend } from "../lib/backend.ts";
import { createClient } from "../lib/client.ts";
import { isDocketError } from "../lib/errors.ts";
import { normalizeBaseUrl, planSearch } from "../lib/request.ts";
import { keptSecret, makeDataFolder } from "./data_folder.ts";
import { createLog, type Log } from "./log.ts";
import { sameSecret } from "./same_secret.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import type { Settings } from "./settings.ts";
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
  readonly log: Log;
  /** Whether the store, or the upstream, can be reached. */
  readonly readiness: Readiness;
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
  const keysToSet = settings.sessionKeys.length > 0;
  if (!keysToSet || !settings.serviceBaseUrl) makeDataFolder(settings.dataDir);
  const sessions = await createSessions(
    keysToSet ? settings.sessionKeys : [keptSecret(settings.dataDir, "session-key")],
  );
  const shared = { settings, sessions, signInCodes: createSignInCodes(), log };
  const { reach, ...service } = settings.serviceBaseUrl
    ? upstreamService(settings.serviceBaseUrl, settings)
    : await embeddedService(settings);
  return { ...shared, ...service, readiness: createReadiness(reach, { log }) };
}

interface ServiceParts extends
  Pick<
    Services,
    | "kind"
    | "identity"
    | "store"
    | "embeddedToken"
    | "backendFor"
    | "accepts"
    | "countRequest"
    | "close"
  > {
  /** Asks for something trivial; rejects where there is no answer. */
  reach(signal: AbortSignal): Promise<unknown>;
}

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
    reach: (signal) => reachUpstream(baseUrl, signal),
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
    reach: () => store.isEmpty(),
    close: async () => await store.close(),
  };
}

/** Asks without a token, and not even rightly: to be refused is an answer as well. */
async function reachUpstream(baseUrl: string, signal: AbortSignal): Promise<void> {
  const { url } = planSearch(normalizeBaseUrl(baseUrl), "{}", { limit: 1 });
  const response = await fetch(url, { redirect: "manual", signal });
  await response.body?.cancel();
  if (response.status >= 500) throw new Error(`The upstream answered with ${response.status}`);
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
