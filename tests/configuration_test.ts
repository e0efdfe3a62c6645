import { assert, assertEquals } from "@std/assert";
import { COMMANDS } from "../cli/commands.ts";
import { help } from "../cli/help.ts";

const ROOT = new URL("..", import.meta.url);

interface Configuration {
  readonly imports: Readonly<Record<string, string>>;
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly unstable: readonly string[];
  readonly fmt: { readonly lineWidth: number };
  readonly allowScripts?: readonly string[];
  readonly tasks: Readonly<Record<string, Task>>;
}

interface Task {
  readonly command?: string;
  readonly files?: readonly string[];
}

interface Lock {
  readonly npm: Readonly<Record<string, { readonly integrity: string }>>;
}

async function read<T>(path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(new URL(path, ROOT)));
}

/** What a lock file says of each `name@version`, whatever stands beside it. */
function packagesOf({ npm }: Lock): Map<string, string> {
  return new Map(Object.entries(npm).map(([key, { integrity }]) => [key.split("_")[0], integrity]));
}

/** The import statements' names in the sources of a folder, or in one source. */
function importedNames(path: string): string[] {
  if (/\.tsx?$/.test(path)) {
    const code = Deno.readTextFileSync(new URL(path, ROOT));
    return [...code.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name]) => name);
  }
  if (!Deno.statSync(new URL(path, ROOT)).isDirectory) return [];
  return [...Deno.readDirSync(new URL(`${path}/`, ROOT))]
    .filter(({ name }) => name !== "node_modules")
    .flatMap(({ name }) => importedNames(`${path}/${encodeURIComponent(name)}`));
}

/** Whether an imported name is a package's or one of its modules'. */
function isOf(name: string, imported: string): boolean {
  return imported === name || imported.startsWith(`${name}/`);
}

const product = await read<Configuration>("deno.json");
const productLock = await read<Lock>("deno.lock");
const PRODUCT_SOURCES = [..."cli components islands lib routes server tools".split(" ")]
  .concat("main.ts", "dev.ts", "fresh.config.ts");

for (const folder of ["tests", "bench"]) {
  Deno.test(`${folder}/deno.json: imports what deno.json imports, and compiles and formats alike`, async () => {
    const other = await read<Configuration>(`${folder}/deno.json`);
    for (const [name, source] of Object.entries(product.imports)) {
      assertEquals(other.imports[name], source, name);
    }
    const { rootDirs, ...options } = product.compilerOptions;
    const { rootDirs: otherDirs, ...otherOptions } = other.compilerOptions;
    assertEquals(otherOptions, options);
    const resolved = (dirs: unknown, base: string) =>
      (dirs as string[]).map((dir) => new URL(`${dir}/`, new URL(base, ROOT)).href);
    assertEquals(resolved(otherDirs, `${folder}/`), resolved(rootDirs, "./"));
    assertEquals(other.unstable, product.unstable);
    assertEquals(other.fmt.lineWidth, product.fmt.lineWidth);
  });

  Deno.test(`${folder}/deno.lock: has the very packages that deno.lock has`, async () => {
    const lock = await read<Lock>(`${folder}/deno.lock`);
    const packages = packagesOf(lock);
    for (const [name, integrity] of packagesOf(productLock)) {
      assertEquals(packages.get(name), integrity, name);
    }
  });

  Deno.test(`${folder}/deno.json: imports nothing more than its sources use`, async () => {
    const { imports } = await read<Configuration>(`${folder}/deno.json`);
    const used = [folder, "tests", ...PRODUCT_SOURCES].flatMap(importedNames);
    for (const name of Object.keys(imports).filter((name) => !(name in product.imports))) {
      // What has types of its own is imported by them where the package comes without.
      assert(used.some((each) => isOf(name.replace(/^@types\//, ""), each)), name);
    }
  });
}

Deno.test("deno.json: imports nothing that the product does without", () => {
  const used = PRODUCT_SOURCES.flatMap(importedNames);
  // Fresh's modules need its name on npm, what it generates needs the second, and publishing the last.
  const others = Object.keys(product.imports)
    .filter((name) => !/^(@frsh\/fresh|fresh\/types|@types\/node)$/.test(name))
    .filter((name) => !used.some((each) => isOf(name, each)));
  assertEquals(others, []);
});

Deno.test("deno.json: every import is pinned, and no package runs scripts when it is installed", async () => {
  for (const path of ["deno.json", "tests/deno.json", "bench/deno.json"]) {
    const { imports } = await read<Configuration>(path);
    for (const source of Object.values(imports)) {
      assert(/^npm:(@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.-]*(\/|$)/.test(source), source);
    }
  }
  assertEquals(product.allowScripts, undefined);
});

Deno.test("deno.json: packages are installed even where Deno skips a task whose files are unchanged", () => {
  const skipped = Object.entries(product.tasks).filter(([, { files }]) => files !== undefined);
  assertEquals(skipped.map(([name]) => name), ["bundle"]);
  assert(!skipped[0][1].command!.includes("install"));
  const build = "deno install --frozen --quiet && deno task --quiet bundle";
  assertEquals(product.tasks.build.command, build);
});

Deno.test("deno.json: the command line may read every variable that its help names", () => {
  const [, allowed = ""] = /--allow-env=(\S+)/.exec(product.tasks.docket.command!) ?? [];
  const [, environment = ""] = /Environment:\n(.*?)\n\n/s.exec(help(COMMANDS)) ?? [];
  const named = [...environment.matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name]) => name);
  assertEquals(new Set(allowed.split(",")), new Set(named));
});

Deno.test("README: has at most 150 lines, and every link leads to a file", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", ROOT));
  assert(readme.split("\n").length <= 151, `${readme.split("\n").length - 1} lines`);
  const pages = [...Deno.readDirSync(new URL("docs/", ROOT))].map(({ name }) => `docs/${name}`);
  const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
    .concat(pages.filter((name) => name.endsWith(".md")));
  for (const name of documents) {
    const text = await Deno.readTextFile(new URL(name, ROOT));
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      const url = new URL(target, new URL(name, ROOT));
      assert(await Deno.stat(url).then(() => true, () => false), `${name} links to ${target}`);
    }
    // A newcomer can't know that it is the API of the service, and not the console.
    const mention = /\bthe interface\b/i.exec(text.replace(/^#.*$/gm, ""));
    const isLinked = name === "docs/interface.md" || name === "CHANGELOG.md" ||
      /\[the interface\]|\(interface.md/i.test(text);
    assert(mention === null || isLinked, `${name} does not say what the interface is`);
  }
});
