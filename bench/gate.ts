/** The times of `quick`, `test` and the gate of a pull request. */
import { atMost, type Bench, type Figure, seconds } from "./bench.ts";

const GATES: readonly (readonly [budgetSeconds: number, command: string, ...args: string[]])[] = [
  [30, "deno", "task", "quick"],
  [240, "deno", "task", "test"],
  [360, ".ci/run"],
];

const bench: Bench = async () => {
  const figures: Figure[] = [];
  for (const [budget, command, ...args] of GATES) {
    const started = performance.now();
    // What it prints is shown, since it names the test that fails.
    const { success } = await new Deno.Command(command, { args }).spawn().status;
    const what = ["`" + command, ...args].join(" ") + "`";
    if (!success) throw new Error(`${what} failed`);
    figures.push(atMost(what, (performance.now() - started) / 1000, budget, seconds));
  }
  return figures;
};

export default bench;
