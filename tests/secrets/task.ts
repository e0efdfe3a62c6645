/** A task or the command line as a process, and all that it prints. */
import { processIo } from "../../cli/io.ts";
import { run } from "../../cli/run.ts";
import type { Planted } from "./planted.ts";

const ROOT = new URL("../../", import.meta.url);

/** What a process printed, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const io = processIo();

/** Runs a task of the store as a process; what it prints is taken. */
export async function runTask(
  planted: Planted,
  name: "import" | "seed" | "token",
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
): Promise<Ended> {
  return await runProcess(planted, `server/store/tasks/${name}_task.ts`, args, env, options);
}

/** What else a process may be given. */
export interface ProcessOptions {
  /** Its standard input. */
  readonly input?: string;
  /** What its standard output may hold. */
  readonly belongs?: readonly string[];
}

/** Runs a program of the repository to its end; what it prints is taken. */
export async function runProcess(
  { watch }: Planted,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { input = "", belongs = [] }: ProcessOptions = {},
): Promise<Ended> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", program, ...args],
    cwd: ROOT,
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const output = await process.output();
  const ended = {
    code: output.code,
    stdout: new TextDecoder().decode(output.stdout),
    stderr: new TextDecoder().decode(output.stderr),
  };
  return taken(watch, [program, ...args], ended, belongs);
}

/** Runs the command line in this process; what it prints is taken. */
export async function runCommandHere(
  { watch }: Planted,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  belongs: readonly string[],
): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  const code = await run(args, {
    ...io,
    env: (name) => env[name],
    out: { isTerminal: false, write: (text) => Promise.resolve(void (stdout += text)) },
    err: { isTerminal: false, write: (text) => Promise.resolve(void (stderr += text)) },
  });
  return taken(watch, args, { code, stdout, stderr }, belongs);
}

/** Has the watch see what was printed. */
function taken(
  watch: Planted["watch"],
  words: readonly string[],
  ended: Ended,
  belongs: readonly string[],
): Ended {
  const place = words.join(" ");
  watch.saw(`what ${place} printed`, ended.stdout, belongs);
  watch.saw(`what ${place} reported`, ended.stderr);
  return ended;
}
