/** Starts servers in processes of their own, and measures how many requests they answer per second. */
import { median } from "./bench.ts";

/** A request to repeat; without other headers, the answer is not compressed. */
export interface LoadRequest {
  readonly url: string;
  readonly init?: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

const CONNECTIONS = 8;
const ROUND_MS = 2000;
const ROUNDS = 5;

/** Medians of several rounds. */
export interface Rates {
  readonly measured: number;
  readonly baseline: number;
  readonly ratio: number;
}

/** Measures two servers in turns, so that other load affects both. The first round is a warm-up. */
export async function ratesOf(
  measured: readonly LoadRequest[],
  baseline: readonly LoadRequest[],
): Promise<Rates> {
  const rounds: Rates[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const ours = await requestsPerSecond(measured, round);
    const theirs = await requestsPerSecond(baseline, round);
    rounds.push({ measured: ours, baseline: theirs, ratio: ours / theirs });
  }
  const counted = rounds.slice(1);
  return {
    measured: median(counted.map(({ measured }) => measured)),
    baseline: median(counted.map(({ baseline }) => baseline)),
    ratio: median(counted.map(({ ratio }) => ratio)),
  };
}

/** Sends the requests in turn, over connections that each wait for their answer. */
async function requestsPerSecond(
  requests: readonly LoadRequest[],
  round: number,
): Promise<number> {
  const started = performance.now();
  const until = started + ROUND_MS;
  // Each round starts elsewhere, so that it does not repeat earlier requests.
  const from = Math.floor(requests.length * round / (ROUNDS + 1));
  let answered = 0;
  const work = async () => {
    while (performance.now() < until) {
      await send(requests[(from + answered++) % requests.length]);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return answered / ((performance.now() - started) / 1000);
}

/** Returns the complete answer. @throws unless its status is 200 */
export async function send({ url, init = {} }: LoadRequest): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { "accept-encoding": "identity", ...init.headers };
  const response = await fetch(url, { redirect: "manual", ...init, headers });
  const body = await response.bytes();
  if (response.status !== 200) throw new Error(`${url} was answered with ${response.status}`);
  return body;
}

/** A server process, which prints its address on its first line. */
interface ServingProgram {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The developer token of the apps that are measured. */
export const TOKEN = "token-of-the-benchmark";

export const API_HEADERS = {
  "X-SERVICE-Developer-Token": TOKEN,
  "content-type": "application/json",
};

/** Starts the app with a data folder and its own token. */
export function startApp(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServingProgram> {
  const settings = { PORT: "0", DATA_DIR: folder, SERVICE_TOKEN: TOKEN, LOG_LEVEL: "error" };
  return startServing(["main.ts"], { ...settings, ...env });
}

/** Serves on a free port, and prints the address for {@linkcode startServing}. */
export function serveHere(handler: (request: Request) => Response | Promise<Response>): void {
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
    // The client has hung up.
    onError: () => new Response(null, { status: 502 }),
  }, handler);
}

/** Starts a program in its own process, and waits until it prints its address. */
export async function startServing(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { log = "inherit", cwd }: { readonly log?: "inherit" | "null"; readonly cwd?: string } = {},
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
