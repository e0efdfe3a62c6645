import { assertEquals } from "@std/assert";
import { storeOn } from "../../../../server/store/store.ts";
import { SYSTEMS } from "../on_both.ts";
import { testStoreContract } from "../store_contract.ts";
import { server } from "../postgres/shared.ts";
import { openPostgresql } from "../../../../server/store/database/postgresql.ts";

testStoreContract(
  "PostgreSQL",
  (work) => SYSTEMS.PostgreSQL((database) => work(storeOn(database))),
  60,
);

Deno.test("openPostgresql: uses a new database that has the tables of an extension", async () => {
  const url = await server.createDatabase();
  await server.asOwner(
    url,
    "CREATE EXTENSION pg_trgm",
    "CREATE TABLE spatial_ref_sys (srid integer)",
    "ALTER EXTENSION pg_trgm ADD TABLE spatial_ref_sys",
  );
  const store = storeOn(await openPostgresql({ url }));
  assertEquals(await store.isEmpty(), true);
  await store.close();
});
