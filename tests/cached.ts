/** Makes what many test files need once, and caches it beside their packages. */

import { MINUTE } from "../lib/time_units.ts";
const ROOT = new URL("..", import.meta.url).pathname;
const FOLDER = `${ROOT}tests/node_modules/.cache`;

/**
 * A sample that ends with the present ages. It is made again at every fifth minute of the clock: its
 * schedules are due on the hour, and then no run may be missing.
 */
const USED_FOR_MS = 5 * MINUTE;
/** Longer, since a test file may use the path somewhat later. */
const CACHED_FOR_MS = 15 * MINUTE;

/**
 * Returns the path of what is cached under a name. `make` makes it again at a given path if `lib` or
 * `server` has changed since, or if it ages and is too old.
 */
export async function cached(
  name: string,
  make: (path: string) => Promise<void>,
  { ages = false } = {},
): Promise<string> {
  const folder = `${FOLDER}/${name}`;
  await Deno.mkdir(folder, { recursive: true });
  // Test files run side by side: one makes it, the others wait.
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  const now = Date.now();
  const made = (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name);
  const newest = Math.max(0, ...made.map((name) => Number(name) || 0));
  const sources = await Promise.all(["lib", "server"].map((room) => changedAt(`${ROOT}${room}`)));
  const since = ages ? now - now % USED_FOR_MS : 0;
  if (newest > Math.max(...sources, since)) return `${folder}/${newest}`;
  // A name without a number was not finished.
  for (const name of made.filter((name) => !(Number(name) > now - CACHED_FOR_MS))) {
    await Deno.remove(`${folder}/${name}`, { recursive: true });
  }
  await make(`${folder}/unfinished`);
  await Deno.rename(`${folder}/unfinished`, `${folder}/${now}`);
  return `${folder}/${now}`;
}

/** When a folder, or anything in it, was last changed. */
async function changedAt(folder: string): Promise<number> {
  const times = [modifiedAt(folder)];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    times.push(isDirectory ? changedAt(path) : modifiedAt(path));
  }
  return Math.max(...await Promise.all(times));
}

async function modifiedAt(path: string): Promise<number> {
  return (await Deno.stat(path)).mtime!.getTime();
}
