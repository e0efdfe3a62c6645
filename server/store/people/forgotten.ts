/** Forgotten people. Only keyed digests of their user ids, addresses and forms are stored. */
import { createHmac } from "node:crypto";
import { recipientKey } from "../../../lib/runs/recipients.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Transaction } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { readValue } from "../records/transaction_step.ts";

export const FORGOTTEN_NAME = "forgotten person";

/** What replaces a form of a forgotten person. */
export function forgottenForm(personId: number) {
  const recipient = { userId: -personId, displayName: FORGOTTEN_NAME, emailAddress: "" };
  return { personId, userId: null, address: null, json: JSON.stringify(recipient) };
}

export async function keyedDigests(transaction: Transaction): Promise<(text: string) => string> {
  const value = await readValue<string>(transaction, sql`SELECT value FROM forgotten_key`);
  return (text) => createHmac("sha256", value).update(text).digest("base64url");
}

/**
 * A function that gives what is stored instead of a recipient whose person is forgotten, and undefined
 * for everybody else. `digest` is the digest of the recipient's JSON.
 */
export async function readForgotten(transaction: Transaction, shared: ReadonlySet<number>) {
  const rows = await transaction.read<{ digest: string; personId: number }>(
    sql`SELECT digest, person_id FROM forgotten`,
  );
  if (rows.length === 0) return () => undefined;
  const people = new Map(rows.map(({ digest, personId }) => [digest, personId]));
  const keyed = await keyedDigests(transaction);
  return (digest: string, { emailAddress, ...recipient }: Recipient) => {
    // As a user, and by the address alone.
    const found = [recipientKey(recipient, shared), recipientKey({ emailAddress })]
      .map((key) => people.get(keyed(key))).find((id) => id !== undefined);
    return found === undefined ? undefined : { digest: keyed(digest), ...forgottenForm(found) };
  };
}
