/** Load on a server of this machine: how many requests it answers in a second. */

/** A request to send over and over. */
export interface LoadRequest {
  readonly url: string;
  readonly init?: RequestInit;
}

/** How a load is put on. */
export interface LoadOptions {
  readonly connections?: number;
  readonly ms?: number;
}

/** Requests answered a second, by that many connections that each wait for their answer. */
export async function requestsPerSecond(
  { url, init }: LoadRequest,
  { connections = 8, ms = 2000 }: LoadOptions = {},
): Promise<number> {
  const started = performance.now();
  const until = started + ms;
  let answered = 0;
  const work = async () => {
    while (performance.now() < until) {
      const response = await fetch(url, { redirect: "manual", ...init });
      if (!response.ok) throw new Error(`${url} answered with ${response.status}`);
      await response.arrayBuffer();
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return answered / ((performance.now() - started) / 1000);
}

/** A program that serves; it prints its address on its first line. */
export interface ServingProgram {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a program of `bench/` or of the app in a process of its own, and waits for its address; its
 * log goes where ours goes, or nowhere.
 */
export async function startServing(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  log: "inherit" | "null" = "inherit",
): Promise<ServingProgram> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...args],
    env,
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
