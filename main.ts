/**
 * Docket, run as the program (`deno task start`): reads the settings, opens the backend and serves
 * until it is told to stop. Imported (`deno serve main.ts`, Deno Deploy, tests), it only exports
 * `fetch`, and opens the backend at the first request.
 */
import { parseEnv } from "node:util";
import { openServices, type Services } from "./server/services.ts";
import { readSettings, type Settings, SettingsError } from "./server/settings.ts";

/** The built server: its path is computed, so that types can be checked before the first build. */
interface BuiltServer {
  createFetch(services: Services): (request: Request) => Promise<Response>;
}
const builtServer = new URL("./.output/server/index.mjs", import.meta.url).href;

async function createFetch(services: Services) {
  const built = await import(builtServer) as BuiltServer;
  return built.createFetch(services);
}

/** Settings from the environment, and from a `.env` file beside this one where there is one. */
function currentSettings(): Settings {
  return readSettings({ ...dotEnv(), ...Deno.env.toObject() });
}

function dotEnv(): Record<string, string | undefined> {
  try {
    return parseEnv(Deno.readTextFileSync(new URL(".env", import.meta.url)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return {};
    throw error;
  }
}

let opened: Promise<(request: Request) => Promise<Response>> | undefined;

export default {
  /** Answers one request of the console or the API. */
  async fetch(request: Request): Promise<Response> {
    opened ??= openServices(currentSettings()).then(createFetch);
    return await (await opened)(request);
  },
};

async function serve(): Promise<void> {
  const settings = currentSettings();
  const services = await openServices(settings);
  const fetch = await createFetch(services);
  const server = Deno.serve({
    hostname: settings.host,
    port: settings.port,
    onListen: ({ port }) => announce(services, port),
  }, fetch);

  const stop = () => server.shutdown();
  Deno.addSignalListener("SIGINT", stop);
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
  await server.finished;
  await services.close();
  Deno.exit();
}

/** Says where Docket listens and how to sign in; a code is only printed where it can't travel. */
function announce(services: Services, port: number): void {
  const { host, publicOrigin } = services.settings;
  const loopback = ["127.0.0.1", "localhost", "::1"].includes(host);
  const name = loopback || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const origin = publicOrigin ?? `http://${name}:${port}`;
  console.log(`Docket listens on ${origin} (${services.kind} service)`);
  if (!services.embeddedToken) return;
  if (loopback) {
    console.log(
      `Sign in within ten minutes, once: ${origin}/sign-in?code=${services.signInCodes.issue()}`,
    );
  }
  const { serviceToken, dataDir } = services.settings;
  console.log(
    `The developer token for scripts is ${
      serviceToken ? "the one in SERVICE_TOKEN" : `in ${dataDir}/service-token`
    }`,
  );
}

if (import.meta.main) {
  try {
    await serve();
  } catch (error) {
    if (!(error instanceof Error) || !/^(Settings|DataFolder)Error$/.test(error.name)) throw error;
    for (const fault of error instanceof SettingsError ? error.faults : []) {
      console.error(`${fault.variable} ${fault.detail}`);
    }
    if (!(error instanceof SettingsError)) console.error(error.message);
    Deno.exit(1);
  }
}
