/** Forgotten people. Only digests of their user ids, addresses and forms are stored. */
import { createHash, createHmac } from "node:crypto";
import { recipientKey } from "../../../lib/runs/recipients.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Database, Transaction } from "../database/database.ts";
import { sql, texts } from "../database/sql.ts";
import { readValue } from "../records/transaction_step.ts";

export const FORGOTTEN_NAME = "forgotten person";

/** What replaces a form of a forgotten person. */
export function forgottenForm(personId: number) {
  const recipient = { userId: -personId, displayName: FORGOTTEN_NAME, emailAddress: "" };
  return { personId, userId: null, address: null, json: JSON.stringify(recipient) };
}

/** Digests that whoever has the database, but not the key, can't compare with addresses. */
export function digestsBy(key: string) {
  return {
    keyId: createHash("sha256").update(`forgotten ${key}`).digest("base64url").slice(0, 12),
    digest: (text: string): string =>
      createHmac("sha256", key).update(`forgotten ${text}`).digest("base64url"),
  };
}

/**
 * A function that gives what is stored instead of a recipient whose person is forgotten, and undefined
 * for everybody else. `digest` is the digest of the recipient's JSON.
 */
export async function readForgotten(
  { read, recordsKeys }: Transaction,
  shared: ReadonlySet<number>,
) {
  const rows = await read<{ digest: string; personId: number }>(
    sql`SELECT digest, person_id FROM forgotten`,
  );
  if (rows.length === 0) return () => undefined;
  const people = new Map(rows.map(({ digest, personId }) => [digest, personId]));
  const keys = recordsKeys().map(digestsBy);
  if (keys.length === 0) throw new TypeError("Without a key, forgotten people are not known");
  return (formDigest: string, { emailAddress, ...recipient }: Recipient) => {
    // As a user, and by the address alone.
    const identities = [recipientKey(recipient, shared), recipientKey({ emailAddress })];
    for (const { digest } of keys) {
      const found = identities.map((key) => people.get(digest(key))).find((id) => id !== undefined);
      if (found !== undefined) return { digest: digest(formDigest), ...forgottenForm(found) };
    }
  };
}

/** How many people were forgotten with other keys than these: they would be stored again. */
export function countUnknownForgotten(
  database: Database,
  keys: readonly string[],
): Promise<number> {
  const known = texts(keys.map((key) => digestsBy(key).keyId));
  return readValue(
    database,
    sql`SELECT count(DISTINCT person_id) FROM forgotten WHERE NOT key_id IN ${known}`,
  );
}
