/**
 * A program of the core checks as one module. Bundled in a process of its own: the bundler keeps
 * threads, which would look like leaks of the client.
 */
export async function bundled(name: string): Promise<string> {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", new URL("bundle.ts", import.meta.url).pathname, name],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${name} could not be bundled`);
  return new TextDecoder().decode(stdout);
}
