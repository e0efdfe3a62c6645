/** Searches too long for the program's own thread, in a process with the start task's permissions. */
import { assertEquals } from "@std/assert";
import { TOKEN } from "../app.ts";
import { withProgram } from "../program.ts";
import { sampleFileSets } from "../../server/store/sample/file_sets.ts";
import { openSqliteStore } from "../server/store/open_stores.ts";
import { withFolder } from "../with_folder.ts";

Deno.test("[e2e] a search that reads every row runs in a worker", async () => {
  await withFolder(async (dataDir) => {
    const rows = [...sampleFileSets(12_000, 0)];
    const store = await openSqliteStore({ path: `${dataDir}/docket.sqlite` });
    await store.put({ fileSets: rows });
    await store.close();
    await withProgram({ DATA_DIR: dataDir }, async ({ origin }) => {
      const filters = [{ field: "id", operator: "LIKE", value: ["abc", "7f"] }];
      const response = await fetch(`${origin}/api/files/v1/filesets/search?limit=1000`, {
        method: "POST",
        headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
        body: JSON.stringify({ filters }),
      });
      assertEquals(response.status, 200);
      const expected = rows.filter(({ id }) => id.includes("abc") || id.includes("7f"));
      assertEquals((await response.json()).pageContext.total, expected.length);
    });
  });
});
