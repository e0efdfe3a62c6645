/**
 * Docket, run as the program (`deno task start`): reads the settings, opens the backend and serves
 * until it is told to stop. Imported, as by tests, it serves nothing and exports `fetch`, which opens
 * the backend at the first request.
 */
import type { ConnectionInfo } from "./server/http/client_address.ts";
import { DataFolderError } from "./server/config/data_folder.ts";
import { createDraining, type Fetch } from "./server/program/draining.ts";
import { isLoopback, printableCode } from "./server/auth/sign_in_codes.ts";
import { readEnvironment } from "./server/config/environment.ts";
import { errorResponse } from "./server/program/error_response.ts";
import { withResponseHeaders } from "./server/http/response_headers.ts";
import { healthResponse, isHealthRequest } from "./server/program/health.ts";
import { logFormatOf } from "./server/log/log.ts";
import { reasonOf } from "./server/log/log_problem.ts";
import { print } from "./server/config/print.ts";
import { openServices, type Services } from "./server/program/services.ts";
import { DatabaseError } from "./server/store/database_error.ts";
import { requestIdOf } from "./server/http/request_id.ts";
import { readSettings, SettingsError } from "./server/config/settings.ts";
import { keepSpansPrivate } from "./server/log/telemetry/private_spans.ts";
import { unavailableResponse } from "./server/program/unavailable_response.ts";

/** The built server: its path is computed, so that types can be checked before the first build. */
interface BuiltServer {
  readonly version: string;
  createFetch(services: Services): Fetch;
}
const builtServer = new URL("./.output/server/index.mjs", import.meta.url).href;

function loadBuilt(): Promise<BuiltServer> {
  return import(builtServer);
}

keepSpansPrivate();

let opened: Promise<Fetch> | undefined;

export default {
  /** Answers one request of the console or the API. */
  async fetch(request: Request, info?: ConnectionInfo): Promise<Response> {
    const opening = opened ??= openFetch();
    let answer: Fetch;
    try {
      answer = await opening;
    } catch (error) {
      // What could not be opened is tried again with the next request.
      if (opened === opening) opened = undefined;
      for (const fault of startFaults(error) ?? [reasonOf(error)]) console.error(fault);
      return await answerUnopened(request);
    }
    return await answer(request, info);
  },
};

async function openFetch(): Promise<Fetch> {
  const services = await openServices(readSettings(readEnvironment()));
  return (await loadBuilt()).createFetch(services);
}

/** The answer where nothing could be opened: the program lives, and can't do its work. */
async function answerUnopened(request: Request): Promise<Response> {
  if (!isHealthRequest(request)) {
    return await unavailableResponse(request, "Docket could not begin", null);
  }
  const { version } = await loadBuilt();
  const answered = await healthResponse(request, {
    version,
    isReady: () => Promise.resolve(false),
  });
  const requestId = requestIdOf(request);
  return await withResponseHeaders(request, answered, { publicOrigin: null, requestId });
}

/** How long requests in flight may take to finish when the program is told to stop. */
const PATIENCE_MS = 4000;
/** How long the database may then take to be let go of. */
const CLOSING_MS = 500;

async function serve(): Promise<void> {
  const settings = readSettings(readEnvironment());
  const stop = toldToStop();
  const services = await openServices(settings);
  const { version, createFetch } = await loadBuilt();
  const { fetch, drain } = createDraining(
    createFetch(services),
    (request) => unavailableResponse(request, "Docket is ending", settings.publicOrigin),
  );
  const server = Deno.serve({
    hostname: settings.host,
    port: settings.port,
    onError: (error) =>
      errorResponse(error, { log: services.log, publicOrigin: settings.publicOrigin }),
    onListen: () => {},
  }, fetch);
  await Promise.race([begin(services, version, server.addr.port), stop]);

  await stop;
  services.readiness.end();
  const ended = drain().then(() => server.shutdown());
  if (!await isDoneWithin(PATIENCE_MS, ended)) services.log.warn("Requests were cut off");
  await isDoneWithin(CLOSING_MS, services.close());
  Deno.exit();
}

/** Opens the database and tells how to use Docket; what may mend meanwhile is no reason to end. */
async function begin(services: Services, version: string, port: number): Promise<void> {
  try {
    await services.open();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.endsStart) throw error;
    services.log.error("Docket tries again when it is asked", { reason: error.message });
  }
  announce(services, version, port);
}

/** Resolves when the program is told to stop, by the keyboard or by whatever runs it. */
function toldToStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isTold = false;
  const stop = () => {
    // Whoever says it twice does not want to wait.
    if (isTold) Deno.exit(1);
    isTold = true;
    resolve();
  };
  Deno.addSignalListener("SIGINT", stop);
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
  return promise;
}

/** Whether work is done, or has failed, within a time. */
async function isDoneWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  setTimeout(() => resolve(false), ms);
  return await Promise.race([work.then(() => true, () => true), late]);
}

/** Says where Docket listens and how to sign in; a log that programs read says the former too. */
function announce(services: Services, version: string, port: number): void {
  const { host, publicOrigin, serviceToken, dataDir } = services.settings;
  const name = isLoopback(host) || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const origin = publicOrigin ?? `http://${name}:${port}`;
  if (logFormatOf(services.settings) === "json") {
    services.log.info("Docket listens", { version, origin, service: services.kind });
  }
  print(`Docket ${version} listens on ${origin} (${services.kind} service)`);
  if (!services.embeddedToken) return;
  const code = printableCode(services);
  if (code) print(`Sign in within ten minutes, once: ${origin}/sign-in?code=${code}`);
  const place = serviceToken ? "the one in SERVICE_TOKEN" : `in ${dataDir}/service-token`;
  print(`The developer token for scripts is ${place}`);
}

/** What the person who starts the program can mend, a line each; null for a fault of ours. */
function startFaults(error: unknown): readonly string[] | null {
  if (error instanceof SettingsError) {
    return error.issues.map(({ variable, detail }) => `${variable} ${detail}`);
  }
  if (error instanceof DataFolderError || error instanceof DatabaseError) return [error.message];
  if (error instanceof Deno.errors.AddrInUse) {
    return ["The port is in use by another program; set PORT to another one"];
  }
  const isNoHost = error instanceof URIError || /lookup address/.test(String(error));
  if (error instanceof Deno.errors.AddrNotAvailable || isNoHost) {
    return ["HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0"];
  }
  return null;
}

if (import.meta.main) {
  try {
    await serve();
  } catch (error) {
    const faults = startFaults(error);
    if (!faults) throw error;
    for (const fault of faults) console.error(fault);
    Deno.exit(1);
  }
}
