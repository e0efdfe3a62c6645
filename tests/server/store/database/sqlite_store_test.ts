import { assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { testStoreContract } from "../store_contract.ts";
import { fileSet } from "../rows.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { inFolder } from "../sqlite/folder.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";

testStoreContract("SQLite", (work) => withSqlite((database) => work(storeOn(database))));

Deno.test("openSqlite: only the owner can read its files, also if others could before", () =>
  inFolder(async (path) => {
    await Deno.chmod(path.replace(/[^/]+$/, ""), 0o755);
    const modes = () =>
      ["", "-wal", "-shm"].map((ending) =>
        (Deno.statSync(path + ending).mode! & 0o777).toString(8)
      );
    const made = storeOn(await openSqlite({ path }));
    await made.put({ fileSets: [fileSet(1)] });
    assertEquals(modes(), ["600", "600", "600"]);
    for (const ending of ["", "-wal", "-shm"]) await Deno.chmod(path + ending, 0o644);
    const again = storeOn(await openSqlite({ path }));
    assertEquals(modes(), ["600", "600", "600"]);
    assertEquals((await again.fileSets.search()).pageContext.total, 1);
    await Promise.all([made.close(), again.close()]);
  }));

Deno.test("openSqlite: leaves one file when all is closed, and another application's as it is", () =>
  inFolder(async (path) => {
    for (const _ of ["made", "read"]) await (await openSqlite({ path })).close();
    const names = [...Deno.readDirSync(path.replace(/[^/]*$/, ""))].map(({ name }) => name);
    assertEquals(names, ["docket.sqlite"]);
    const others = `${path}.other`;
    const db = new DatabaseSync(others);
    db.exec("CREATE TABLE others (id INTEGER)");
    db.close();
    const before = await Deno.readFile(others);
    await assertRejects(() => openSqlite({ path: others }), Error, "another application");
    assertEquals(await Deno.readFile(others), before);
  }));
