import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../../server/store/open.ts";
import { fileSet } from "./rows.ts";

Deno.test("openStore: stores its data in the data folder", async () => {
  const dataDir = await Deno.makeTempDir();
  const settings = { dataDir, databaseUrl: null };
  const first = await openStore(settings);
  await first.put({ fileSets: [fileSet(1)] });
  await first.close();
  const second = await openStore(settings);
  assertEquals((await second.fileSets.search({})).pageContext.total, 1);
  await second.close();
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("openStore: writes no file on Deno Deploy", async () => {
  const dataDir = await Deno.makeTempDir();
  const store = await openStore({ dataDir, databaseUrl: null, onDeploy: true });
  assert(await store.isEmpty());
  assertEquals([...Deno.readDirSync(dataDir)], []);
  await store.close();
  await Deno.remove(dataDir);
});
