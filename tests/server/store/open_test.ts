import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../../server/store/open.ts";
import { withFolder } from "../../with_folder.ts";
import { fileSet } from "./rows.ts";
import { inStore } from "./tasks/task_context.ts";

Deno.test("openStore: stores its data in the data folder", () =>
  withFolder(async (dataDir) => {
    await inStore(dataDir, (store) => store.put({ fileSets: [fileSet(1)] }));
    const { pageContext } = await inStore(dataDir, (store) => store.fileSets.search({}));
    assertEquals(pageContext.total, 1);
  }));

Deno.test("openStore: writes no file on Deno Deploy", () =>
  withFolder(async (dataDir) => {
    const store = await openStore({ dataDir, databaseUrl: null, onDeploy: true });
    assert(await store.isEmpty());
    assertEquals([...Deno.readDirSync(dataDir)], []);
    await store.close();
  }));
