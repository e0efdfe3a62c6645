/**
 * `deno task check-types`: checks types with the native TypeScript compiler, in a fifth of the time of
 * `deno check`. It gives the compiler Deno's import map and types.
 */
import process from "node:process";
import compiler from "typescript/package.json" with { type: "json" };
import tests from "../tests/deno.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url).pathname;
const MODULES = `${ROOT}tests/node_modules`;
const FOLDER = `${MODULES}/.cache/types`;
/** TypeScript takes browser types from here instead of its own. */
const DOM = `${FOLDER}/node_modules/@typescript/lib-dom`;
const LIBRARY = new URL(
  `../@typescript/typescript-${process.platform}-${process.arch}/lib/`,
  import.meta.resolve("typescript/package.json"),
);
/** Modules without types. */
const UNTYPED = ["*.css", "@std/*", "oidc-provider"];
/** `ReadableStream.from`, which TypeScript's browser types lack. */
const FROM = "<R>(items: AsyncIterable<R> | Iterable<R | PromiseLike<R>>) => ReadableStream<R>";

/** The file or folder with the types of each imported name. */
async function paths(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [name, specifier] of Object.entries(tests.imports)) {
    const [, own, path] = /^npm:((?:@[^/]+\/)?[^@/]+)@[^/]+(.*)$/.exec(specifier)!;
    const source = `@types/${own}` in tests.imports ? `@types/${own}` : own;
    const folder = `${MODULES}/${source}`;
    const { exports } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
    found[name] = [folder + (exports?.[`.${path}`]?.types?.slice(1) ?? path.replace(/\.js$/, ""))];
    found[`${name}/*`] = [`${folder}${path}/*`];
  }
  return found;
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const [out, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (code !== 0) {
    console.error(out + errors);
    Deno.exit(1);
  }
  return out;
}

await Deno.mkdir(FOLDER, { recursive: true });
const types = (await run("types")).replace(/^\/\/\/ <reference .*$/gm, "");
const untyped = UNTYPED.map((name) => `declare module "${name}";\n`);
await Deno.writeTextFile(`${FOLDER}/deno.d.ts`, types + untyped.join(""));
// Deno's own types declare `ReadableStream.from`.
const dom = (await Deno.readTextFile(new URL("lib.dom.d.ts", LIBRARY)))
  .replace("declare var ReadableStream: {", `$&\n    from: ${FROM};`);
await Deno.mkdir(DOM, { recursive: true });
await Deno.writeTextFile(`${DOM}/index.d.ts`, dom);
const compilerOptions = {
  ...tests.compilerOptions,
  lib: ["esnext", "dom"],
  libReplacement: true,
  rootDirs: [ROOT, `${ROOT}.fresh/types`],
  module: "esnext",
  moduleDetection: "force",
  moduleResolution: "bundler",
  target: "esnext",
  allowImportingTsExtensions: true,
  isolatedModules: true,
  // Checks only what has changed since the last time.
  incremental: true,
  tsBuildInfoFile: `${FOLDER}/checked.json`,
  noEmit: true,
  noImplicitOverride: true,
  skipLibCheck: true,
  strict: true,
  types: ["node"],
  typeRoots: [`${MODULES}/@types`],
  paths: await paths(),
};
const config = {
  compilerOptions,
  files: [`${FOLDER}/deno.d.ts`],
  include: [`${ROOT}**/*.ts`, `${ROOT}**/*.tsx`, `${ROOT}.fresh/types/**/*.ts`],
  exclude: ["**/node_modules", ".output", ".npm"].map((path) => ROOT + path),
};
await Deno.writeTextFile(`${FOLDER}/tsconfig.json`, JSON.stringify(config));
// Threads share no types, so several of them check many types twice.
const options = ["--project", FOLDER, "--singleThreaded"];
await run("run", "-A", `${MODULES}/typescript/${compiler.bin.tsc}`, ...options);
