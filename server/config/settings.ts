/** The settings, read from environment variables and checked once at start. */
import { DEFAULT_TOKEN_HEADER } from "../../lib/client/transport/request.ts";
import { OIDC_SETTINGS, readOidcSettings } from "./oidc_settings.ts";
import { OBSERVER_SETTINGS, readObserverSettings } from "./observer_settings.ts";
import { createReader, optional, setting, type SettingIssue } from "./setting_table.ts";
import {
  check,
  days,
  domains,
  host,
  httpUrl,
  isOn,
  numberFrom,
  origin,
  parseChoice,
  parseList,
  postgresUrl,
  statuses,
  token,
  zone,
} from "./setting_values.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof LOG_LEVELS[number];
const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = typeof LOG_FORMATS[number];

/** The shortest key that seals, in characters: shorter ones could be guessed. */
export const SEALING_KEY_LENGTH = 32;

export const howToMakeAKey = "make one with `openssl rand -hex 32`";

const sealingKeys = parseList(
  (key) => key.length >= SEALING_KEY_LENGTH,
  `be keys of at least ${SEALING_KEY_LENGTH} characters: ${howToMakeAKey}`,
);

const SETTINGS = {
  port: setting("PORT", numberFrom(0, 65535), 8000),
  host: optional("HOST", host),
  /** Origin without a trailing slash, or null to take it from each request. */
  publicOrigin: optional("PUBLIC_ORIGIN", origin),
  /** Whether browsers must use TLS for all names below the origin's too. */
  hstsSubdomains: setting("HSTS_SUBDOMAINS", isOn, false),
  /** Base URL of the upstream service, or null for the embedded one. */
  serviceBaseUrl: optional("SERVICE_BASE_URL", httpUrl),
  serviceTokenHeader: setting("SERVICE_TOKEN_HEADER", headerName, DEFAULT_TOKEN_HEADER),
  /** Developer token of the embedded service, or null if it is in the data folder. */
  serviceToken: optional("SERVICE_TOKEN", token),
  serviceZone: setting("SERVICE_ZONE", zone, "UTC"),
  databaseUrl: optional("DATABASE_URL", postgresUrl),
  dataDir: setting("DATA_DIR", (text) => text, "./data"),
  /** Keys that seal sessions, the first for new ones; empty if the key is in the data folder. */
  sessionKeys: setting("SESSION_KEY", sealingKeys, []),
  recordsKeys: setting("RECORDS_KEY", sealingKeys, []),
  /** Domains whose addresses are inside; empty for the most frequent one. */
  homeDomains: setting("HOME_DOMAINS", domains, []),
  /** What the service's statuses mean; people may say otherwise. */
  statuses: setting("STATUSES", statuses, {}),
  /** How long runs are retained, in milliseconds; null for ever. */
  retainRunsMs: optional("RETAIN_RUNS", days(30, 36_500)),
  rateLimit: optional("RATE_LIMIT", numberFrom(1, 1_000_000)),
  logLevel: setting("LOG_LEVEL", parseChoice(LOG_LEVELS), "info"),
  /** Null: text on a terminal, JSON elsewhere. */
  logFormat: optional("LOG_FORMAT", parseChoice(LOG_FORMATS)),
  /** Whether everybody whose token an upstream service answers sees the records. */
  allReadRecords: setting("RECORDS_READERS", (text) => parseChoice(["all"])(text) === "all", false),
};

export const SERVER_VARIABLES: readonly string[] = [SETTINGS, OIDC_SETTINGS, OBSERVER_SETTINGS]
  .flatMap((table) => Object.values(table).map(({ variable }) => variable));

/** Every environment variable that the server or a task reads. */
export const VARIABLES: readonly string[] = [
  ...SERVER_VARIABLES,
  "DOCKET_URL",
  "DOCKET_TOKEN",
  "DOCKET_STATUSES",
];

export const DEPLOY_VARIABLES = ["DENO_DEPLOY", "DENO_DEPLOYMENT_ID"] as const;

export type Settings = Readonly<ReturnType<typeof readSettings>> & {
  /** Whether SQLite runs in threads, for which most tests don't wait. Default: true. */
  readonly inThreads?: boolean;
};

/** Whether the embedded service has its data in memory only, until the process ends. */
export function isInMemory(settings: Settings): boolean {
  const { onDeploy, serviceBaseUrl, databaseUrl } = settings;
  return onDeploy && serviceBaseUrl === null && databaseUrl === null;
}

export class SettingsError extends Error {
  override readonly name = "SettingsError";
  constructor(readonly issues: readonly SettingIssue[]) {
    super(issues.map(({ variable, detail }) => `${variable} ${detail}`).join("; "));
  }
}

/** Reads the settings. @throws {SettingsError} with every issue at once. */
export function readSettings(env: Readonly<Record<string, string | undefined>>) {
  const reader = createReader(env);
  const { issues, report, isMissing } = reader;
  const onDeploy = DEPLOY_VARIABLES.some((name) => env[name]);
  const base = reader.read(SETTINGS);
  const settings = {
    ...base,
    host: base.host ?? (onDeploy ? "0.0.0.0" : "127.0.0.1"),
    onDeploy,
    /** Null if people sign in with tokens only. */
    oidc: readOidcSettings(reader),
    observer: readObserverSettings(reader),
  };
  if (settings.oidc && base.serviceBaseUrl && !settings.observer.token) {
    report("OBSERVER_TOKEN", "is required with OIDC_ISSUER: pages read the service with it");
  }
  if (onDeploy) {
    // Elsewhere these are generated once and stored in the data folder.
    const required = [
      "SESSION_KEY",
      ...base.serviceBaseUrl ? [] : ["SERVICE_TOKEN"],
      ...base.databaseUrl ? ["RECORDS_KEY"] : [],
    ];
    for (const variable of required.filter(isMissing)) {
      report(variable, `is required on Deno Deploy: ${howToMakeAKey}`);
    }
  }
  if (issues.length > 0) throw new SettingsError(issues);
  return settings;
}

/** Headers that already mean something else to Docket, to a proxy or in HTTP itself. */
const RESERVED_HEADERS = new RegExp(
  "^(accept|baggage|cache-control|connection|cookie|date|dnt|expect|forwarded|from|host|keep-alive|" +
    "last-event-id|origin|pragma|priority|range|referer|set-cookie|te|traceparent|tracestate|" +
    "trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|x-real-ip|" +
    "x-request-id|(accept|access-control|content|if|proxy|sec|x-forwarded)-.*)$",
  "i",
);

function headerName(text: string): string {
  const isName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
  check(isName, "be a header name of letters, digits and hyphens");
  check(!RESERVED_HEADERS.test(text), "be another header: this one already has a meaning");
  return text;
}
