/** A task as a process of its own, to be killed. */

/** Starts a task; what it reports can be read. */
export function startTask(
  name: "import" | "seed",
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Deno.ChildProcess {
  const program =
    new URL(`../../../../server/store/tasks/${name}_task.ts`, import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", program, ...args],
    env: { DATABASE_URL: "", ...env },
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

/** What the task reports, until a line matches or it ends. */
export async function reportUntil(child: Deno.ChildProcess, pattern: RegExp): Promise<string> {
  let text = "";
  for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (pattern.test(text)) break;
  }
  return text;
}
