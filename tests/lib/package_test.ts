import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { examplesIn } from "./examples.ts";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../../", import.meta.url);

async function deno(...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

function sources(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`${folder}/`, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? sources(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}

Deno.test("package: it can be published, with lib, cli and licence and nothing else", async () => {
  const { code, text } = await deno("publish", "--dry-run", "--allow-dirty");
  assertEquals(code, 0, text);
  const listed = [...text.matchAll(/^ +file:\/\/(\S+) \(/gm)].map(([, path]) => path);
  const files = listed.map((path) => path.slice(ROOT.pathname.length)).sort();
  assertEquals(files, ["LICENSE", "deno.json", ...sources("cli"), ...sources("lib")].sort());
});

Deno.test("package: every exported symbol is documented", async () => {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  assertEquals(Object.keys(exports), [".", "./testing", "./cli"]);
  const { code, text } = await deno("doc", "--lint", ...Object.values(exports) as string[]);
  assertEquals(code, 0, text);
});

Deno.test("package: the main entrypoint exports at most 80 names, types included", async () => {
  const { code, text } = await deno("doc", "--json", "lib/mod.ts");
  assertEquals(code, 0, text);
  const nodes: Record<string, { symbols: { name: string }[] }> =
    JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)).nodes;
  const names = new Set(Object.values(nodes).flatMap(({ symbols }) => symbols).map((s) => s.name));
  assert(names.size <= 80, `${names.size}`);
});

Deno.test("package: the examples in its documentation run", async () => {
  const paths = [...sources("lib"), ...sources("cli"), "docs/client.md", "docs/cookbook.md"];
  const examples = paths.flatMap((path) => examplesIn(path));
  assert(examples.length >= 25, `${examples.length} examples`);
  // They run on Node and Bun, too.
  const needDeno = examples.filter(({ code }) => /^[^/]*\bDeno\./m.test(code));
  assertEquals(needDeno.map(({ place }) => place), []);
  // In one module's tests, for `deno test --doc` has a worker for each example.
  await Deno.mkdir(new URL(".npm", ROOT), { recursive: true });
  await withFolder(async (folder) => {
    const tests = await Promise.all(examples.map(async ({ place, code }, at) => {
      await Deno.writeTextFile(`${folder}/${at}.ts`, code);
      return `Deno.test("${place}", async () => void await import("./${at}.ts"));\n`;
    }));
    await Deno.writeTextFile(`${folder}/examples.ts`, tests.join(""));
    const ended = await deno("test", "--allow-all", "--no-check", `${folder}/examples.ts`);
    assertEquals(ended.code, 0, ended.text);
    assertStringIncludes(ended.text, `${examples.length} passed`);
  }, { dir: new URL(".npm", ROOT).pathname });
});
