import { assertEquals } from "@std/assert";

/** Who may import whom, from DESIGN: each room, and the rooms that it may look into. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  cli: ["lib"],
  server: ["lib"],
  components: ["lib"],
  islands: ["lib", "components"],
  routes: ["lib", "server", "components", "islands"],
};

const root = new URL("../", import.meta.url);

async function* sourcesOf(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(folder, root))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* sourcesOf(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

/** The rooms outside its own that a source imports from, and everything that is no room's. */
async function importsOf(path: string): Promise<string[]> {
  const source = await Deno.readTextFile(new URL(path, root));
  const code = source.replace(/\/\*[^]*?\*\//g, "");
  return [...code.matchAll(/(?<!")\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name]) => {
    if (!name.startsWith(".")) return name;
    // A generated companion of a route stands beside it.
    if (name.startsWith("./$")) return path.split("/")[0];
    return new URL(name, new URL(path, root)).href.slice(root.href.length).split("/")[0];
  });
}

const present = new Set([...Deno.readDirSync(root)].map((entry) => entry.name));

for (const [room, allowed] of Object.entries(ROOMS)) {
  if (!present.has(room)) continue;
  Deno.test(`${room}/: imports only from ${["itself", ...allowed].join(", ")}`, async () => {
    const wrong: string[] = [];
    for await (const path of sourcesOf(room)) {
      for (const name of await importsOf(path)) {
        const isRoom = name in ROOMS ||
          ["main.ts", "dev.ts", "tests", "bench", "tools"].includes(name);
        if (isRoom && name !== room && !allowed.includes(name)) wrong.push(`${path}: ${name}`);
      }
    }
    assertEquals(wrong, []);
  });
}

for (const room of ["lib", "cli"]) {
  if (!present.has(room)) continue;
  Deno.test(`${room}/: depends on no package`, async () => {
    const wrong: string[] = [];
    for await (const path of sourcesOf(room)) {
      for (const name of await importsOf(path)) {
        if (!(name in ROOMS) && !name.startsWith("node:")) wrong.push(`${path}: ${name}`);
      }
    }
    assertEquals(wrong, []);
  });
}

Deno.test("lib/: uses nothing of one runtime", async () => {
  const wrong: string[] = [];
  for await (const path of sourcesOf("lib")) {
    const code = (await Deno.readTextFile(new URL(path, root))).replace(
      /\/\*[^]*?\*\/|\/\/.*/g,
      "",
    );
    if (/\bDeno\.|\bprocess\.|"node:/.test(code)) wrong.push(path);
  }
  assertEquals(wrong, []);
});

Deno.test("routes/: each route exports handlers, by the one name that Fresh looks for", async () => {
  const wrong: string[] = [];
  for await (const path of sourcesOf("routes")) {
    if (/\/_[^/]+$/.test(path) && !path.endsWith("_error.tsx")) continue;
    const code = await Deno.readTextFile(new URL(path, root));
    if (
      !/^export const handlers = handler\(/m.test(code) ||
      /^export (const|function) handler\b/m.test(code)
    ) {
      wrong.push(path);
    }
  }
  assertEquals(wrong, []);
});

Deno.test("routes/: each middleware declares its state where Fresh looks for it", async () => {
  for await (const path of sourcesOf("routes")) {
    if (!path.endsWith("_middleware.ts")) continue;
    const code = await Deno.readTextFile(new URL(path, root));
    assertEquals(/^export interface State\b/m.test(code), true, path);
  }
});
