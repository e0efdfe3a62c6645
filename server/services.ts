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
import { createSignInCodes, type SignInCodes } from "./sign_in_codes.ts";
import { type Limit, limitInMemory } from "./store/limit.ts";
import { keptOpen } from "./store/kept_open.ts";
import { openEngine } from "./store/open.ts";
import { fillWithSample } from "./store/sample/fill.ts";
import { type Store, storeOn } from "./store/store.ts";
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
  /**
   * Opens the embedded service's database where it is not open yet; nothing with an upstream. Every
   * request that needs it does the same.
   *
   * @throws {ProblemError} when it can't be used, or not yet
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The services that the settings ask for: an upstream's client, or the embedded store, whose database
 * is opened when it is needed.
 */
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
  return settings.serviceBaseUrl
    ? { ...shared, ...upstreamService(settings.serviceBaseUrl, settings) }
    : { ...shared, ...embeddedService(settings, log) };
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
  | "open"
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
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** A request that writes must not hold up all others while another process is writing. */
const BUSY_MS = 100;

function embeddedService(settings: Settings, log: Log): ServiceParts {
  let wasOpen = false;
  const engine = keptOpen(async () => {
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
    open: () => engine.open(),
    close: () => engine.close(),
  };
}

async function fillWhenEmpty(store: Store): Promise<void> {
  if (await store.isEmpty()) await fillWithSample(store, { now: new Date() });
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
