/** Programs and servers beside a test. */
import { assert } from "@std/assert";

/** Runs a program to its end; `out` and `err` are what it printed. */
export async function runCommand(program: string, options: Deno.CommandOptions) {
  const { code, stdout, stderr } = await new Deno.Command(program, options).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err };
}

/** Runs a program to its end, which must be a success; returns what it printed. */
export async function outputOfCommand(
  program: string,
  options: Deno.CommandOptions,
): Promise<string> {
  const { code, out, err } = await runCommand(program, options);
  assert(code === 0, `${program} ended with ${code}: ${out}${err}`);
  return out;
}

/** Ends a process, which may have ended by itself. */
export async function endProcess(
  process: Deno.ChildProcess,
  signal: Deno.Signal = "SIGKILL",
): Promise<void> {
  try {
    process.kill(signal);
  } catch {
    // It ended by itself.
  }
  await process.status;
}

/** Serves at a free port of this machine, until it is disposed of. */
export function serveLocally(
  handler: (request: Request) => Response | Promise<Response>,
  { port = 0, ...options }: Pick<Deno.ServeTcpOptions, "onError" | "port"> = {},
): Deno.HttpServer<Deno.NetAddr> & { readonly origin: string } {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen: () => {}, ...options },
    handler,
  );
  return Object.assign(server, { origin: `http://127.0.0.1:${server.addr.port}` });
}

/** Whether a command, such as one that asks for a program's version, runs well on this machine. */
export function isInstalled([name, ...args]: readonly string[]): boolean {
  try {
    return new Deno.Command(name, { args: [...args], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
}

/** A port of this machine that nobody listens on. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
