/** A task or the command line as a process, and all that it prints. */
import type { Planted } from "./planted.ts";

const ROOT = new URL("../../", import.meta.url);

/** What a process printed, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a task of the store; what it prints is taken. */
export async function runTask(
  planted: Planted,
  name: "import" | "seed" | "sync" | "token",
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
): Promise<Ended> {
  return await runProcess(planted, `server/store/tasks/${name}.ts`, args, env, options);
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
  const place = [program, ...args].join(" ");
  watch.saw(`what ${place} printed`, ended.stdout, belongs);
  watch.saw(`what ${place} reported`, ended.stderr);
  return ended;
}
