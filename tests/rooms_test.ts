import { assert, assertEquals } from "@std/assert";
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
const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  lib: [[SHARED], ["search"], ["client"], ["runs"], ["judgement", "testing"], PACKAGED, [
    "mod.ts",
  ]],
  server: [
    ["config", "workers"],
    ["http"],
    ["log"],
    ["auth"],
    ["store"],
    ["backend"],
    ["schedules"],
    ["observer"],
    ["actions"],
    ["api", "pages"],
    ["program"],
  ],
  components: [["ui"], ["page"], ["export"], ["search"], ["file_sets", "runs"]],
};

/** Where no circle may be. */
const WITHOUT_CIRCLES = ["lib", "cli", "server", "components", "islands", "routes"];

/** What looks after the project; nothing that is shipped imports from there. */
const OUTSIDE = ["main.ts", "dev.ts", "tests", "bench", "tools"];

const root = new URL("../", import.meta.url);

/** Every source of a room, with the paths and packages that it imports, types included. */
const imports = new Map<string, readonly string[]>();
for (const room of Object.keys(ROOMS)) {
  for await (const path of sourcesOf(room)) imports.set(path, await importsOf(path));
}

async function* sourcesOf(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(`${folder}/`, root))) {
    const path = `${folder}/${entry.name}`;
    if (entry.name === "node_modules") continue;
    if (entry.isDirectory) yield* sourcesOf(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

async function importsOf(path: string): Promise<string[]> {
  const code = (await Deno.readTextFile(urlOf(path))).replace(/\/\*[^]*?\*\//g, "");
  return [...code.matchAll(/(?<!")\b(?:from|import)\s*\(?\s*"([^"]+)"/g)]
    .map(([, name]) => name)
    // Fresh generates a companion beside each route.
    .filter((name) => !name.startsWith("./$"))
    .map((name) => name.startsWith(".") ? pathOf(new URL(name, urlOf(path))) : name);
}

function urlOf(path: string): URL {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), root);
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

function sourcesIn(room: string): (readonly [string, readonly string[]])[] {
  const sources = [...imports].filter(([path]) => roomOf(path) === room);
  assert(sources.length > 0, `${room}/ has no sources`);
  return sources;
}

for (const [room, allowed] of Object.entries(ROOMS)) {
  Deno.test(`${room}/: imports only from ${["itself", ...allowed].join(", ")}`, () => {
    const wrong = sourcesIn(room).flatMap(([path, names]) =>
      names.filter((name) => {
        const other = roomOf(name);
        const isOurs = other in ROOMS || OUTSIDE.includes(other);
        return isOurs && other !== room && !allowed.includes(other);
      }).map((name) => `${path}: ${name}`)
    );
    assertEquals(wrong, []);
  });
}

for (const [room, floors] of Object.entries(FLOORS)) {
  const floorOf = (part: string) => floors.findIndex((parts) => parts.includes(part));

  Deno.test(`${room}/: nothing imports from a higher floor`, () => {
    const wrong = sourcesIn(room).flatMap(([path, names]) => {
      const part = partOf(path);
      if (floorOf(part) < 0) return [`${path} is on no floor`];
      return names.filter((name) =>
        roomOf(name) === room && partOf(name) !== part && floorOf(partOf(name)) >= floorOf(part)
      ).map((name) => `${path}: ${name}`);
    });
    assertEquals(wrong, []);
  });
}

/** Fresh finds the type of a middleware's state by this name and in this form. */
const STATE_FOR_FRESH = /^export type State = \w+State;$/m;

/** The names that several files have, each with the paths of these. */
function namesakes(named: readonly (readonly [name: string, path: string])[]) {
  const twins = Object.entries(Object.groupBy(named, ([name]) => name))
    .filter(([, files]) => files!.length > 1);
  return twins.map(([name, files]) => `${name}: ${files!.map(([, path]) => path)}`);
}

Deno.test("rooms: an exported type has a name of its own", async () => {
  const declared = /^export (?:default |abstract )*(?:interface|type|class|enum) (\w+)/gm;
  const types = await Promise.all(
    imports.keys().map(async (path) => {
      const code = (await Deno.readTextFile(urlOf(path))).replace(STATE_FOR_FRESH, "");
      return [...code.matchAll(declared)].map(([, name]) => [name, path] as const);
    }),
  );
  assertEquals(namesakes(types.flat()), []);
});

Deno.test("rooms: a file has a name of its own in its room", () => {
  const files = [...imports.keys()].flatMap((path) => {
    const file = path.split("/").at(-1)!.replace(/\.tsx?$/, "");
    // The names of routes are parts of URLs, or Fresh's own.
    const isUrl = roomOf(path) === "routes" && /^(index|export|_middleware|\[.*\])$/.test(file);
    return file === "mod" || isUrl ? [] : [[`${roomOf(path)}: ${file}`, path] as const];
  });
  assertEquals(namesakes(files), []);
});

Deno.test("rooms: no imports are circular, not even of types", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  function follow(path: string, way: readonly string[]): void {
    if (way.includes(path)) {
      circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
      return;
    }
    if (done.has(path) || !WITHOUT_CIRCLES.includes(roomOf(path))) return;
    for (const name of imports.get(path) ?? []) follow(name, [...way, path]);
    done.add(path);
  }
  for (const room of WITHOUT_CIRCLES) for (const [path] of sourcesIn(room)) follow(path, []);
  assertEquals(circles, []);
});

Deno.test("routes/: a page has at most 14 imports", () => {
  const long = sourcesIn("routes").filter(([, names]) => names.length > 14);
  assertEquals(long.map(([path]) => path), []);
});

for (const room of ["lib", "cli"]) {
  Deno.test(`${room}/: depends on no package`, () => {
    const wrong = sourcesIn(room).flatMap(([path, names]) =>
      names.filter((name) => !(roomOf(name) in ROOMS) && !name.startsWith("node:"))
        .filter(() => !PACKAGED.includes(partOf(path)))
        .map((name) => `${path}: ${name}`)
    );
    assertEquals(wrong, []);
  });
}

Deno.test("lib/: its main entrypoint and that for tests need no package", () => {
  const reached = new Set(["lib/mod.ts", "lib/testing/mod.ts"]);
  for (const path of reached) for (const name of imports.get(path) ?? []) reached.add(name);
  assert(reached.size > 50);
  assertEquals(
    [...reached].filter((path) => !imports.has(path) || PACKAGED.includes(partOf(path))),
    [],
  );
});

Deno.test("CONTRIBUTING: four requests can be followed through files that import each other", async () => {
  const text = await Deno.readTextFile(new URL("CONTRIBUTING.md", root));
  const [, section] = text.split("\n## Follow four requests\n");
  const [, ...requests] = section.split("\n## ")[0].split("\n### ");
  assertEquals(requests.length, 4);
  const areLinked = (a: string, b: string) =>
    imports.get(a)?.includes(b) || imports.get(b)?.includes(a);
  const wrong = requests.flatMap((request) => {
    const [title, ...lines] = request.split("\n").filter((line) => line !== "");
    const files = lines.map((line) => /^\d+\. `([^`]+)` .*\.$/.exec(line)?.[1] ?? line);
    assert(files.length > 1 && files.length <= 8, `${title}: ${files.length} files`);
    return files.flatMap((file, at) => {
      if (!imports.has(file)) return [`${title}: ${file} does not exist; name what replaced it`];
      const isReached = at === 0 || files.slice(0, at).some((earlier) => areLinked(earlier, file));
      return isReached ? [] : [`${title}: no file above ${file} imports it, or is imported by it`];
    });
  });
  assertEquals(wrong, [], 'Correct the lists under "Follow four requests" in CONTRIBUTING.md');
});

/** The sources of rooms whose path or code is wrong. */
async function wrongIn(
  rooms: readonly string[],
  isWrong: (code: string, path: string) => boolean,
): Promise<string[]> {
  const paths = rooms.flatMap(sourcesIn).map(([path]) => path);
  const codes = await Promise.all(paths.map((path) => Deno.readTextFile(urlOf(path))));
  return paths.filter((path, at) => isWrong(codes[at], path));
}

Deno.test("lib/: uses no API of a single runtime", async () => {
  const wrong = await wrongIn(["lib"], (code, path) => {
    // Deno, Node and Bun have these modules, and browsers make no signed exports.
    const isNodes = partOf(path) === "evidence" ? /"node:(crypto|stream|zlib)"/g : /^$/g;
    const used = code.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").replace(isNodes, "");
    return /\b(Deno|process|Buffer|require|window|document)\b\.|"node:/.test(used);
  });
  assertEquals(wrong, []);
});

Deno.test("routes/: each route exports handlers, by the one name that Fresh looks for", async () => {
  const wrong = await wrongIn(["routes"], (code, path) => {
    const isPart = /\/_[^/]+$/.test(path) && !path.endsWith("_error.tsx");
    return !isPart && (!/^export const handlers = handler\(/m.test(code) ||
      /^export (const|function) handler\b/m.test(code));
  });
  assertEquals(wrong, []);
});

Deno.test("routes/: each middleware declares its state where Fresh looks for it", async () => {
  const isMiddleware = (path: string) => path.endsWith("_middleware.ts");
  assert(sourcesIn("routes").some(([path]) => isMiddleware(path)));
  const wrong = await wrongIn(
    ["routes"],
    (code, path) => isMiddleware(path) && !STATE_FOR_FRESH.test(code),
  );
  assertEquals(wrong, []);
});

Deno.test("pages: none uses Fresh's partials, which the build leaves out", async () => {
  const partial = /\bf-(partial|client-nav)\b|import {[^}]*\bPartial\b[^}]*} from "fresh/;
  const isWrong = (code: string) => partial.test(code);
  assertEquals(await wrongIn(["components", "islands", "routes"], isWrong), []);
});

Deno.test("tests/: each test file is in a group", async () => {
  const paths = await Array.fromAsync(sourcesOf("tests"));
  const files = paths.filter((path) => /_test\.tsx?$/.test(path));
  assertEquals((await findTests()).sort(), files.sort());
  assertEquals(new Set(files.map(groupOf)), new Set(Object.keys(GROUPS)));
  const imported = new Set((await Promise.all(files.map(importsOf))).flat());
  const wrong: string[] = [];
  for (const path of paths.filter((path) => !files.includes(path) && !imported.has(path))) {
    if (/\bDeno\.test\(/.test(await Deno.readTextFile(urlOf(path)))) wrong.push(path);
  }
  assertEquals(wrong, []);
});

Deno.test("tests/: each title is there once, with at most fifteen words and 90 characters", async () => {
  const titles: string[] = [];
  for (const path of await findTests()) {
    const text = await Deno.readTextFile(urlOf(path));
    const found = text.matchAll(
      /^(?:Deno\.test|test(?:OnBoth|Records|Steps))\(\s*(?:\{\s*name: )?(["`])(.*)\1/gm,
    );
    titles.push(...[...found].map(([, , title]) => title));
  }
  assertEquals(titles.filter((title, at) => titles.indexOf(title) < at), []);
  const isLong = (title: string) =>
    title.length > 90 || title.replace(/^\[\w+\] /, "").split(" ").length > 15;
  assertEquals(titles.filter(isLong), []);
});
