/** Where the service is and how to talk to it: from the command line and the environment. */
import { type ClientOptions, logHooks } from "../lib/mod.ts";
import type { ServiceSetting } from "../lib/setting_hint.ts";
import { readNamedFile, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import type { Values } from "./options.ts";
import { readCount } from "./values.ts";

export interface Connection {
  readonly options: ClientOptions;
  /** Where the options come from. */
  readonly setting: ServiceSetting;
}

export async function readConnection(values: Values, io: Io): Promise<Connection> {
  const { timeout, debug, "token-file": tokenFile } = values;
  const timeoutMs = timeout === undefined ? undefined : Number(timeout) * 1000;
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs < Infinity)) {
    throw new UsageError("--timeout must be a number of seconds greater than 0");
  }
  const attempts = readCount(values, "attempts", 1);
  const baseUrl = io.env("DOCKET_URL");
  const token = tokenFile === undefined
    ? io.env("DOCKET_TOKEN")
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
  const setting = {
    baseUrl,
    urlName: "DOCKET_URL",
    tokenName: tokenFile === undefined ? "DOCKET_TOKEN" : `The token in ${tokenFile}`,
  };
  const options = {
    baseUrl,
    token,
    tokenHeader: io.env("SERVICE_TOKEN_HEADER") || undefined,
    timeoutMs,
    attempts,
    fetch: io.fetch,
    ...(debug && logHooks((line) => void io.err.write(`${line}\n`))),
  };
  return { options, setting };
}
