import { assert, assertEquals } from "@std/assert";
import { openDatabase } from "../../../server/store/open.ts";
import { storeOn } from "../../../server/store/store.ts";
import { withFolder } from "../../with_folder.ts";

Deno.test("openDatabase: writes no file on Deno Deploy", () =>
  withFolder(async (dataDir) => {
    const store = storeOn(await openDatabase({ dataDir, databaseUrl: null, onDeploy: true }));
    assert(await store.isEmpty());
    assertEquals([...Deno.readDirSync(dataDir)], []);
    await store.close();
  }));
