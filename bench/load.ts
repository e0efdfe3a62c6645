/** Load on a local server: how many requests it answers per second. */

/** A request to repeat; without other headers, the answer is not compressed. */
export interface LoadRequest {
  readonly url: string;
  readonly init?: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

/** How to apply the load. */
export interface LoadOptions {
  readonly connections?: number;
  readonly ms?: number;
}

/** How many of the requests are sent first, to check their answers. */
const TRIED = 3;

/** How many requests of a list were sent: the next round continues there. */
const sent = new WeakMap<readonly LoadRequest[], number>();

/**
 * Requests answered per second, with that many connections that each wait for their answer. Several
 * requests to one server are sent in turn. Uses `wrk` if it is installed, since this process can
 * send only some 10,000 per second.
 */
export async function requestsPerSecond(
  load: LoadRequest | readonly LoadRequest[],
  { connections = 8, ms = 2000 }: LoadOptions = {},
): Promise<number> {
  const requests = "url" in load ? [load] : load;
  for (const request of requests.slice(0, TRIED)) await send(request);
  return await isWrkInstalled()
    ? await sentByWrk(requests, connections, ms)
    : await sentByFetch(requests, connections, ms);
}

/** The complete answer; an error unless it is 200 or 304. */
export async function send({ url, init = {} }: LoadRequest): Promise<Response> {
  const headers = { "accept-encoding": "identity", ...init.headers };
  const response = await fetch(url, { redirect: "manual", ...init, headers });
  const body = await response.bytes();
  const { status } = response;
  if (status !== 200 && status !== 304) throw new Error(`${url} was answered with ${status}`);
  return new Response(status === 304 ? null : body, response);
}

async function sentByFetch(
  requests: readonly LoadRequest[],
  connections: number,
  ms: number,
): Promise<number> {
  const started = performance.now();
  const until = started + ms;
  const from = sent.get(requests) ?? 0;
  let answered = 0;
  const work = async () => {
    while (performance.now() < until) {
      await send(requests[(from + answered++) % requests.length]);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  sent.set(requests, from + answered);
  return answered / ((performance.now() - started) / 1000);
}

let wrk: Promise<boolean> | undefined;

function isWrkInstalled(): Promise<boolean> {
  return wrk ??= (async () => {
    try {
      // Asked for its version, it exits with an error too.
      await new Deno.Command("wrk", { args: ["-v"], stdout: "null", stderr: "null" }).output();
      return true;
    } catch {
      return false;
    }
  })();
}

async function sentByWrk(
  requests: readonly LoadRequest[],
  connections: number,
  ms: number,
): Promise<number> {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  try {
    const from = sent.get(requests) ?? 0;
    await Deno.writeTextFile(script, wrkScript(requests, from % requests.length));
    const seconds = `${Math.ceil(ms / 1000)}s`;
    const args = [
      "-t1",
      "--timeout",
      "30s",
      `-c${connections}`,
      `-d${seconds}`,
      "-s",
      script,
      requests[0].url,
    ];
    const { stdout, stderr } = await new Deno.Command("wrk", { args }).output();
    const said = new TextDecoder().decode(stdout);
    const complained = new TextDecoder().decode(stderr);
    const [, rate] = /Requests\/sec:\s*([\d.]+)/.exec(said) ?? [];
    const failure = /Socket errors:.*[1-9].*|Non-2xx or 3xx responses: \d+/.exec(said)?.[0];
    if (!rate || failure || complained) throw new Error(failure ?? complained + said);
    sent.set(requests, from + Number(/(\d+) requests in/.exec(said)?.[1]));
    return Number(rate);
  } finally {
    await Deno.remove(script);
  }
}

/** A script for `wrk` with all requests prepared. */
function wrkScript(requests: readonly LoadRequest[], from: number): string {
  const made = requests.map(({ url, init: { method = "GET", headers = {}, body } = {} }) => {
    const { pathname, search } = new URL(url);
    const pairs = Object.entries(headers).map(([name, value]) =>
      `[ ${lua(name)} ] = ${lua(value)}`
    );
    const parts = [lua(method), lua(pathname + search), `{${pairs}}`, body ? lua(body) : "nil"];
    return `  requests[#requests + 1] = wrk.format(${parts.join(", ")})`;
  });
  return `requests = {}
at = ${from}
function init()
${made.join("\n")}
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`;
}

function lua(text: string): string {
  return `[===[${text}]===]`;
}

/** A program that serves; it prints its address on its first line. */
export interface ServingProgram {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The developer token of the apps that are measured. */
export const TOKEN = "token-of-the-benchmark";

/** Starts the app with a data folder and its own token. */
export function startApp(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServingProgram> {
  const settings = { PORT: "0", DATA_DIR: folder, SERVICE_TOKEN: TOKEN, LOG_LEVEL: "error" };
  return startServing(["main.ts"], { ...settings, ...env });
}

/** Serves a program's requests on a free port, and prints its address for {@linkcode startServing}. */
export function serveHere(handler: (request: Request) => Response | Promise<Response>): void {
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
    // A client that hung up gets no answer.
    onError: () => new Response(null, { status: 502 }),
  }, handler);
}

/**
 * Starts a program of `bench/` or of the app in its own process, and waits for its address; its log
 * goes where ours goes, or nowhere.
 */
export async function startServing(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { log = "inherit", cwd }: {
    readonly log?: "inherit" | "null";
    /** The folder to start it in. Default: this one. */
    readonly cwd?: string;
  } = {},
): Promise<ServingProgram> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...args],
    env,
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: log,
  }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let printed = "";
  while (!/http:\/\/[\w.]+:\d+/.test(printed)) {
    const { value, done } = await output.read();
    if (done) throw new Error(`The program ended before it served: ${printed}`);
    printed += value;
  }
  const [origin] = /http:\/\/[\w.]+:\d+/.exec(printed)!;
  return {
    origin,
    pid: process.pid,
    async stop() {
      process.kill("SIGTERM");
      await output.cancel();
      await process.status;
    },
  };
}
