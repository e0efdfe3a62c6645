/** The program for one test: a process of its own, with the start task's permissions. */
import { assertEquals } from "@std/assert";
import denoConfig from "../deno.json" with { type: "json" };
import { TOKEN } from "./app.ts";
import { endProcess, runCommand } from "./processes.ts";
import { placeSample } from "./sample_database.ts";

const ROOT = new URL("..", import.meta.url);

/** The arguments with which the start task runs Deno. */
const START_ARGS: readonly string[] = denoConfig.tasks.start.command.split(" ").slice(1);

/** The running program. */
export interface Program {
  readonly origin: string;
  readonly dataDir: string;
  readonly process: Deno.ChildProcess;
  /** Everything that it has printed so far, on either stream. */
  printed(): string;
}

/** Does what {@linkcode outputOf} does, for a test that needs only what was printed meanwhile. */
export async function withProgram(...given: Parameters<typeof outputOf>): Promise<void> {
  await outputOf(...given);
}

/**
 * Runs a test with the program on a free port, once it has said that it is ready. A data folder that
 * is given stays; otherwise it gets one with the sample, which is removed. What it printed is shown
 * when the test fails. It may have `openFiles` files and connections open at once.
 *
 * @returns all that it printed
 * @throws with all that it printed, when it ends before it is ready
 */
export async function outputOf(
  { DATA_DIR, ...env }: Readonly<Record<string, string>>,
  test: (program: Program) => Promise<void>,
  { openFiles = 1000 }: { readonly openFiles?: number } = {},
): Promise<string> {
  const dataDir = DATA_DIR ?? await Deno.makeTempDir();
  const isEmbedded = !env.DATABASE_URL && !env.SERVICE_BASE_URL;
  if (DATA_DIR === undefined && isEmbedded) await placeSample(dataDir);
  const settings = { PORT: "0", DATA_DIR: dataDir, SERVICE_TOKEN: TOKEN, ...env };
  const started = [Deno.execPath(), ...START_ARGS];
  const process = new Deno.Command("sh", {
    args: ["-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...started],
    cwd: ROOT,
    env: settings,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  try {
    // The last line that it prints at its start, with an upstream or an embedded service.
    const ready = /listens on (\S+).*(of that service|for scripts)/s;
    return await withOutput(
      process,
      ready,
      ([, origin], printed) => test({ origin, dataDir, process, printed }),
    );
  } finally {
    if (DATA_DIR === undefined) await Deno.remove(dataDir, { recursive: true });
  }
}

/** Starts the program, which is to end by itself with code 1; returns what it said on standard error. */
export async function endOfProgram(env: Readonly<Record<string, string>>): Promise<string> {
  const { code, out, err } = await runCommand(Deno.execPath(), {
    args: ["run", "-A", "main.ts"],
    cwd: ROOT,
    env: { PORT: "0", ...env },
  });
  assertEquals([code, out], [1, ""]);
  return err;
}

/**
 * Uses a process once it has printed what `ready` finds, and ends it. What it printed is shown when
 * this fails.
 *
 * @returns all that it printed
 * @throws with all that it printed, when it ends before it is ready
 */
export async function withOutput(
  process: Deno.ChildProcess,
  ready: RegExp,
  use: (found: RegExpExecArray, printed: () => string) => Promise<void>,
): Promise<string> {
  let printed = "";
  let isReady = false;
  const said = Promise.withResolvers<RegExpExecArray>();
  async function read(stream: typeof process.stdout) {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      if (isReady) continue;
      const found = ready.exec(printed);
      isReady = found !== null;
      if (found) said.resolve(found);
    }
  }
  const ended = Promise.all([read(process.stdout), read(process.stderr)])
    .then(() => said.reject(new Error(`The program ended after: ${printed}`)));
  try {
    const found = await said.promise;
    try {
      await use(found, () => printed);
    } catch (error) {
      console.error(printed);
      throw error;
    }
  } finally {
    await endProcess(process);
    await ended;
  }
  return printed;
}
