import { assertEquals } from "@std/assert";
import { type SharedSecrets, warnOfOtherSecrets } from "../../../server/program/shared_secrets.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { openSqlite } from "../../../server/store/database/sqlite.ts";

Deno.test("warnOfOtherSecrets: names each secret that instances don't share, and stores none", async () => {
  const database = await openSqlite({ path: ":memory:" });
  const records = observerRecordsOn(database);
  const first = { SESSION_KEY: ["session-1"], SERVICE_TOKEN: ["token-1"], RECORDS_KEY: ["key-1"] };
  async function warningsOf(secrets: SharedSecrets): Promise<string[]> {
    const warnings: string[] = [];
    await warnOfOtherSecrets(secrets, records, { warn: (message) => void warnings.push(message) });
    return warnings;
  }
  assertEquals(await warningsOf(first), []);
  assertEquals(await warningsOf(first), []);
  const rotating = { ...first, SESSION_KEY: ["session-2", "session-1"] };
  assertEquals(await warningsOf(rotating), []);
  assertEquals(await warningsOf({ ...first, SESSION_KEY: ["session-2"] }), []);
  assertEquals(await warningsOf({ ...first, SERVICE_TOKEN: [], RECORDS_KEY: ["key-2"] }), [
    "SESSION_KEY differs from that of the instance that started previously on this database. If both run, " +
    "people are signed out whenever another instance answers: set SESSION_KEY to the same value for all",
    "RECORDS_KEY differs from that of the instance that started previously on this database. If both run, " +
    "secrets that one instance sealed can't be used by the others: " +
    "set RECORDS_KEY to the same value for all",
  ]);
  const stored = JSON.stringify(await records.service.get());
  assertEquals(/session-|token-|key-\d/.exec(stored), null);
  await database.close();
});
