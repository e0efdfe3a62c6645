/**
 * `deno task test` and `deno task quick`: runs the test files in groups, each in a process of its
 * own, and prints a line for each group, then what failed, then the count. One worker for each file,
 * as `deno test` has it, loads the same modules 250 times, which takes longer than most tests.
 * Options such as `--filter=WORDS` go to `deno test`. Given paths are left to it entirely.
 */
import { stripVTControlCharacters } from "node:util";
import { pooledMap } from "@std/async/pool";

const ROOT = new URL("../", import.meta.url);
/** Holds a module for each group, which imports its files. */
const ENTRIES = "tests/.groups/";

/**
 * How the paths of a group's files begin. A file belongs where the most of its path is named. What
 * takes longest begins first, so that nothing is left alone with it at the end; what waits much
 * alternates with what computes.
 */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  programs: ["programs/"],
  browser_pages: ["browser/pages/", "browser/schedules/"],
  secrets: ["secrets/"],
  browser_file_sets: ["browser/file_sets/", "browser/service/"],
  postgres: ["server/store/postgres/", "server/store/observer/"],
  tasks: [
    "server/store/tasks/",
    "server/log/telemetry_test",
    "server/program/launch_test",
    "cli/process_test",
  ],
  observer: ["server/observer/"],
  packages: ["lib/core_test", "lib/npm_test", "lib/package_test"],
  routes: ["routes/"],
  upstream: ["routes/upstream_", "routes/contract_test"],
  long: [
    "lib/judgement/histories/",
    "lib/judgement/watch_test",
    "lib/judgement/plans/infer_test",
    "lib/client/walks/walk_model_test",
    "server/store/sample/",
    "server/store/sqlite/",
  ],
  runs: ["lib/runs/", "lib/judgement/"],
  server: ["server/"],
  lib: ["lib/", "cli/", "tools/"],
  components: ["components/", ""],
};

/** How many run at once: tests often wait, for a program, a database or a timer. */
const PROCESSES = Number(Deno.env.get("DENO_JOBS")) || navigator.hardwareConcurrency + 2;

/** The groups that start no program, database or browser, and take no more than some seconds. */
const QUICK = ["runs", "server", "lib", "components"];

export async function findTests(folder = "tests/"): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    const path = folder + name;
    if (isDirectory && !/^(\..*|node_modules)$/.test(name)) {
      found.push(...await findTests(`${path}/`));
    } else if (/_test\.tsx?$/.test(name)) found.push(path);
  }
  return found.sort();
}

export function groupOf(path: string): string {
  const named = Object.entries(GROUPS).flatMap(([group, starts]) =>
    starts.filter((start) => path.startsWith(`tests/${start}`)).map((start) => ({ group, start }))
  );
  return named.reduce((best, next) => next.start.length > best.start.length ? next : best).group;
}

/** How the tests of one group, or of all, ended. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
}

/** Reads the last line of `deno test`. A process that ended without one has failed, or crashed. */
export function outcomeOf(output: string, code: number): Outcome {
  const last = output.match(/^(ok|FAILED) \| .*\)$/gm)?.at(-1) ?? "";
  const count = (what: string) => Number(last.match(`(\\d+) ${what}`)?.[1] ?? 0);
  const failed = count("failed");
  return {
    passed: count("passed"),
    failed: failed === 0 && (code !== 0 || last === "") ? 1 : failed,
    ignored: count("ignored"),
  };
}

/** What a group printed, without the marks of its tests and its count. */
export function failuresOf(output: string): string {
  return output.replace(/^([.,!]|(ok|FAILED) \| .*\))\n/gm, "").trim();
}

function sum(outcomes: readonly Outcome[]): Outcome {
  const of = (count: keyof Outcome) => outcomes.reduce((total, each) => total + each[count], 0);
  return { passed: of("passed"), failed: of("failed"), ignored: of("ignored") };
}

/** The count in the words of `deno test`, which `.ci/run` reads as well. */
export function summary(outcomes: readonly Outcome[], ms: number): string {
  const { passed, failed, ignored } = sum(outcomes);
  const left = ignored > 0 ? ` | ${ignored} ignored` : "";
  const word = failed > 0 ? "FAILED" : "ok";
  return `${word} | ${passed} passed | ${failed} failed${left} (${Math.round(ms / 1000)}s)`;
}

/** Writes a module for each group. */
async function writeEntries(): Promise<void> {
  const grouped = Object.groupBy(await findTests(), groupOf);
  await Deno.mkdir(new URL(ENTRIES, ROOT), { recursive: true });
  for (const [name, files] of Object.entries(grouped)) {
    const imports = files!.map((path) => `import "../../${path}";\n`);
    await Deno.writeTextFile(new URL(`${ENTRIES}${name}.ts`, ROOT), imports.join(""));
  }
}

function denoTest(...args: string[]): Deno.Command {
  const options = ["-A", "--quiet", "--frozen", "--no-check", "--config", "tests/deno.json"];
  return new Deno.Command(Deno.execPath(), { args: ["test", ...options, ...args], cwd: ROOT });
}

/** Runs groups side by side, and says how many of all tests failed. */
async function runGroups(names: readonly string[], options: readonly string[]): Promise<number> {
  await writeEntries();
  const started = performance.now();
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  const run = async (name: string) => {
    const begun = performance.now();
    const entry = `${ENTRIES}${name}.ts`;
    const { code, stdout, stderr } = await denoTest("--reporter=dot", ...options, entry).output();
    const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
    const output = stripVTControlCharacters(text);
    const outcome = outcomeOf(output, code);
    outcomes.push(outcome);
    if (outcome.failed > 0) failures.push(`\n== ${name} ==\n\n${failuresOf(output)}`);
    const { passed, failed } = outcome;
    const seconds = Math.round((performance.now() - begun) / 1000);
    const counts = failed > 0 ? `${passed} passed, ${failed} FAILED` : `${passed} passed`;
    console.log(`${outcomes.length} of ${names.length} groups: ${name}, ${counts} (${seconds}s)`);
  };
  await Array.fromAsync(pooledMap(PROCESSES, names, run));
  for (const failure of failures) console.log(failure);
  console.log(`\n${summary(outcomes, performance.now() - started)}`);
  return sum(outcomes).failed;
}

if (import.meta.main) {
  const isQuick = Deno.args[0] === "quick";
  const given = isQuick ? Deno.args.slice(1) : Deno.args;
  if (given.some((word) => !word.startsWith("-"))) {
    Deno.exit((await denoTest("--parallel", ...given).spawn().status).code);
  }
  Deno.exit(await runGroups(isQuick ? QUICK : Object.keys(GROUPS), given) > 0 ? 1 : 0);
}
