/** Starts the service of lib_server.ts in a process of its own. */

/** The service, and how to end it. */
export interface BenchService extends AsyncDisposable {
  /** Its origin. */
  readonly origin: string;
}

/**
 * Starts the service.
 *
 * @returns The service, ended at the end of the block by `await using`.
 */
export async function startService(): Promise<BenchService> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-net", new URL("./lib_server.ts", import.meta.url).pathname],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const port = Number(new TextDecoder().decode(value));
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await reader.cancel();
      await child.status;
    },
  };
}
