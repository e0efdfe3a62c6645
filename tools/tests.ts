/**
 * `deno task test` and `deno task quick`: runs the test files in groups, one process each. A worker
 * for each file, as in `deno test`, would load the same modules 250 times. Options go to `deno test`,
 * which also runs paths that are given.
 */
import { stripVTControlCharacters } from "node:util";
import { pooledMap } from "@std/async/pool";

const ROOT = new URL("../", import.meta.url);
/** The folder with a module for each group, which imports the group's files. */
const ENTRIES = "tests/.groups/";
/** Imported before the tests of a group. */
const SEED = "tests/property_seed.ts";

/**
 * Prefixes of the paths in each group; the longest match wins. The longest groups start first, so that
 * none runs alone at the end, and groups that mostly wait alternate with groups that compute.
 */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  routes: ["routes/"],
  programs: ["programs/"],
  browser_pages: ["browser/"],
  observer: ["server/observer/"],
  postgres: [
    "server/observer/deliveries_test",
    "server/store/database/database_test",
    "server/store/database/postgresql",
    "server/store/people/",
    "server/store/records/",
    "server/store/schema/",
    "server/store/statements_test",
    "server/store/store_test",
    "server/store/tasks/migrate_task_test",
  ],
  packages: ["lib/npm_test", "lib/package_test", "release_test"],
  tasks: [
    "server/store/tasks/",
    "server/log/telemetry_test",
    "server/program/start_test",
    "cli/process_test",
    "tools/",
  ],
  store: ["server/store/", "server/pages/", "server/config/data_folder_test"],
  browser_file_sets: ["browser/file_sets/", "browser/service/"],
  long: [
    "lib/judgement/histories/",
    "lib/judgement/replay_test",
    "lib/judgement/plans/",
    "lib/judgement/content/",
    "lib/judgement/cold_start_test",
    "lib/client/walks/walk_model_test",
    "lib/evidence/",
    "server/store/sample/",
  ],
  server: ["server/"],
  secrets: ["secrets/"],
  upstream: ["routes/upstream_"],
  runs: ["lib/runs/", "lib/judgement/"],
  lib: ["lib/", "cli/"],
  components: ["components/", ""],
};

/** How many groups run at once. Tests often wait for a program, a database or a timer. */
const PROCESSES = Number(Deno.env.get("DENO_JOBS")) || navigator.hardwareConcurrency + 2;

/** The groups without programs, databases and browsers, which take seconds. */
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

/** The results of one group, or of all. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
}

/** Reads the last line of `deno test`. Without one, the process has crashed. */
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

/** A group's output without the dots and the count. */
export function failuresOf(output: string): string {
  return output.replace(/^([.,!]|(ok|FAILED) \| .*\))\n/gm, "").trim();
}

function sum(outcomes: readonly Outcome[]): Outcome {
  const of = (count: keyof Outcome) => outcomes.reduce((total, each) => total + each[count], 0);
  return { passed: of("passed"), failed: of("failed"), ignored: of("ignored") };
}

/** The count in the format of `deno test`, which `.ci/run` reads too. */
export function summary(outcomes: readonly Outcome[], ms: number): string {
  const { passed, failed, ignored } = sum(outcomes);
  const left = ignored > 0 ? ` | ${ignored} ignored` : "";
  const word = failed > 0 ? "FAILED" : "ok";
  return `${word} | ${passed} passed | ${failed} failed${left} (${Math.round(ms / 1000)}s)`;
}

async function writeEntries(): Promise<void> {
  const grouped = Object.groupBy(await findTests(), groupOf);
  await Deno.mkdir(new URL(ENTRIES, ROOT), { recursive: true });
  for (const [name, files] of Object.entries(grouped)) {
    const imports = [SEED, ...files!].map((path) => `import "../../${path}";\n`);
    await Deno.writeTextFile(new URL(`${ENTRIES}${name}.ts`, ROOT), imports.join(""));
  }
}

function denoTest(...args: string[]): Deno.Command {
  const options = ["-A", "--quiet", "--frozen", "--no-check", "--config", "tests/deno.json"];
  return new Deno.Command(Deno.execPath(), { args: ["test", ...options, ...args], cwd: ROOT });
}

/** Runs groups concurrently. Returns how many tests failed. */
async function runGroups(names: readonly string[], options: readonly string[]): Promise<number> {
  await writeEntries();
  const started = performance.now();
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  const run = async (name: string) => {
    const groupStarted = performance.now();
    const entry = `${ENTRIES}${name}.ts`;
    const { code, stdout, stderr } = await denoTest("--reporter=dot", ...options, entry).output();
    const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
    const output = stripVTControlCharacters(text);
    const outcome = outcomeOf(output, code);
    outcomes.push(outcome);
    if (outcome.failed > 0) failures.push(`\n== ${name} ==\n\n${failuresOf(output)}`);
    const { passed, failed } = outcome;
    const seconds = Math.round((performance.now() - groupStarted) / 1000);
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
  const paths = isQuick ? Deno.args.slice(1) : Deno.args;
  if (paths.some((word) => !word.startsWith("-"))) {
    Deno.exit((await denoTest("--parallel", ...paths).spawn().status).code);
  }
  Deno.exit(await runGroups(isQuick ? QUICK : Object.keys(GROUPS), paths) > 0 ? 1 : 0);
}
