/**
 * Docket as a program (`deno task start`): reads the settings, opens the backend and serves until a
 * signal stops it. When another program imports it, as Deno Deploy does, it only exports `fetch`, which
 * opens the backend on the first request.
 */
import type { ConnectionInfo } from "./server/http/client_address.ts";
import { DataFolderError } from "./server/config/data_folder.ts";
import { createDraining, type Handler, listen } from "./server/program/listener.ts";
import { printableCode } from "./server/auth/sign_in_codes.ts";
import { readEnvironment } from "./server/config/environment.ts";
import {
  errorResponse,
  healthResponse,
  isHealthRequest,
  unavailableResponse,
} from "./server/program/responses.ts";
import { chooseRequestId, withResponseHeaders } from "./server/http/response_headers.ts";
import { chosenLogFormat } from "./server/log/log.ts";
import { failureReason } from "./server/log/log_problem.ts";
import { print } from "./server/config/print.ts";
import { startObserving } from "./server/program/observing.ts";
import { shownOrigin } from "./server/http/host.ts";
import { onEndOfNpm } from "./server/program/outer_processes.ts";
import { openServices, type Services } from "./server/program/services.ts";
import { registerRounds } from "./server/program/rounds.ts";
import { checkKeys } from "./server/observer/records_keys.ts";
import { DatabaseError } from "./server/store/database/database.ts";
import { isInMemory, readSettings, SettingsError } from "./server/config/settings.ts";
import { keepSpansPrivate } from "./server/log/telemetry.ts";

/** The built server. Its path is computed, so that types can be checked before the first build. */
interface BuiltServer {
  readonly version: string;
  createFetch(services: Services): Handler;
}
const builtServer = new URL("./.output/server/index.mjs", import.meta.url).href;

function loadBuilt(): Promise<BuiltServer> {
  return import(builtServer);
}

keepSpansPrivate();
// Deno Deploy only finds cron jobs that are registered at the top level.
registerRounds();

let opened: Promise<Handler> | undefined;

export default {
  async fetch(request: Request, info?: ConnectionInfo): Promise<Response> {
    const opening = opened ??= openFetch();
    let handle: Handler;
    try {
      handle = await opening;
    } catch (error) {
      // The next request tries again.
      if (opened === opening) opened = undefined;
      for (const message of startErrors(error) ?? [failureReason(error)]) console.error(message);
      return await notStartedResponse(request);
    }
    return await handle(request, info);
  },
};

async function openFetch(): Promise<Handler> {
  const services = openServices(readSettings(readEnvironment()));
  checkRecordsKeys(services);
  // Nobody else can see records in memory.
  if (isInMemory(services.settings)) startObserving(services, services.settings.port);
  return (await loadBuilt()).createFetch(services);
}

/** The response while the backend can't be opened: the program is alive, but not ready. */
async function notStartedResponse(request: Request): Promise<Response> {
  if (!isHealthRequest(request)) {
    return await unavailableResponse(request, "Docket could not start", null);
  }
  const { version } = await loadBuilt();
  const response = await healthResponse(request, {
    version,
    isReady: () => Promise.resolve(false),
  });
  const requestId = chooseRequestId(request);
  return await withResponseHeaders(request, response, { site: null, requestId });
}

/** How long requests in flight may take to finish when the program stops. */
const DRAIN_MS = 4000;
/** How long the database may take to close after that. */
const CLOSE_MS = 500;

async function serve(): Promise<void> {
  const settings = readSettings(readEnvironment());
  const stopped = stopSignal();
  const services = openServices(settings);
  const { version, createFetch } = await loadBuilt();
  const { fetch, drain } = createDraining(
    createFetch(services),
    (request) => unavailableResponse(request, "Docket is stopping", settings),
  );
  const listener = listen(
    {
      hostname: settings.host,
      port: settings.port,
      onError: (error) => errorResponse(error, { log: services.log, site: settings }),
      onListen: () => {},
    },
    fetch,
    services.log,
  );
  await Promise.race([start(services, version, listener.port), stopped]);
  checkRecordsKeys(services);
  const observing = startObserving(services, listener.port);

  await stopped;
  services.readiness.end();
  const ended = Promise.all([drain().then(() => listener.shutdown()), observing.stop()]);
  if (!await isDoneWithin(DRAIN_MS, ended)) services.log.warn("Requests were interrupted");
  await isDoneWithin(CLOSE_MS, services.close());
  Deno.exit();
}

/** Opens the database and prints how to use Docket. Continues if the database may recover. */
async function start(services: Services, version: string, port: number): Promise<void> {
  try {
    await services.open();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.endsStart) throw error;
    services.log.error("The database is not available; Docket tries again with each request", {
      reason: error.message,
    });
  }
  announce(services, version, port);
}

/** Checks the keys once the database is open. Tries once. */
function checkRecordsKeys({ recordsKeys, records, recordsSealing, log, open }: Services): void {
  if (!records) return;
  open().then(() => checkKeys(records, recordsKeys, recordsSealing!, log)).catch((error) => {
    log.debug("The keys were not checked", { reason: failureReason(error) });
  });
}

/** Resolves on the first signal, and when npm ends; a second signal ends the program at once. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  const stop = () => {
    if (isStopping) Deno.exit(1);
    isStopping = true;
    resolve();
  };
  Deno.addSignalListener("SIGINT", stop);
  if (Deno.build.os !== "windows") {
    Deno.addSignalListener("SIGTERM", stop);
    // A terminal that closes tells `deno task`, which tells this program a second time.
    Deno.addSignalListener("SIGHUP", resolve);
  }
  onEndOfNpm(resolve);
  return promise;
}

/** Whether `work` finishes or fails within `ms`. */
async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  setTimeout(() => resolve(false), ms);
  return await Promise.race([work.then(() => true, () => true), late]);
}

/** Prints where Docket listens and how to sign in. A JSON log also records where it listens. */
function announce(services: Services, version: string, port: number): void {
  const { serviceToken, dataDir } = services.settings;
  const origin = shownOrigin(services.settings, port);
  const service = services.store ? "embedded" : "upstream";
  if (chosenLogFormat(services.settings) === "json") {
    services.log.info("Docket listens", { version, origin, service });
  }
  print(`Docket ${version} listens on ${origin} (${service} service)`);
  if (!services.embeddedToken) {
    return print(
      "Sign in with a Docket token, or one of that service; OBSERVER_TOKEN is an operator's",
    );
  }
  const code = printableCode(services);
  if (code) print(`Sign in within ten minutes, once: ${origin}/sign-in?code=${code}`);
  const purpose = code ? "for scripts" : "for signing in and for scripts";
  const source = serviceToken ? "the one in SERVICE_TOKEN" : `in ${dataDir}/service-token`;
  print(`The developer token ${purpose} is ${source}`);
}

/** Messages about what the person who starts the program can fix; null for unexpected errors. */
function startErrors(error: unknown): readonly string[] | null {
  if (error instanceof SettingsError) {
    const messages = error.issues.map(({ variable, detail }) => `${variable} ${detail}`);
    return [...messages, ...listenErrors(error.issues.map(({ variable }) => variable))];
  }
  if (error instanceof DataFolderError || error instanceof DatabaseError) return [error.message];
  if (error instanceof Deno.errors.AddrInUse) {
    const port = readEnvironment().PORT?.trim() || 8000;
    return [`Port ${port} is in use by another program: set PORT to another one, such as 8080`];
  }
  const isUnknownHost = error instanceof URIError || /lookup address/.test(String(error));
  if (error instanceof Deno.errors.AddrNotAvailable || isUnknownHost) {
    return ["HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0"];
  }
  return null;
}

/** Tries to listen, so that an unusable HOST is reported together with the other invalid settings. */
function listenErrors(invalid: readonly string[]): readonly string[] {
  const { HOST, PORT } = readEnvironment();
  if (!HOST?.trim() || invalid.includes("HOST") || invalid.includes("PORT")) return [];
  try {
    Deno.listen({ hostname: HOST.trim(), port: Number(PORT?.trim() || 8000) }).close();
    return [];
  } catch (error) {
    return startErrors(error) ?? [];
  }
}

const HELP = `Serves the console and the API until it is stopped, for example by Ctrl+C.

deno task start

Settings are environment variables, such as PORT=9000, or lines in a file .env: docs/settings.md
lists them.`;

if (import.meta.main) {
  if (Deno.args.includes("--help")) {
    console.log(HELP);
    Deno.exit(0);
  }
  if (Deno.args.length > 0) {
    console.error(`Too many arguments: "${Deno.args[0]}"; see --help`);
    Deno.exit(2);
  }
  try {
    await serve();
  } catch (error) {
    const messages = startErrors(error);
    if (!messages) throw error;
    for (const message of messages) console.error(message);
    Deno.exit(1);
  }
}
