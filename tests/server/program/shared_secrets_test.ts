import { assertEquals } from "@std/assert";
import { type SharedSecrets, warnOfOtherSecrets } from "../../../server/program/shared_secrets.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { forgetPerson } from "../../../server/store/people/forget.ts";
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

Deno.test("warnOfOtherSecrets: says how many people were forgotten with a key that is missing", async () => {
  const database = await openSqlite({ path: ":memory:", recordsKeys: () => ["key-1"] });
  const records = observerRecordsOn(database);
  await forgetPerson(database, "ada@example.com");
  const warningsWith = async (...keys: string[]) => {
    const warnings: string[] = [];
    const secrets = { SESSION_KEY: [], SERVICE_TOKEN: [], RECORDS_KEY: keys };
    await warnOfOtherSecrets(secrets, records, { warn: (message) => void warnings.push(message) });
    return warnings.filter((warning) => warning.includes("forgotten"));
  };
  assertEquals(await warningsWith("key-2", "key-1"), []);
  assertEquals(await warningsWith("key-2"), [
    "1 person was forgotten with another RECORDS_KEY, and will be stored again when a run lists them: " +
    "add that key after the new one",
  ]);
  await database.close();
});
