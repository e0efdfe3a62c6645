/** Everything that can be set from outside, read and checked once, at start. */
import { isTokenText } from "../../lib/check.ts";
import { DEFAULT_TOKEN_HEADER } from "../../lib/request.ts";

/** Every environment variable that the server reads. */
export const SERVER_VARIABLES = [
  "PORT",
  "HOST",
  "PUBLIC_ORIGIN",
  "SERVICE_BASE_URL",
  "SERVICE_TOKEN_HEADER",
  "SERVICE_TOKEN",
  "DATABASE_URL",
  "DATA_DIR",
  "SESSION_KEY",
  "RATE_LIMIT",
  "LOG_LEVEL",
  "LOG_FORMAT",
] as const;

/** Every environment variable that the server or a task reads. */
export const VARIABLES = [
  ...SERVER_VARIABLES,
  "DOCKET_URL",
  "DOCKET_TOKEN",
  "SYNC_FROM_URL",
  "SYNC_FROM_TOKEN",
] as const;

/** How Deno Deploy says that it is Deno Deploy. */
export const DEPLOY_VARIABLES = ["DENO_DEPLOY", "DENO_DEPLOYMENT_ID"] as const;

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof LOG_LEVELS[number];
export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = typeof LOG_FORMATS[number];

/** The settings, checked and with their defaults. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Origin without a trailing slash, or null when it is taken from each request. */
  readonly publicOrigin: string | null;
  /** Base URL of the upstream service, or null for the embedded one. */
  readonly serviceBaseUrl: string | null;
  readonly serviceTokenHeader: string;
  /** Developer token of the embedded service, or null when it is kept in the data folder. */
  readonly serviceToken: string | null;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Keys that seal sessions, the first for new ones; empty when kept in the data folder. */
  readonly sessionKeys: readonly string[];
  /** Requests a minute for each token, or null for no limit. */
  readonly rateLimit: number | null;
  readonly logLevel: LogLevel;
  /** Null: text on a terminal, JSON elsewhere. */
  readonly logFormat: LogFormat | null;
  /** Whether this is Deno Deploy, where no disk lasts. */
  readonly onDeploy: boolean;
}

/** Whether the embedded service's data is in memory: each process has its own, and it ends with it. */
export function isInMemory(settings: Settings): boolean {
  const { onDeploy, serviceBaseUrl, databaseUrl } = settings;
  return onDeploy && serviceBaseUrl === null && databaseUrl === null;
}

/** What is wrong with one variable. Never carries its value: it may be a secret. */
export interface SettingIssue {
  readonly variable: string;
  readonly detail: string;
}

/** Thrown when settings are wrong, with every fault. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  constructor(readonly faults: readonly SettingIssue[]) {
    super(faults.map((fault) => `${fault.variable} ${fault.detail}`).join("; "));
  }
}

/** Shortest session key: the sealing derives its own keys from it, so this is about guessing. */
export const SESSION_KEY_LENGTH = 32;

/**
 * Reads all settings from the given variables; an empty variable counts as unset.
 *
 * @throws {SettingsError} with every fault at once
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const faults: SettingIssue[] = [];

  /** Reads one variable; a reading that fails is a fault, and the default stands in meanwhile. */
  function read<T>(variable: string, fallback: T, parse: (text: string) => T | Fault): T {
    const text = env[variable]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (!(value instanceof Fault)) return value;
    faults.push({ variable, detail: value.detail });
    return fallback;
  }

  const onDeploy = DEPLOY_VARIABLES.some((name) => env[name]);
  const settings: Settings = {
    port: read("PORT", 8000, (text) => wholeNumber(text, 0, 65535)),
    host: read("HOST", onDeploy ? "0.0.0.0" : "127.0.0.1", (text) => text),
    publicOrigin: read<string | null>("PUBLIC_ORIGIN", null, origin),
    serviceBaseUrl: read<string | null>("SERVICE_BASE_URL", null, httpUrl),
    serviceTokenHeader: read("SERVICE_TOKEN_HEADER", DEFAULT_TOKEN_HEADER, headerName),
    serviceToken: read<string | null>("SERVICE_TOKEN", null, headerValue),
    databaseUrl: read<string | null>("DATABASE_URL", null, postgresUrl),
    dataDir: read("DATA_DIR", "./data", (text) => text),
    sessionKeys: read<readonly string[]>("SESSION_KEY", [], sessionKeys),
    rateLimit: read<number | null>("RATE_LIMIT", null, (text) => wholeNumber(text, 1, 1_000_000)),
    logLevel: read<LogLevel>("LOG_LEVEL", "info", (text) => oneOf(text, LOG_LEVELS)),
    logFormat: read<LogFormat | null>("LOG_FORMAT", null, (text) => oneOf(text, LOG_FORMATS)),
    onDeploy,
  };
  if (onDeploy) {
    // Elsewhere these are made once and kept; there, no disk lasts to keep them.
    const required = settings.serviceBaseUrl ? ["SESSION_KEY"] : ["SESSION_KEY", "SERVICE_TOKEN"];
    for (const variable of required.filter((name) => !env[name]?.trim())) {
      faults.push({ variable, detail: `is required on Deno Deploy: ${howToMakeAKey}` });
    }
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

/** How a key or a token is made. */
export const howToMakeAKey = "make one with `openssl rand -hex 32`";

/** What a reading answers instead of a value, so that all faults can be told together. */
class Fault {
  constructor(readonly detail: string) {}
}

function wholeNumber(text: string, min: number, max: number): number | Fault {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max
    ? value
    : new Fault(`must be a whole number from ${min} to ${max}`);
}

function oneOf<T extends string>(text: string, allowed: readonly T[]): T | Fault {
  return allowed.find((value) => value === text) ??
    new Fault(`must be one of ${allowed.join(", ")}`);
}

function parseUrl(text: string, protocols: readonly string[]): URL | null {
  const url = URL.parse(text);
  return url && protocols.includes(url.protocol) ? url : null;
}

function httpUrl(text: string): string | Fault {
  const url = parseUrl(text, ["http:", "https:"]);
  if (!url) return new Fault("must be an http or https URL, such as https://service.example.com");
  if (url.username || url.password || url.search || url.hash) {
    return new Fault("must carry no user, password, query or fragment");
  }
  return url.href;
}

function origin(text: string): string | Fault {
  const url = parseUrl(text, ["http:", "https:"]);
  return url && text.replace(/\/$/, "") === url.origin
    ? url.origin
    : new Fault("must be an origin without a path, such as https://docket.example.com");
}

function postgresUrl(text: string): string | Fault {
  return parseUrl(text, ["postgres:", "postgresql:"])
    ? text
    : new Fault("must be a URL of the form postgres://user:password@host:5432/database");
}

/** Headers that mean something else already, to Docket, to a proxy or to HTTP itself. */
const TAKEN_HEADERS = new RegExp(
  "^(accept|baggage|cache-control|connection|cookie|date|dnt|expect|forwarded|from|host|keep-alive|" +
    "last-event-id|origin|pragma|priority|range|referer|set-cookie|te|traceparent|tracestate|" +
    "trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|x-real-ip|" +
    "x-request-id|(accept|access-control|content|if|proxy|sec|x-forwarded)-.*)$",
  "i",
);

function headerName(text: string): string | Fault {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)) {
    return new Fault("must be a header name of letters, digits and hyphens");
  }
  return TAKEN_HEADERS.test(text)
    ? new Fault("must be a header of its own: this one has another meaning already")
    : text;
}

function headerValue(text: string): string | Fault {
  return isTokenText(text)
    ? text
    : new Fault("must be printable ASCII without spaces, as it is sent in a header");
}

function sessionKeys(text: string): readonly string[] | Fault {
  const keys = text.split(",").map((key) => key.trim());
  return keys.every((key) => key.length >= SESSION_KEY_LENGTH)
    ? keys
    : new Fault(`must be keys of at least ${SESSION_KEY_LENGTH} characters: ${howToMakeAKey}`);
}
