import { assert, assertEquals, assertObjectMatch } from "@std/assert";
import benchConfig from "../bench/deno.json" with { type: "json" };
import { COMMANDS } from "../cli/commands.ts";
import { help } from "../cli/help.ts";
import product from "../deno.json" with { type: "json" };
import testsConfig from "./deno.json" with { type: "json" };

const ROOT = new URL("..", import.meta.url);

/** What a lock file says of each `name@version`, whatever stands beside it. */
async function packagesIn(path: string): Promise<Record<string, string>> {
  const { npm } = JSON.parse(await Deno.readTextFile(new URL(path, ROOT)));
  const packages = Object.entries<{ integrity: string }>(npm);
  return Object.fromEntries(packages.map(([key, { integrity }]) => [key.split("_")[0], integrity]));
}

for (const [folder, config] of Object.entries({ tests: testsConfig, bench: benchConfig })) {
  Deno.test(`${folder}/deno.json: has the packages of deno.json, and compiles and formats alike`, async () => {
    assertObjectMatch(config.imports, product.imports);
    const [ours, others] = ["deno.lock", `${folder}/deno.lock`].map(packagesIn);
    assertObjectMatch(await others, await ours);
    // Each names Fresh's folders from its own.
    const [own, products] = [config, product].map(({ compilerOptions: { rootDirs: _, ...rest } }) =>
      rest
    );
    assertEquals(own, products);
    assertEquals(config.unstable, product.unstable);
    assertEquals(config.fmt.lineWidth, product.fmt.lineWidth);
  });
}

Deno.test("deno.json: every import is pinned, and no package runs scripts when it is installed", () => {
  const pinned = /^npm:(@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.-]*(\/|$)/;
  const all = [product, testsConfig, benchConfig].flatMap(({ imports }) => Object.values(imports));
  assertEquals(all.filter((source) => !pinned.test(source)), []);
  assert(!("allowScripts" in product));
});

Deno.test("deno.json: packages are installed even where Deno skips a task whose files are unchanged", () => {
  const skipped = Object.entries(product.tasks).filter(([, task]) => "files" in task);
  assertEquals(skipped.map(([name]) => name), ["bundle"]);
  assert(!product.tasks.bundle.command.includes("install"));
  assert(product.tasks.build.command.startsWith("deno install --frozen "));
});

Deno.test("deno.json: the command line may read every variable that its help names", () => {
  const [, allowed = ""] = /--allow-env=(\S+)/.exec(product.tasks.docket.command) ?? [];
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
  }
});
