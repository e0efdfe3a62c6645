/**
 * The program as Deno Deploy runs it, as far as that can be had here: all permissions, no flags, a
 * source that is not to be written, an address given from outside.
 */
import { freePort } from "./free_port.ts";
import { outputOfCommand } from "./processes.ts";
import { withOutput } from "./program.ts";

const ROOT = new URL("..", import.meta.url);

/** What the running program needs of the repository; `node_modules` is linked. */
const SOURCES = ["main.ts", "deno.json", "deno.lock", "server", "lib", ".output"];

/** A source tree on the platform. */
export interface Deployment {
  /** Runs the command that comes before an instance starts, and gives what it printed. */
  predeploy(env: Readonly<Record<string, string>>): Promise<string>;
  /** Starts an instance. */
  start(env: Readonly<Record<string, string>>): Promise<Instance>;
}

/** A running instance. */
export interface Instance {
  readonly origin: string;
  readonly process: Deno.ChildProcess;
}

/** Runs a test with a deployment; fails it when anything was written into the source. */
export async function withDeployment(
  test: (deployment: Deployment) => Promise<void>,
): Promise<void> {
  const folder = await (source ??= copySource());
  const ended = Promise.withResolvers<void>();
  const running: Promise<void>[] = [];
  const before = contentsOf(folder);
  try {
    await test({
      predeploy: (env) => predeploy(folder, env),
      start(env) {
        const started = Promise.withResolvers<Instance>();
        const run = runInstance(folder, env, (instance) => {
          started.resolve(instance);
          return ended.promise;
        });
        running.push(run.catch(started.reject));
        return started.promise;
      },
    });
    const written = contentsOf(folder).filter((line) => !before.includes(line));
    if (written.length > 0) throw new Error(`The source was written: ${written.join(", ")}`);
  } finally {
    ended.resolve();
    await Promise.all(running);
  }
}

/** One for all tests: at a path that it does not know, Deno compiles everything anew. */
let source: Promise<string> | undefined;

Deno.test.afterAll(async () => {
  if (source) await Deno.remove(await source, { recursive: true });
});

async function copySource(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const sources = SOURCES.map((name) => new URL(name, ROOT).pathname);
  await outputOfCommand("cp", { args: ["-r", ...sources, folder] });
  await Deno.symlink(new URL("node_modules", ROOT).pathname, `${folder}/node_modules`);
  return folder;
}

/** A line for each thing in the folder, links not followed, which changes when that is written. */
function contentsOf(folder: string): string[] {
  return [...Deno.readDirSync(folder)].filter(({ isSymlink }) => !isSymlink)
    .flatMap(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      const line = `${path} ${Deno.statSync(path).mtime?.getTime()}`;
      return isDirectory ? [line, ...contentsOf(path)] : [line];
    });
}

const PLATFORM = { DENO_DEPLOY: "true", DENO_DEPLOYMENT_ID: "of-the-tests", DATABASE_URL: "" };

async function predeploy(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { deploy } = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
  return await outputOfCommand("sh", {
    args: ["-c", deploy.predeploy],
    cwd: folder,
    env: { ...PLATFORM, ...env },
  });
}

/** Runs an instance, as long as it is used. */
async function runInstance(
  folder: string,
  env: Readonly<Record<string, string>>,
  use: (instance: Instance) => Promise<void>,
): Promise<void> {
  const port = freePort();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "main.ts"],
    cwd: folder,
    env: { ...PLATFORM, DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await withOutput(
    process,
    /listens on/,
    () => use({ origin: `http://127.0.0.1:${port}`, process }),
  );
}
