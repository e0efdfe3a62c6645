import { assertEquals } from "@std/assert";
import { buildPackage, packPackage } from "../../tools/npm.ts";
import { withFolder } from "../with_folder.ts";

/** Not in a `node_modules`, where Deno installs nothing. */
const FOLDER = new URL("../../.npm/tools", import.meta.url).pathname;
await Deno.mkdir(FOLDER, { recursive: true });

const { os, arch } = Deno.build;
const NODE = `node-${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
const BUN = `@oven/bun-${os}-${arch === "aarch64" ? "aarch64" : "x64"}`;

/**
 * What the package is tried with: what checks types, and runtimes. Theirs are the packages of
 * this platform: `node` and `bun` would unpack those of other platforms too, or ask npm once more.
 */
const TOOLS = {
  node20: `npm:${NODE}@20`,
  node22: `npm:${NODE}@22.23.3`,
  bun: `npm:${BUN}@1.4.5`,
  typescript: "5.9.3",
};

async function run(cwd: string, program: string, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  const text = new TextDecoder();
  return { code, out: text.decode(stdout), err: text.decode(stderr) };
}

async function canAskNpm(): Promise<boolean> {
  try {
    return (await run(".", "npm", "view", "typescript@5.9.3", "version")).code === 0;
  } catch {
    return false;
  }
}

/**
 * Where the tools are: they are half a gigabyte, so they are installed once and cached. Deno unpacks
 * them in a third of npm's time.
 */
async function installTools(): Promise<string> {
  const folder = `${FOLDER}/${Object.values(TOOLS).join("+").replaceAll(/[/:]/g, "-")}`;
  if (!await Deno.stat(folder).catch(() => null)) {
    const unfinished = await Deno.makeTempDir({ dir: FOLDER });
    const json = JSON.stringify({ private: true, dependencies: TOOLS });
    await Deno.writeTextFile(`${unfinished}/package.json`, json);
    await Deno.writeTextFile(
      `${unfinished}/deno.json`,
      `{ "nodeModulesDir": "auto", "lock": false }`,
    );
    const installed = await run(unfinished, Deno.execPath(), "install", "--quiet");
    assertEquals(installed.code, 0, installed.err);
    await Deno.rename(unfinished, folder);
  }
  return `${folder}/node_modules`;
}

/** A program that walks through the test service, many pages at a time. */
const PROGRAM = `
import { createClient, csvStream, headline, isDocketError, judge } from "@docket/docket";
import { createTestService, makeFileSets, makeRuns } from "@docket/docket/testing";
import { run } from "@docket/docket/cli";

const service = createTestService({
  fileSets: makeFileSets(2500),
  runs: { 7: makeRuns(120) },
  latencyMs: 1,
});
const client = createClient({
  baseUrl: "https://service.example",
  token: "secret-token",
  fetch: service.fetch,
});
let rows = 0;
const walk = client.fileSets.search({}, { limit: 20 }).walk({ prefetch: 16 });
for await (const _ of walk) rows++;
const csv = await new Response(csvStream(client.fileSets.search(), { columns: ["id"] })).text();
const error = await client.reportSchedules.history(1).catch((error) => error);
const verdict = headline(await judge(client, 7, { now: Date.UTC(2025, 4, 1, 7) }));
console.log(rows, walk.report.complete, csv.split("\\r\\n").length, isDocketError(error), verdict, typeof run);
`;

const TYPES = `
import { type Client, type ClientOptions, createClient, type FileSet, search } from "@docket/docket";

const options: ClientOptions = { baseUrl: "https://service.example", token: null, attempts: 1 };
export const client: Client = createClient(options);
export async function names(): Promise<(string | null | undefined)[]> {
  const page = await client.fileSets.search(search().where("owner", "EQUALS", "ann"), { limit: 5 });
  const fileSets: readonly FileSet[] = page.fileSets;
  return fileSets.map(({ name }) => name);
}
`;

Deno.test({
  name: "npm: the package installs, and runs on Node 20, 22 and Bun",
  ignore: !await canAskNpm(),
  async fn() {
    await withFolder(async (folder) => {
      await buildPackage(`${folder}/package`);
      const tarball = await packPackage(`${folder}/package`);
      const project = `${folder}/project`;
      await Deno.mkdir(project);
      await Deno.writeTextFile(`${project}/package.json`, `{ "type": "module", "private": true }`);
      await Deno.writeTextFile(`${project}/program.js`, PROGRAM);
      await Deno.writeTextFile(`${project}/types.ts`, TYPES);
      const installed = await run(project, "npm", "install", "--no-audit", tarball);
      assertEquals(installed.code, 0, installed.err);

      const tools = await installTools();
      const runtimes = [
        [`${tools}/node20/bin/node`, "program.js"],
        [`${tools}/node22/bin/node`, "program.js"],
        [`${tools}/bun/bin/bun`, "run", "program.js"],
      ];
      for (const [program, ...args] of runtimes) {
        const { out, err } = await run(project, program, ...args);
        assertEquals([out, err], ["2500 true 2502 true failing function\n", ""], program);
      }
      const version = await run(project, `${project}/node_modules/.bin/docket`, "--version");
      assertEquals(version.out, (await import("../../cli/version.ts")).VERSION + "\n");

      const options =
        "--noEmit --strict --skipDefaultLibCheck --exactOptionalPropertyTypes --isolatedDeclarations " +
        "--declaration --target es2022 --lib es2022,dom --module nodenext";
      const types = await run(project, `${tools}/.bin/tsc`, ...options.split(" "), "types.ts");
      assertEquals([types.code, types.out], [0, ""]);
    });
  },
});
