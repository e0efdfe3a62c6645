/** The released Docket, from the repository's history, as the baseline of the current one. */
import { type ServingProgram, startServing, TOKEN } from "./load.ts";

/** The commit of version 0.1.0. */
const RELEASED = "483169a";

const ROOT = new URL("../", import.meta.url);

/** Writes the released sources, or some of their paths, into a folder. */
export async function unpackReleased(folder: string, ...paths: readonly string[]): Promise<void> {
  const archive = await new Deno.Command("git", {
    args: ["archive", RELEASED, ...paths],
    cwd: ROOT,
  }).output();
  if (!archive.success) throw new Error(new TextDecoder().decode(archive.stderr));
  const tar = new Deno.Command("tar", { args: ["-x", "-C", folder], stdin: "piped" }).spawn();
  const writer = tar.stdin.getWriter();
  await writer.write(archive.stdout);
  await writer.close();
  if (!(await tar.status).success) throw new Error("The released sources could not be unpacked");
}

/** Two programs that serve the same rows. */
export interface SideBySide {
  /** The current Docket. */
  readonly now: ServingProgram;
  /** The released Docket. */
  readonly before: ServingProgram;
  stop(): Promise<void>;
}

/** Builds the release and serves both, each from its own copy of the sample database. */
export async function startSideBySide(...sample: readonly string[]): Promise<SideBySide> {
  const folder = await Deno.makeTempDir();
  const release = `${folder}/release`;
  const programs: ServingProgram[] = [];
  const stop = async () => {
    for (const program of programs) await program.stop();
    await Deno.remove(folder, { recursive: true });
  };
  const start = async (data: string, cwd?: string) => {
    const env = {
      PORT: "0",
      DATA_DIR: `${folder}/${data}`,
      DATABASE_URL: "",
      SERVICE_BASE_URL: "",
      SERVICE_TOKEN: TOKEN,
      LOG_LEVEL: "error",
    };
    const program = await startServing(["main.ts"], env, { cwd });
    programs.push(program);
    await waitUntilReady(program.origin);
    return program;
  };
  try {
    for (const name of ["release", "before", "now"]) await Deno.mkdir(`${folder}/${name}`);
    await unpackReleased(release);
    await run(release, ["task", "build"]);
    await run(release, ["run", "-A", "server/store/tasks/seed.ts", ...sample], {
      DATA_DIR: `${folder}/before`,
    });
    await Deno.copyFile(`${folder}/before/docket.sqlite`, `${folder}/now/docket.sqlite`);
    return { now: await start("now"), before: await start("before", release), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How long updating the released database may take. */
const READY_MS = 120_000;

async function waitUntilReady(origin: string): Promise<void> {
  for (const end = performance.now() + READY_MS; performance.now() < end;) {
    const response = await fetch(`${origin}/readyz`);
    await response.body?.cancel();
    if (response.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("The database is not ready");
}

async function run(cwd: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd, env }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
