/** What many files of tests need is made once, and kept among their packages for some minutes. */

const ROOT = new URL("..", import.meta.url).pathname;
const FOLDER = `${ROOT}tests/node_modules/.cache`;

const MINUTE_MS = 60_000;
/**
 * The sample ends with the present, so what holds it ages. It is made anew whenever that many minutes
 * of the clock are full: its schedules are due on the hour, and a run may not be missing then.
 */
const USED_FOR_MS = 5 * MINUTE_MS;
/** Longer, for a file of tests that was told of it may use it later. */
const KEPT_FOR_MS = 15 * MINUTE_MS;

/**
 * The path of what is kept under a name. Unless it was made in these minutes, and neither `lib`
 * nor `server` changed since, `make` makes it anew at the path that it is given.
 */
export async function kept(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const folder = `${FOLDER}/${name}`;
  await Deno.mkdir(folder, { recursive: true });
  // Files of tests run side by side: only one may make it, the others wait.
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  const now = Date.now();
  const made = (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name);
  const newest = Math.max(0, ...made.map((name) => Number(name) || 0));
  const sources = await Promise.all(["lib", "server"].map((room) => changedAt(`${ROOT}${room}`)));
  if (newest > Math.max(...sources, now - now % USED_FOR_MS)) return `${folder}/${newest}`;
  // Without a number it was not finished.
  for (const name of made.filter((name) => !(Number(name) > now - KEPT_FOR_MS))) {
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
