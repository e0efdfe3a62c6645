/**
 * Builds the package for npm from the same sources: ESM, types, and the program `docket`.
 *
 *     deno task npm [FOLDER]
 */
import { fileURLToPath } from "node:url";
import { readArguments } from "./arguments.ts";

/** The compiler, and the types of Node's API that the command line uses. */
const COMPILER = ["typescript@5.9.3", "@types/node@22.18.6"];

const ROOT = new URL("../", import.meta.url);

/** Builds the package into a folder that is empty or does not exist. */
export async function buildPackage(folder: string): Promise<void> {
  const { version, license, imports } = JSON.parse(
    await Deno.readTextFile(new URL("deno.json", ROOT)),
  );
  // The dependencies of lib/evidence and lib/calendars, such as "npm:fflate@0.8.3".
  const dependencies = Object.fromEntries(
    ["fflate", "ical.js"].map((name) => /^npm:(.+)@([\d.]+)/.exec(imports[name])!.slice(1)),
  );
  await Deno.mkdir(`${folder}/src/bin`, { recursive: true });
  for (const room of ["lib", "cli"]) await copySources(room, `${folder}/src`);
  await Deno.writeTextFile(`${folder}/src/bin/docket.ts`, BIN);
  await writeJson(`${folder}/package.json`, {
    name: "@docket/docket",
    version,
    license,
    description: "A typed client and command line for file sets and report schedule histories",
    type: "module",
    exports: {
      ".": entry("lib/mod"),
      "./testing": entry("lib/testing/mod"),
      "./cli": entry("cli/mod"),
    },
    bin: { docket: "./dist/bin/docket.js" },
    files: ["dist", "README.md", "LICENSE"],
    engines: { node: ">=20" },
    sideEffects: false,
    dependencies,
  });
  await writeJson(`${folder}/tsconfig.json`, {
    compilerOptions: {
      target: "es2022",
      lib: ["es2023", "esnext", "dom", "dom.iterable", "dom.asynciterable"],
      module: "nodenext",
      rewriteRelativeImportExtensions: true,
      declaration: true,
      strict: true,
      skipLibCheck: true,
      types: ["node"],
      rootDir: "src",
      outDir: "dist",
    },
    include: ["src"],
  });
  await npm(folder, "install", "--no-save", "--no-audit", "--no-fund", ...COMPILER);
  await npm(folder, "exec", "--offline", "--", "tsc");
  await rewriteDeclarations(`${folder}/dist`);
  await Deno.copyFile(new URL("lib/README.md", ROOT), `${folder}/README.md`);
  await Deno.copyFile(new URL("LICENSE", ROOT), `${folder}/LICENSE`);
  for (const file of ["src", "node_modules"]) {
    await Deno.remove(`${folder}/${file}`, { recursive: true });
  }
  await Deno.remove(`${folder}/tsconfig.json`);
}

export async function packPackage(folder: string): Promise<string> {
  const [{ filename }] = JSON.parse(await npm(folder, "pack", "--json"));
  return `${folder}/${filename}`;
}

// The package needs a program file, since older ones of Node have no `import.meta.main`.
const BIN = `#!/usr/bin/env node
import process from "node:process";
import { processIo } from "../cli/io.ts";
import { run } from "../cli/run.ts";

process.exitCode = await run(process.argv.slice(2), processIo());
`;

function entry(path: string): Record<string, string> {
  return { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` };
}

async function copySources(path: string, target: string): Promise<void> {
  await Deno.mkdir(`${target}/${path}`, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(new URL(`${path}/`, ROOT))) {
    if (isDirectory) await copySources(`${path}/${name}`, target);
    else await Deno.copyFile(new URL(`${path}/${name}`, ROOT), `${target}/${path}/${name}`);
  }
}

/** TypeScript leaves `.ts` in the imports of declarations, which older versions can't resolve. */
async function rewriteDeclarations(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) await rewriteDeclarations(path);
    if (!name.endsWith(".d.ts")) continue;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/(["'])(\.{1,2}\/[^"']+)\.ts\1/g, "$1$2.js$1"));
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(value, null, 2) + "\n");
}

async function npm(folder: string, ...args: string[]): Promise<string> {
  return await run(folder, "npm", ...args);
}

async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  const text = new TextDecoder();
  if (!success) {
    throw new Error(`${program} ${args.join(" ")}\n${text.decode(stdout)}${text.decode(stderr)}`);
  }
  return text.decode(stdout);
}

const HELP = `Builds the package for npm, and packs it.

deno task npm [FOLDER]

  FOLDER  an empty folder or a new one; by default .npm, which is emptied`;

if (import.meta.main) {
  const [chosen] = readArguments(HELP, 1);
  const folder = chosen ?? fileURLToPath(new URL(".npm/", ROOT)).replace(/\/$/, "");
  if (chosen === undefined) {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  } else if ((await Array.fromAsync(Deno.readDir(chosen)).catch(() => [])).length > 0) {
    console.error(`${chosen} is not empty: name a new folder`);
    Deno.exit(2);
  }
  await buildPackage(folder);
  console.log(await packPackage(folder));
}
