import { assertEquals, assertMatch } from "@std/assert";
import { type SharedSecrets, warnOfOtherSecrets } from "../../../server/program/shared_secrets.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { forgetPerson } from "../../../server/store/people/forget.ts";
import type { Database } from "../../../server/store/database/database.ts";
import { recordsKeys, withSqlite } from "../store/sqlite/with_sqlite.ts";

const NONE: SharedSecrets = { SESSION_KEY: [], SERVICE_TOKEN: [], RECORDS_KEY: [] };

/** What an instance warns of that has these secrets. */
async function warningsOf(database: Database, secrets: Partial<SharedSecrets>) {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  await warnOfOtherSecrets({ ...NONE, ...secrets }, observerRecordsOn(database), log);
  return warnings;
}

Deno.test("warnOfOtherSecrets: names each secret that instances don't share, and stores none", () =>
  withSqlite(async (database) => {
    const first = {
      SESSION_KEY: ["session-1"],
      SERVICE_TOKEN: ["token-1"],
      RECORDS_KEY: ["key-1"],
    };
    const same = [
      first,
      first,
      { ...first, SESSION_KEY: ["session-2", "session-1"] },
      { ...first, SESSION_KEY: ["session-2"] },
    ];
    for (const secrets of same) assertEquals(await warningsOf(database, secrets), []);
    const other = { ...first, SERVICE_TOKEN: [], RECORDS_KEY: ["key-2"] };
    const [session, records, ...more] = await warningsOf(database, other);
    assertMatch(
      session,
      /^SESSION_KEY differs .* signed out .*: set SESSION_KEY to the same value/,
    );
    assertMatch(records, /^RECORDS_KEY differs .* sealed .*: set RECORDS_KEY to the same value/);
    assertEquals(more, []);
    const stored = JSON.stringify(await observerRecordsOn(database).service.get());
    assertEquals(/session-|token-|key-\d/.exec(stored), null);
  }));

Deno.test("warnOfOtherSecrets: says how many people were forgotten with a key that is missing", () =>
  withSqlite(async (database) => {
    await forgetPerson(database, "ada@example.com");
    const [key] = recordsKeys();
    const warnings = (...keys: string[]) => warningsOf(database, { RECORDS_KEY: keys });
    assertEquals(await warnings("key-2", key), []);
    const said = /^1 person was forgotten with another RECORDS_KEY, .*: add that key after the new/;
    assertMatch((await warnings("key-2")).at(-1)!, said);
  }));
