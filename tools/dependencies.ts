/** `deno task dependencies`: checks the licences and advisories of all packages in the lock files. */
import { readArguments } from "./arguments.ts";
import { bundledPackages } from "./bundled.ts";
import { judge, type Judged, type Package } from "./licences.ts";

/** A package in a lock file, as `deno info` describes it. */
interface Locked {
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
  readonly localPath: string;
}

const root = new URL("../", import.meta.url);

/** The folders with a lock file: of the program, of tests and of benchmarks. */
const FOLDERS = ["./", "tests/", "bench/"];

/** The packages in a lock file by key, and the keys of those that main.ts imports. */
async function readLock(folder: string) {
  const main = new URL("main.ts", root).href;
  const { code, stdout, stderr } = await deno(
    folder,
    "info",
    "--json",
    "--node-modules-dir=auto",
    main,
  );
  if (code !== 0) throw new Error(`deno info failed: ${stderr}`);
  const { modules, npmPackages } = JSON.parse(stdout) as {
    readonly modules: readonly { readonly specifier: string; readonly npmPackage?: string }[];
    readonly npmPackages: Readonly<Record<string, Locked>>;
  };
  const imported = modules.flatMap(({ npmPackage }) => npmPackage ?? []);
  return { locked: new Map(Object.entries(npmPackages)), imported };
}

/** These packages and all their dependencies, without types, which don't run. */
function withDependencies(
  keys: readonly string[],
  locked: ReadonlyMap<string, Locked>,
): Set<string> {
  const found = new Set<string>();
  const add = (key: string) => {
    if (found.has(key) || key.startsWith("@types/")) return;
    found.add(key);
    locked.get(key)?.dependencies.forEach(add);
  };
  keys.forEach(add);
  return found;
}

function manifestOf({ localPath }: Locked): Package["manifest"] {
  try {
    return JSON.parse(Deno.readTextFileSync(`${localPath}/package.json`));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

async function deno(folder: string, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: new URL(folder, root),
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function print(title: string, packages: readonly Judged[]): void {
  console.log(`\n${title}: ${packages.length}`);
  for (const { name, version, licence } of packages) {
    console.log(`  ${`${name} ${version}`.padEnd(60)} ${licence || "not installed"}`);
  }
}

/** Prints known advisories. Returns whether there are none, or they could not be checked. */
async function printAdvisories(folder: string): Promise<boolean> {
  const { code, stdout, stderr } = await deno(folder, "audit");
  const isChecked = code === 0 || /vulnerabilit/i.test(stdout + stderr);
  if (isChecked) {
    console.log(`\nAdvisories, ${folder}deno.lock:\n${stdout}${stderr}`);
  } else {
    const [reason] = stderr.trim().split("\n");
    console.log(`\nAdvisories: unknown, the registry can't be reached. ${reason}`);
  }
  return code === 0 || !isChecked;
}

const HELP = `Lists every package in the lock files with its licence, and known advisories.

deno task dependencies

Exit code 0: no problems; 1: a licence is missing or not allowed, or an advisory is known.`;
readArguments(HELP, 0);

const [product, ...others] = await Promise.all(FOLDERS.map(readLock));
const loaded = withDependencies(product.imported, product.locked);
const locked = new Map([...others.flatMap((other) => [...other.locked]), ...product.locked]);
const bundled = await bundledPackages();
const packages = [...locked].map(([key, each]) => {
  const runs = loaded.has(key) || bundled.has(`${each.name}@${each.version}`);
  return judge({ ...each, use: runs ? "runs" : "builds", manifest: manifestOf(each) });
});
const installed = packages.filter(({ manifest }) => manifest !== null);
print("In the running program", installed.filter(({ use }) => use === "runs"));
print("Only to build and test", installed.filter(({ use }) => use === "builds"));
print("For other kinds of machines", packages.filter(({ manifest }) => manifest === null));

const refused = packages.filter(({ issue }) => issue !== null);
for (const { name, version, issue } of refused) console.error(`${name} ${version} ${issue}`);
let isClean = refused.length === 0;
for (const folder of FOLDERS) {
  if (!await printAdvisories(folder)) isClean = false;
}
if (!isClean) Deno.exit(1);
