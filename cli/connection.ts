/**
 * Where the service is and how to talk to it: from the command line, the environment and a profile.
 */
import { type ClientOptions, logHooks } from "../lib/mod.ts";
import type { ServiceSetting } from "../lib/setting_hint.ts";
import { readNamedFile, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import type { Values } from "./options.ts";
import { readCount } from "./values.ts";

interface Profile {
  readonly url?: string;
  readonly token?: string;
  readonly tokenHeader?: string;
}

export interface Connection {
  readonly options: ClientOptions;
  /** Where the options come from. */
  readonly setting: ServiceSetting;
}

/**
 * Reads how to reach the service: from `--token-file`, then the environment, then the profile.
 * Throws a UsageError when the service or the token is missing, or a file can't be used.
 */
export async function readConnection(values: Values, io: Io): Promise<Connection> {
  const { timeout, debug, "token-file": tokenFile } = values;
  const timeoutMs = timeout === undefined ? undefined : Number(timeout) * 1000;
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs < Infinity)) {
    throw new UsageError("--timeout must be a number of seconds greater than 0");
  }
  const attempts = readCount(values, "attempts", 1);
  const profileName = values.profile ?? io.env("DOCKET_PROFILE");
  const profile = await readProfile(profileName, io);
  const baseUrl = io.env("DOCKET_URL") || profile.url;
  const token = tokenFile === undefined
    ? io.env("DOCKET_TOKEN") || profile.token
    : (await readNamedFile("--token-file", tokenFile, io)).trim();
  if (!baseUrl) {
    throw new UsageError(
      "DOCKET_URL is not set: export the URL of the service, such as http://localhost:8000",
    );
  }
  if (!token) {
    throw new UsageError(
      "DOCKET_TOKEN is not set: export the developer token, or use --token-file",
    );
  }
  const tokenHeader = io.env("SERVICE_TOKEN_HEADER") || profile.tokenHeader;
  const ofProfile = (member: string) => `${member} of the profile "${profileName}"`;
  const setting = {
    baseUrl,
    urlName: io.env("DOCKET_URL") ? "DOCKET_URL" : ofProfile("url"),
    tokenName: tokenFile !== undefined
      ? `The token in ${tokenFile}`
      : io.env("DOCKET_TOKEN")
      ? "DOCKET_TOKEN"
      : ofProfile("token"),
  };
  const options = {
    baseUrl,
    token,
    tokenHeader: tokenHeader || undefined,
    timeoutMs,
    attempts,
    fetch: io.fetch,
    ...(debug && logHooks((line) => void io.err.write(`${line}\n`))),
  };
  return { options, setting };
}

async function readProfile(name: string | undefined, io: Io): Promise<Profile> {
  if (name === undefined) return {};
  const path = io.env("DOCKET_CONFIG") ||
    `${io.env("XDG_CONFIG_HOME") || `${io.env("HOME") ?? ""}/.config`}/docket/config.json`;
  const text = await io.readFile(path);
  if (text === undefined) throw new UsageError(`There is no configuration file ${path}`);
  // It holds tokens.
  if (await io.isReadByOthers(path)) {
    throw new UsageError(`${path} can be read by others: chmod 600 ${path}`);
  }
  let profiles: Readonly<Record<string, Profile>>;
  try {
    profiles = Object(JSON.parse(text).profiles);
  } catch {
    throw new UsageError(`${path} is not JSON`);
  }
  if (!Object.hasOwn(profiles, name)) {
    const known = Object.keys(profiles).join(", ") || "none";
    throw new UsageError(`${path} has no profile "${name}": it has ${known}`);
  }
  return profiles[name];
}
