import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../../server/store/open.ts";
import { withFolder } from "../../with_folder.ts";

Deno.test("openStore: writes no file on Deno Deploy", () =>
  withFolder(async (dataDir) => {
    const store = await openStore({ dataDir, databaseUrl: null, onDeploy: true });
    assert(await store.isEmpty());
    assertEquals([...Deno.readDirSync(dataDir)], []);
    await store.close();
  }));
