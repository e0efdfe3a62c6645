/**
 * Starts a program of Docket with the permissions that its settings require:
 * `deno run --allow-read=.env --allow-env --allow-run server/program/launch.ts start`.
 */
import { mistypedSettings, readEnvironment } from "../config/environment.ts";
import { DEPLOY_VARIABLES, VARIABLES } from "../config/settings.ts";
import { onEndOfNpm } from "./outer_processes.ts";
import { denoArguments, PROGRAMS } from "./permissions.ts";

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

const START_HELP = `Serves the console and the API until it is stopped, for example by Ctrl+C.

deno task start

Settings are environment variables, such as PORT=9000, or lines in a file .env: docs/settings.md
lists them.`;

const [name, ...args] = Deno.args;
if (!Object.hasOwn(PROGRAMS, name ?? "")) {
  console.error(`Name the program to start: ${Object.keys(PROGRAMS).join(", ")}`);
  Deno.exit(2);
}
// The other programs read their arguments themselves; the server has none.
if (name === "start" && args.length > 0) {
  if (args.includes("--help")) {
    console.log(START_HELP);
    Deno.exit(0);
  }
  console.error(`Too many arguments: "${args[0]}"; see --help`);
  Deno.exit(2);
}
const environment = readEnvironment([...VARIABLES, "PGHOST", "PGPORT"]);
const names = [...Object.keys(environment), ...Object.keys(Deno.env.toObject())];
for (const line of mistypedSettings(names, [...VARIABLES, ...DEPLOY_VARIABLES])) {
  console.error(line);
}
const program = new Deno.Command(Deno.execPath(), {
  args: denoArguments(name, args, environment),
  // In a separate process group, so that Ctrl+C reaches it only once, through the signal sent below.
  detached: true,
}).spawn();
for (const signal of SIGNALS) Deno.addSignalListener(signal, () => stop(signal));
await onEndOfNpm(() => stop("SIGTERM"));
Deno.exit((await program.status).code);

function stop(signal: Deno.Signal): void {
  try {
    program.kill(signal);
  } catch {
    // The program has already ended.
  }
}
