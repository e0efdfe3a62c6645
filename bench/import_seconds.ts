/** The duration of `deno task import` as its own process. */
export async function importSeconds(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const started = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "server/store/tasks/import.ts", file],
    env,
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error("The import failed");
  return (performance.now() - started) / 1000;
}
