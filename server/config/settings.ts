/** The settings, read from environment variables and checked once at start. */
import { DEFAULT_TOKEN_HEADER } from "../../lib/client/transport/request.ts";
import { OIDC_VARIABLES, readOidcSettings } from "./oidc_settings.ts";
import { OBSERVER_VARIABLES, readObserverSettings } from "./observer_settings.ts";
import {
  check,
  days,
  domains,
  folder,
  host,
  httpUrl,
  InvalidSetting,
  numberFrom,
  oneOf,
  origin,
  postgresUrl,
  token,
  zone,
} from "./setting_values.ts";

/** Every environment variable that the server reads. */
export const SERVER_VARIABLES = [
  "PORT",
  "HOST",
  "PUBLIC_ORIGIN",
  "HSTS_SUBDOMAINS",
  "SERVICE_BASE_URL",
  "SERVICE_TOKEN_HEADER",
  "SERVICE_TOKEN",
  "SERVICE_ZONE",
  "DATABASE_URL",
  "DATA_DIR",
  "SESSION_KEY",
  "RECORDS_KEY",
  "HOME_DOMAINS",
  "RETAIN_RUNS",
  "RATE_LIMIT",
  "LOG_LEVEL",
  "LOG_FORMAT",
  "RECORDS_READERS",
  ...OIDC_VARIABLES,
  ...OBSERVER_VARIABLES,
] as const;

/** Every environment variable that the server or a task reads. */
export const VARIABLES = [
  ...SERVER_VARIABLES,
  "DOCKET_URL",
  "DOCKET_TOKEN",
  "SYNC_FROM_URL",
  "SYNC_FROM_TOKEN",
] as const;

export const DEPLOY_VARIABLES = ["DENO_DEPLOY", "DENO_DEPLOYMENT_ID"] as const;

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof LOG_LEVELS[number];
const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = typeof LOG_FORMATS[number];

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** Whether the embedded service keeps its data in memory, where it ends with the process. */
export function isInMemory(settings: Settings): boolean {
  const { onDeploy, serviceBaseUrl, databaseUrl } = settings;
  return onDeploy && serviceBaseUrl === null && databaseUrl === null;
}

/** A setting that can't be used. The detail never repeats the value, which may be a secret. */
export interface SettingIssue {
  readonly variable: string;
  readonly detail: string;
}

/** Thrown when settings can't be used, with every issue. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  constructor(readonly issues: readonly SettingIssue[]) {
    super(issues.map(({ variable, detail }) => `${variable} ${detail}`).join("; "));
  }
}

/** The shortest key that seals, in characters: shorter ones could be guessed. */
export const SEALING_KEY_LENGTH = 32;

export const howToMakeAKey = "make one with `openssl rand -hex 32`";

/**
 * Reads all settings from the given variables; an empty variable counts as unset.
 *
 * @throws {SettingsError} with every issue at once
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>) {
  const issues: SettingIssue[] = [];

  /** Reads one variable. If `parse` throws, that is an issue, and the default is returned. */
  function read<T>(variable: string, fallback: T, parse: (text: string) => T): T {
    const text = env[variable]?.trim();
    if (!text) return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      issues.push({ variable, detail: error.message });
      return fallback;
    }
  }

  const report = (variable: string, detail: string) => void issues.push({ variable, detail });
  const onDeploy = DEPLOY_VARIABLES.some((name) => env[name]);
  const settings = {
    port: read("PORT", 8000, numberFrom(0, 65535)),
    host: read("HOST", onDeploy ? "0.0.0.0" : "127.0.0.1", host),
    /** Origin without a trailing slash, or null to take it from each request. */
    publicOrigin: read<string | null>("PUBLIC_ORIGIN", null, origin),
    /** Whether browsers must use TLS for all names below the origin's too. */
    hstsSubdomains: read("HSTS_SUBDOMAINS", "off", oneOf(["on", "off"])) === "on",
    /** Base URL of the upstream service, or null for the embedded one. */
    serviceBaseUrl: read<string | null>("SERVICE_BASE_URL", null, httpUrl),
    serviceTokenHeader: read("SERVICE_TOKEN_HEADER", DEFAULT_TOKEN_HEADER, headerName),
    /** Developer token of the embedded service, or null if it is in the data folder. */
    serviceToken: read<string | null>("SERVICE_TOKEN", null, token),
    /** IANA name of the zone of the service's times without one. */
    serviceZone: read("SERVICE_ZONE", "UTC", zone),
    databaseUrl: read<string | null>("DATABASE_URL", null, postgresUrl),
    dataDir: read("DATA_DIR", "./data", folder),
    /** Keys that seal sessions, the first for new ones; empty if the key is in the data folder. */
    sessionKeys: read<readonly string[]>("SESSION_KEY", [], sealingKeys),
    /** Keys that seal secrets in Docket's records. */
    recordsKeys: read<readonly string[]>("RECORDS_KEY", [], sealingKeys),
    /** Domains whose addresses are inside; empty for the most frequent one. */
    homeDomains: read<readonly string[]>("HOME_DOMAINS", [], domains),
    /** How long runs are retained, in milliseconds; null for ever. */
    retainRunsMs: read<number | null>("RETAIN_RUNS", null, days(30, 36_500)),
    /** Requests a minute for each token. */
    rateLimit: read<number | null>("RATE_LIMIT", null, numberFrom(1, 1_000_000)),
    logLevel: read<LogLevel>("LOG_LEVEL", "info", oneOf(LOG_LEVELS)),
    /** Null: text on a terminal, JSON elsewhere. */
    logFormat: read<LogFormat | null>("LOG_FORMAT", null, oneOf(LOG_FORMATS)),
    /** Whether this is Deno Deploy, which has no persistent disk. */
    onDeploy,
    /** Whether all who sign in may see all records; otherwise, what their token may read. */
    allReadRecords: read("RECORDS_READERS", "", oneOf(["all"])) === "all",
    /** Null if people sign in with tokens only. */
    oidc: readOidcSettings(read, report),
    observer: readObserverSettings(read, report),
  };
  if (settings.oidc && settings.serviceBaseUrl && !settings.observer.token) {
    report("OBSERVER_TOKEN", "is required with OIDC_ISSUER: pages read the service with it");
  }
  if (onDeploy) {
    // Elsewhere these are generated once and stored in the data folder.
    const required = [
      "SESSION_KEY",
      ...settings.serviceBaseUrl ? [] : ["SERVICE_TOKEN"],
      ...settings.databaseUrl ? ["RECORDS_KEY"] : [],
    ];
    for (const variable of required.filter((name) => !env[name]?.trim())) {
      issues.push({ variable, detail: `is required on Deno Deploy: ${howToMakeAKey}` });
    }
  }
  if (issues.length > 0) throw new SettingsError(issues);
  return settings;
}

/** Headers that already mean something else to Docket, to a proxy or in HTTP itself. */
const TAKEN_HEADERS = new RegExp(
  "^(accept|baggage|cache-control|connection|cookie|date|dnt|expect|forwarded|from|host|keep-alive|" +
    "last-event-id|origin|pragma|priority|range|referer|set-cookie|te|traceparent|tracestate|" +
    "trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|x-real-ip|" +
    "x-request-id|(accept|access-control|content|if|proxy|sec|x-forwarded)-.*)$",
  "i",
);

function headerName(text: string): string {
  const isName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
  check(isName, "be a header name of letters, digits and hyphens");
  check(!TAKEN_HEADERS.test(text), "be a header of its own: this one has another meaning already");
  return text;
}

function sealingKeys(text: string): readonly string[] {
  const keys = text.split(",").map((key) => key.trim());
  const areLong = keys.every((key) => key.length >= SEALING_KEY_LENGTH);
  check(areLong, `be keys of at least ${SEALING_KEY_LENGTH} characters: ${howToMakeAKey}`);
  return keys;
}
