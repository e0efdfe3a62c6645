/** The program with its log and its telemetry on, and all that it says with them. */
import { assert } from "@std/assert";
import { collectFrom } from "../collector.ts";
import type { Program } from "../program.ts";
import type { Planted } from "./planted.ts";

/** Runs a test with the program; what it printed and exported is taken at its end. */
export async function withWatchedProgram(
  { watch }: Planted,
  env: Readonly<Record<string, string>>,
  test: (program: Program) => Promise<void>,
): Promise<void> {
  await collectFrom(env, test, (collector, program) => {
    for (const line of program.printed().split("\n")) {
      // The link to sign in is for whoever started it.
      watch.saw("the log", line, line.startsWith("Sign in within") ? ["sign-in code"] : []);
    }
    watch.saw("the telemetry", collector.text());
    assert(program.printed().includes("/filesets"), "no request was logged");
    assert(collector.spans().length > 0, "nothing was exported");
  });
}
