/** A database with the sample, filled once for all files of tests and kept among their packages. */
import { openStore } from "../server/store/open.ts";
import { fillWithSample } from "../server/store/sample/fill.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const FOLDER = `${ROOT}tests/node_modules/.cache`;
const KEPT = `${FOLDER}/sample.sqlite`;

/** The sample ends with the present, so what is kept ages. */
const MOST_AGE_MS = 5 * 60_000;

let kept: Promise<void> | undefined;

/** Puts the sample's database into a data folder, as the embedded service would fill it. */
export async function placeSample(dataDir: string): Promise<void> {
  await (kept ??= keepSample());
  await Deno.copyFile(KEPT, `${dataDir}/docket.sqlite`);
}

async function keepSample(): Promise<void> {
  await Deno.mkdir(FOLDER, { recursive: true });
  // Files of tests run side by side: only one may fill it, the others wait.
  using lock = await Deno.open(`${FOLDER}/sample.lock`, { create: true, write: true });
  await lock.lock(true);
  const made = await modifiedAt(KEPT).catch(() => 0);
  const sources = await Promise.all(["lib", "server"].map((room) => newestIn(`${ROOT}${room}`)));
  if (made > Math.max(...sources, Date.now() - MOST_AGE_MS)) return;
  const dataDir = await Deno.makeTempDir({ dir: FOLDER });
  const store = await openStore({ dataDir, databaseUrl: null });
  await fillWithSample(store, { now: new Date() });
  await store.close();
  await Deno.rename(`${dataDir}/docket.sqlite`, KEPT);
  await Deno.remove(dataDir, { recursive: true });
}

/** When a folder, or anything in it, was last changed. */
async function newestIn(folder: string): Promise<number> {
  const times = [modifiedAt(folder)];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    times.push(isDirectory ? newestIn(path) : modifiedAt(path));
  }
  return Math.max(...await Promise.all(times));
}

async function modifiedAt(path: string): Promise<number> {
  return (await Deno.stat(path)).mtime!.getTime();
}
