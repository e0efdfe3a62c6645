/**
 * `deno task dependencies`: every package that the lock files name, with its licence and what it is
 * for, and the known advisories. Exits with 1 when a licence is missing or not allowed, or an advisory
 * is known.
 */
import { readArguments } from "./arguments.ts";
import { bundledPackages } from "./bundled.ts";
import { judge, type Judged, type Package } from "./licences.ts";

/** A package of the lock file, as `deno info` describes it. */
interface Locked {
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
  readonly localPath: string;
}

const root = new URL("../", import.meta.url);

/** What is run, what tests need, and what benchmarks need: each folder has its own lock file. */
const FOLDERS = ["./", "tests/", "bench/"];

/** The packages of a lock file by their keys, and the names of those that main.ts imports. */
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

/** These packages and all their dependencies. Types are gone when the program runs. */
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

/**
 * Prints the known advisories of packages; returns whether there are none, as far as could be
 * checked.
 */
async function printAdvisories(folder: string): Promise<boolean> {
  const { code, stdout, stderr } = await deno(folder, "audit");
  const wasAsked = code === 0 || /vulnerabilit/i.test(stdout + stderr);
  if (wasAsked) {
    console.log(`\nAdvisories, ${folder}deno.lock:\n${stdout}${stderr}`);
  } else {
    const [reason] = stderr.trim().split("\n");
    console.log(`\nAdvisories: not known, the registry could not be asked. ${reason}`);
  }
  return code === 0 || !wasAsked;
}

const HELP =
  `Lists every package that the lock files name, with its licence and what it is for, and the
known advisories.

deno task dependencies

Exit code 0: all is well; 1: a licence is missing or not allowed, or an advisory is known.`;
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
print("Parts of what runs", installed.filter(({ use }) => use === "runs"));
print("Only to build and test it", installed.filter(({ use }) => use === "builds"));
print("For other kinds of machines", packages.filter(({ manifest }) => manifest === null));

const faulty = packages.filter(({ fault }) => fault !== null);
for (const { name, version, fault } of faulty) console.error(`${name} ${version} ${fault}`);
let isClean = faulty.length === 0;
for (const folder of FOLDERS) {
  if (!await printAdvisories(folder)) isClean = false;
}
if (!isClean) Deno.exit(1);
