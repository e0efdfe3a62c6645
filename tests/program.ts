/** The program for one test: a process of its own, with the start task's permissions. */
import { denoArguments } from "../server/program/permissions.ts";
import { TOKEN } from "./app.ts";
import { placeSample } from "./sample_database.ts";

const ROOT = new URL("..", import.meta.url);

/** The running program. */
export interface Program {
  readonly origin: string;
  readonly dataDir: string;
  readonly process: Deno.ChildProcess;
  /** Everything that it has printed so far, on either stream. */
  printed(): string;
}

/**
 * Runs a test with the program on a free port, once it has said that it is ready. A data folder that
 * is given stays; otherwise it gets one with the sample, which is removed. What it printed is shown
 * when the test fails. It may have `openFiles` files and connections open at once.
 *
 * @throws with all that it printed, when it ends before it is ready
 */
export async function withProgram(
  { DATA_DIR, ...env }: Readonly<Record<string, string>>,
  test: (program: Program) => Promise<void>,
  { openFiles = 1000 }: { readonly openFiles?: number } = {},
): Promise<void> {
  const dataDir = DATA_DIR ?? await Deno.makeTempDir();
  const isEmbedded = !env.DATABASE_URL && !env.SERVICE_BASE_URL;
  if (DATA_DIR === undefined && isEmbedded) await placeSample(dataDir);
  const settings = { PORT: "0", DATA_DIR: dataDir, SERVICE_TOKEN: TOKEN, ...env };
  const started = [Deno.execPath(), ...denoArguments("start", [], settings)];
  const process = new Deno.Command("sh", {
    args: ["-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...started],
    cwd: ROOT,
    env: settings,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let printed = "";
  let isReady = false;
  const ready = Promise.withResolvers<string>();
  async function read(stream: typeof process.stdout) {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      if (isReady) continue;
      // The last line that it prints at its start, with an embedded service or an upstream.
      const said = /listens on (\S+).*(upstream service|for scripts)/s.exec(printed);
      isReady = said !== null;
      if (said) ready.resolve(said[1]);
    }
  }
  const ended = Promise.all([read(process.stdout), read(process.stderr)])
    .then(() => ready.reject(new Error(`The program ended after: ${printed}`)));
  try {
    const origin = await ready.promise;
    try {
      await test({ origin, dataDir, process, printed: () => printed });
    } catch (error) {
      console.error(printed);
      throw error;
    }
  } finally {
    try {
      process.kill("SIGKILL");
    } catch {
      // It ended by itself.
    }
    await process.status;
    await ended;
    if (DATA_DIR === undefined) await Deno.remove(dataDir, { recursive: true });
  }
}
