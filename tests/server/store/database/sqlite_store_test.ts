import { storeOn } from "../../../../server/store/store.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";
import { testStoreContract } from "../store_contract.ts";

testStoreContract("SQLite", (work) => withSqlite((database) => work(storeOn(database))));
