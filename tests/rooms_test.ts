import { assert, assertEquals } from "@std/assert";
import denoConfig from "../deno.json" with { type: "json" };
import { findTests, groupOf, GROUPS } from "../tools/tests.ts";

/** Who may import whom: each room, and the rooms that it may look into. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  cli: ["lib"],
  server: ["lib"],
  components: ["lib"],
  islands: ["lib", "components"],
  routes: ["lib", "server", "components", "islands"],
};

/** What all parts of a room share: the files beside its folders, except `mod.ts`. */
const SHARED = "shared files";

/** The parts of `lib` that use packages. */
const PACKAGED: readonly string[] = ["calendars", "evidence"];

/** The floors of a room, lowest first: each part imports from its own and from lower floors. */
const FLOORS: Readonly<Record<string, string>> = {
  lib: `${SHARED} < search < client < runs < judgement, testing < ${PACKAGED.join(", ")} < mod.ts`,
  server: "config, workers < http < log < auth < store < backend < schedules < observer < actions" +
    " < api, pages < program",
  components: "ui < page < export < search < file_sets, runs",
};

const root = new URL("../", import.meta.url);

interface Source {
  readonly path: string;
  readonly code: string;
  /** The paths and packages that it imports, types included. */
  readonly imports: readonly string[];
}

/** Every source by its path. */
const sources = new Map<string, Source>();
await readSources("");

async function readSources(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    const path = folder + name;
    if (isDirectory && !/^(\..*|node_modules)$/.test(name)) await readSources(`${path}/`);
    if (!/\.tsx?$/.test(name)) continue;
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), root);
    const code = await Deno.readTextFile(url);
    const imports = [
      ...code.replace(/\/\*[^]*?\*\//g, "")
        .matchAll(/(?<!")\b(?:from|import)\s*\(?\s*"([^"]+)"/g),
    ].map(([, name]) => name)
      // Fresh generates a companion beside each route.
      .filter((name) => !name.startsWith("./$"))
      .map((name) => name.startsWith(".") ? pathOf(new URL(name, url)) : name);
    sources.set(path, { path, code, imports });
  }
}

function pathOf(url: URL): string {
  return decodeURIComponent(url.href.slice(root.href.length));
}

function roomOf(path: string): string {
  return path.split("/")[0];
}

function partOf(path: string): string {
  const [, part, inside] = path.split("/");
  return inside || part === "mod.ts" ? part : SHARED;
}

function sourcesIn(...rooms: readonly string[]): readonly Source[] {
  const found = [...sources.values()].filter(({ path }) => rooms.includes(roomOf(path)));
  assert(found.length > 0, `${rooms} have no sources`);
  return found;
}

/** The sources of these rooms that are wrong. */
function wrongSources(rooms: readonly string[], isWrong: (source: Source) => boolean): string[] {
  return sourcesIn(...rooms).filter(isWrong).map(({ path }) => path);
}

/** What the sources of a room import wrongly. */
function wrongImports(room: string, isWrong: (name: string, path: string) => boolean): string[] {
  return sourcesIn(room).flatMap(({ path, imports }) =>
    imports.filter((name) => isWrong(name, path)).map((name) => `${path}: ${name}`)
  );
}

for (const [room, allowed] of Object.entries(ROOMS)) {
  Deno.test(`${room}/: imports only from ${["itself", ...allowed].join(", ")}`, () => {
    const others = [...Object.keys(ROOMS), "main.ts", "dev.ts", "tests", "bench", "tools"]
      .filter((other) => other !== room && !allowed.includes(other));
    assertEquals(wrongImports(room, (name) => others.includes(roomOf(name))), []);
  });
}

for (const [room, floors] of Object.entries(FLOORS)) {
  const floorOf = (path: string) =>
    floors.split(" < ").findIndex((parts) => parts.split(", ").includes(partOf(path)));

  Deno.test(`${room}/: nothing imports from a higher floor`, () => {
    assertEquals(wrongSources([room], ({ path }) => floorOf(path) < 0), []);
    const isHigher = (name: string, path: string) =>
      roomOf(name) === room && partOf(name) !== partOf(path) && floorOf(name) >= floorOf(path);
    assertEquals(wrongImports(room, isHigher), []);
  });
}

/** Fresh finds the type of a middleware's state by this name and in this form. */
const STATE_FOR_FRESH = /^export type State = \w+State;$/m;

Deno.test("rooms: an exported type has a name of its own", () => {
  const declared = /^export (?:default |abstract )*(?:interface|type|class|enum) (\w+)/gm;
  const names = sourcesIn(...Object.keys(ROOMS)).flatMap(({ code }) =>
    [...code.replace(STATE_FOR_FRESH, "").matchAll(declared)].map(([, name]) => name)
  );
  assertEquals(names.filter((name, at) => names.indexOf(name) < at), []);
});

Deno.test("rooms: a folder has at most 24 files", () => {
  const folders = Object.groupBy(
    sourcesIn(...Object.keys(ROOMS)),
    ({ path }) => path.replace(/[^/]+$/, ""),
  );
  assertEquals(Object.keys(folders).filter((folder) => folders[folder]!.length > 24), []);
});

Deno.test("rooms: no imports are circular, not even of types", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  function follow(path: string, way: readonly string[]): void {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
    else if (!done.has(path)) {
      for (const name of sources.get(path)?.imports ?? []) follow(name, [...way, path]);
      done.add(path);
    }
  }
  for (const path of sources.keys()) if (roomOf(path) in ROOMS) follow(path, []);
  assertEquals(circles, []);
});

Deno.test("routes/: a page has at most 14 imports", () =>
  assertEquals(wrongSources(["routes"], ({ imports }) => imports.length > 14), []));

for (const room of ["lib", "cli"]) {
  Deno.test(`${room}/: depends on no package`, () => {
    const isPackage = (name: string, path: string) =>
      !(roomOf(name) in ROOMS) && !name.startsWith("node:") && !PACKAGED.includes(partOf(path));
    assertEquals(wrongImports(room, isPackage), []);
  });
}

Deno.test("lib/: its main entrypoint and that for tests need no package", () => {
  const reached = new Set(["lib/mod.ts", "lib/testing/mod.ts"]);
  for (const path of reached) sources.get(path)?.imports.forEach((name) => reached.add(name));
  assert(reached.size > 50);
  const isWrong = (path: string) => !sources.has(path) || PACKAGED.includes(partOf(path));
  assertEquals([...reached].filter(isWrong), []);
});

Deno.test("deno.json: imports nothing that the product does without", () => {
  const product = [...Object.keys(ROOMS), "tools", "main.ts", "dev.ts", "fresh.config.ts"];
  const used = sourcesIn(...product).flatMap(({ imports }) => imports);
  // For Fresh's modules, what it generates, publishing, and the examples in comments.
  const others = /^(@frsh\/fresh|fresh\/types|@types\/node|@std\/assert)$/;
  const isUsed = (name: string) =>
    others.test(name) || used.some((each) => each === name || each.startsWith(`${name}/`));
  assertEquals(Object.keys(denoConfig.imports).filter((name) => !isUsed(name)), []);
});

Deno.test("CONTRIBUTING: four requests can be followed through files that import each other", async () => {
  const text = await Deno.readTextFile(new URL("CONTRIBUTING.md", root));
  const [, section] = text.split("\n## Follow four requests\n");
  const [, ...requests] = section.split("\n## ")[0].split("\n### ");
  assertEquals(requests.length, 4);
  const areLinked = (a: string, b: string) =>
    sources.get(a)?.imports.includes(b) || sources.get(b)?.imports.includes(a);
  const wrong = requests.flatMap((request) => {
    const [title, ...lines] = request.split("\n").filter((line) => line !== "");
    const files = lines.map((line) => /^\d+\. `([^`]+)` .*\.$/.exec(line)?.[1] ?? line);
    assert(files.length > 1 && files.length <= 8, `${title}: ${files.length} files`);
    return files.flatMap((file, at) => {
      if (!sources.has(file)) return [`${title}: ${file} does not exist; name what replaced it`];
      const isReached = at === 0 || files.slice(0, at).some((earlier) => areLinked(earlier, file));
      return isReached ? [] : [`${title}: no file above ${file} imports it, or is imported by it`];
    });
  });
  assertEquals(wrong, [], 'Correct the lists under "Follow four requests" in CONTRIBUTING.md');
});

Deno.test("lib/: uses no API of a single runtime", () => {
  const isBound = ({ code, path }: Source) => {
    // Deno, Node and Bun have these modules, and browsers make no signed exports.
    const isNodes = partOf(path) === "evidence" ? /"node:(crypto|stream|zlib)"/g : /^$/g;
    const used = code.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").replace(isNodes, "");
    return /\b(Deno|process|Buffer|require|window|document)\b\.|\bsetImmediate\b|"node:/.test(used);
  };
  assertEquals(wrongSources(["lib"], isBound), []);
});

Deno.test("routes/: each exports handlers and each middleware its state, as Fresh looks for them", () => {
  const isMiddleware = (path: string) => path.endsWith("_middleware.ts");
  const isWrong = ({ code, path }: Source) => {
    const isPart = /\/_[^/]+$/.test(path) && !path.endsWith("_error.tsx");
    return isMiddleware(path) && !STATE_FOR_FRESH.test(code) ||
      !isPart && (!/^export const handlers = handler\(/m.test(code) ||
          /^export (const|function) handler\b/m.test(code));
  };
  assertEquals(wrongSources(["routes"], isWrong), []);
  assert(sources.keys().some(isMiddleware));
});

const isTest = ({ path }: Source) => /_test\.tsx?$/.test(path);

Deno.test("tests/: each test file is in a group", async () => {
  const files = sourcesIn("tests").filter(isTest).map(({ path }) => path);
  assertEquals((await findTests()).sort(), files.sort());
  assertEquals(new Set(files.map(groupOf)), new Set(Object.keys(GROUPS)));
  const run = new Set(files.flatMap((path) => [path, ...sources.get(path)!.imports]));
  const isLost = ({ code, path }: Source) => !run.has(path) && /\bDeno\.test\(/.test(code);
  assertEquals(wrongSources(["tests"], isLost), []);
});

Deno.test("tests/: each title is there once, with at most fifteen words and 90 characters", () => {
  const named = /^(?:Deno\.test|test(?:OnBoth|Records|Steps))\(\s*(?:\{\s*name: )?(["`])(.*)\1/gm;
  const titles = sourcesIn("tests").filter(isTest)
    .flatMap(({ code }) => [...code.matchAll(named)].map(([, , title]) => title));
  assertEquals(titles.filter((title, at) => titles.indexOf(title) < at), []);
  const isLong = (title: string) =>
    title.length > 90 || title.replace(/^\[\w+\] /, "").split(" ").length > 15;
  assertEquals(titles.filter(isLong), []);
});
