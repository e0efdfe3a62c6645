/**
 * `deno task test` and `deno task quick`: runs the files of tests in groups, each in one worker. A
 * worker for each file, as `deno test` has it, loads the same modules some 250 times, which takes
 * longer than most tests do. Options go to `deno test`, such as `--filter=WORDS`; where paths are
 * given, it runs those as it is used to.
 */

const ROOT = new URL("../", import.meta.url);
/** Where each group has a module that imports its files. */
const ENTRIES = "tests/.groups/";

/**
 * How the paths of a group's files begin. A file belongs where the most of its path is named. What
 * takes longest begins first, so that no worker is left alone with it at the end; what waits much
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

/** One more than there are processors: each now and then waits for a program, a database or a time. */
const WORKERS = navigator.hardwareConcurrency + 1;

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

/** Writes the module of each group, and gives the paths of those that are named. */
async function writeEntries(names: readonly string[]): Promise<string[]> {
  const grouped = Object.groupBy(await findTests(), groupOf);
  await Deno.mkdir(new URL(ENTRIES, ROOT), { recursive: true });
  for (const [name, files] of Object.entries(grouped)) {
    const imports = files!.map((path) => `import "../../${path}";\n`);
    await Deno.writeTextFile(new URL(`${ENTRIES}${name}.ts`, ROOT), imports.join(""));
  }
  return names.map((name) => `${ENTRIES}${name}.ts`);
}

if (import.meta.main) {
  const isQuick = Deno.args[0] === "quick";
  const given = isQuick ? Deno.args.slice(1) : Deno.args;
  const hasPaths = given.some((word) => !word.startsWith("-"));
  const options = ["-A", "--quiet", "--frozen", "--no-check", "--parallel", "--config"];
  const paths = hasPaths ? [] : await writeEntries(isQuick ? QUICK : Object.keys(GROUPS));
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", ...options, "tests/deno.json", ...given, ...paths],
    cwd: ROOT,
    env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(WORKERS) },
  }).spawn().status;
  Deno.exit(code);
}
