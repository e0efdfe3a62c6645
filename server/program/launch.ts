/**
 * Starts a program of Docket with the permissions that its settings ask for:
 * `deno run --allow-read=.env --allow-env --allow-run server/program/launch.ts start`.
 */
import { readEnvironment } from "../config/environment.ts";
import { VARIABLES } from "../config/settings.ts";
import { denoArguments, PROGRAMS } from "./permissions.ts";

/** The signals by which people and platforms stop a program. */
const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

const [name, ...args] = Deno.args;
if (!Object.hasOwn(PROGRAMS, name ?? "")) {
  console.error(`Name the program to start: ${Object.keys(PROGRAMS).join(", ")}`);
  Deno.exit(2);
}
const variables = [...VARIABLES, "PGHOST", "PGPORT"];
const program = new Deno.Command(Deno.execPath(), {
  args: denoArguments(name, args, readEnvironment(variables)),
  // In a process group of its own: Ctrl+C reaches it once, by the signal that is passed on here.
  detached: true,
}).spawn();
for (const signal of SIGNALS) {
  Deno.addSignalListener(signal, () => {
    try {
      program.kill(signal);
    } catch {
      // It has ended already.
    }
  });
}
Deno.exit((await program.status).code);
