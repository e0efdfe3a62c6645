/** A SQLite database with the sample, filled once for all files of tests. */
import { openStore } from "../server/store/open.ts";
import { fillWithSample } from "../server/store/sample/fill.ts";
import { kept } from "./kept.ts";

let database: Promise<string> | undefined;

/** Puts the sample's database into a data folder, as the embedded service would fill it. */
export async function placeSample(dataDir: string): Promise<void> {
  database ??= kept("sample", async (path) => {
    await Deno.mkdir(path);
    const store = await openStore({ dataDir: path, databaseUrl: null });
    await fillWithSample(store, { now: new Date() });
    await store.close();
  });
  await Deno.copyFile(`${await database}/docket.sqlite`, `${dataDir}/docket.sqlite`);
}
