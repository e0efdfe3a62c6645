/** Programs for one test: processes of their own, Docket with the start task's permissions. */
import denoConfig from "../deno.json" with { type: "json" };
import { TOKEN } from "./app.ts";
import { endProcess } from "./processes.ts";
import { placeSample } from "./sample_database.ts";

/** The arguments with which the start task runs Deno. */
const START_ARGS: readonly string[] = denoConfig.tasks.start.command.split(" ").slice(1);

/** A running process. */
export interface Running {
  readonly process: Deno.ChildProcess;
  /** Everything that it has printed so far, on either stream. */
  printed(): string;
  /** Ends it by a signal, waits until nobody can print any more, and gives its exit code. */
  end(signal?: Deno.Signal): Promise<number>;
}

/** The running program. */
export interface Program extends Running {
  readonly origin: string;
  readonly dataDir: string;
}

/**
 * Runs a test with the program on a free port, once it has said that it is ready. A data folder that
 * is given stays; otherwise it gets one with the sample, which is removed. It may have `openFiles`
 * files and connections open at once.
 */
export async function withProgram(
  { DATA_DIR, ...env }: Readonly<Record<string, string>>,
  test: (program: Program) => Promise<void>,
  { openFiles = 1000 }: { readonly openFiles?: number } = {},
): Promise<void> {
  const dataDir = DATA_DIR ?? await Deno.makeTempDir();
  const isEmbedded = !env.DATABASE_URL && !env.SERVICE_BASE_URL;
  if (DATA_DIR === undefined && isEmbedded) await placeSample(dataDir);
  const started = [Deno.execPath(), ...START_ARGS];
  const options = {
    args: ["-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...started],
    cwd: new URL("..", import.meta.url),
    env: { PORT: "0", DATA_DIR: dataDir, SERVICE_TOKEN: TOKEN, ...env },
  };
  try {
    // The last line that it prints at its start, with an upstream or an embedded service.
    const ready = /listens on (\S+).*(of that service|for scripts)/s;
    await withProcess(
      ["sh", options],
      ready,
      (running, [, origin]) => test({ ...running, origin, dataDir }),
    );
  } finally {
    if (DATA_DIR === undefined) await Deno.remove(dataDir, { recursive: true });
  }
}

/**
 * Uses a process once it has printed what `ready` finds, and ends it. What it printed is shown when
 * this fails, also because it ends before it is ready.
 */
export async function withProcess(
  [program, options]: ConstructorParameters<typeof Deno.Command>,
  ready: RegExp,
  use: (running: Running, found: RegExpExecArray) => Promise<void>,
): Promise<void> {
  const piped = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const process = new Deno.Command(program, { ...options, ...piped }).spawn();
  let printed = "";
  let found: RegExpExecArray | null = null;
  const started = Promise.withResolvers<RegExpExecArray>();
  async function read(stream: typeof process.stdout) {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      found ??= ready.exec(printed);
      if (found) started.resolve(found);
    }
  }
  const allRead = Promise.all([read(process.stdout), read(process.stderr)])
    .then(() => started.reject(new Error("The program ended")));
  async function end(signal: Deno.Signal = "SIGTERM"): Promise<number> {
    process.kill(signal);
    await allRead;
    return (await process.status).code;
  }
  try {
    await use({ process, printed: () => printed, end }, await started.promise);
  } catch (error) {
    throw new Error(`The program printed:\n${printed}`, { cause: error });
  } finally {
    await endProcess(process);
    await allRead;
  }
}
