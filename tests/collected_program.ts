/** The program with its telemetry on. */
import { type Collector, withCollector } from "./collector.ts";
import { type Program, withProgram } from "./program.ts";

/**
 * Lets a program export to a collector, and ends it when the test has used it: everything is exported
 * when it ends by itself.
 */
export async function collectFrom(
  env: Readonly<Record<string, string>>,
  use: (program: Program) => Promise<void>,
  look: (collector: Collector, program: Program) => Promise<void> | void,
): Promise<void> {
  await withCollector((collector) =>
    withProgram({ ...collector.env, LOG_LEVEL: "debug", ...env }, async (program) => {
      await use(program);
      program.process.kill("SIGTERM");
      await program.process.status;
      await look(collector, program);
    })
  );
}
