/**
 * The program as Deno Deploy runs it, as far as that can be had here: all permissions, no flags, a
 * source that is not to be written, an address given from outside.
 */
import { freePort } from "./free_port.ts";
import { endProcess, outputOfCommand } from "./processes.ts";

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
  const folder = await (source ??= readOnlySource());
  const instances: Deno.ChildProcess[] = [];
  const before = contentsOf(folder);
  try {
    await test({
      predeploy: (env) => predeploy(folder, env),
      async start(env) {
        const instance = await startInstance(folder, env);
        instances.push(instance.process);
        return instance;
      },
    });
    // Permissions don't hold an administrator back, so what is there is looked at as well.
    const written = contentsOf(folder).filter((line) => !before.includes(line));
    if (written.length > 0) throw new Error(`The source was written: ${written.join(", ")}`);
  } finally {
    for (const process of instances) await endProcess(process);
  }
}

/** One for all tests: at a path that it does not know, Deno compiles everything anew. */
let source: Promise<string> | undefined;

Deno.test.afterAll(async () => {
  const folder = await source;
  if (!folder) return;
  for (const { path, isFile } of entriesOf(folder)) if (!isFile) Deno.chmodSync(path, 0o755);
  await Deno.remove(folder, { recursive: true });
});

async function readOnlySource(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const sources = SOURCES.map((name) => new URL(name, ROOT).pathname);
  await outputOfCommand("cp", { args: ["-r", ...sources, folder] });
  await Deno.symlink(new URL("node_modules", ROOT).pathname, `${folder}/node_modules`);
  await outputOfCommand("chmod", { args: ["-R", "a-w", folder] });
  return folder;
}

interface Entry {
  readonly path: string;
  readonly isFile: boolean;
}

/** The folder and everything in it, links not followed. */
function entriesOf(folder: string): Entry[] {
  const inside = [...Deno.readDirSync(folder)].filter(({ isSymlink }) => !isSymlink);
  return [
    { path: folder, isFile: false },
    ...inside.flatMap(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      return isDirectory ? entriesOf(path) : [{ path, isFile: true }];
    }),
  ];
}

/** A line for each thing in the folder, which changes when that is written. */
function contentsOf(folder: string): string[] {
  return entriesOf(folder).map(({ path }) => `${path} ${Deno.statSync(path).mtime?.getTime()}`);
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

async function startInstance(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Instance> {
  const port = freePort();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "main.ts"],
    cwd: folder,
    env: { ...PLATFORM, DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const ready = Promise.withResolvers<void>();
  let printed = "";
  async function read() {
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      printed += text;
      if (/listens on/.test(printed)) ready.resolve();
    }
    ready.reject(new Error(`The instance ended after: ${printed}`));
  }
  // It ends when the instance does.
  read();
  await ready.promise;
  return { origin: `http://127.0.0.1:${port}`, process };
}
