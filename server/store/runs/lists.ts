/**
 * Lists of recipients, and recipients as listed: each is stored once, and found by its digest. So a
 * run is stored without its list.
 */
import { createHash } from "node:crypto";
import { comparedAddress, ownUserId, sharedUserIds } from "../../../lib/runs/recipients.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import type { Transaction } from "../database/database.ts";
import { type Columns, insert, name, perSystem, sql, texts } from "../database/sql.ts";
import { assignPeople, shareUserIds } from "../people/assign_people.ts";
import { readForgotten } from "../people/forgotten.ts";

type RecipientList = readonly Recipient[];

/** A table of the forms in each list, and their places there: `id` is the list's. */
export const MEMBERS = perSystem({
  sqlite: sql`(SELECT lists.id, value AS form_id, key AS place
    FROM lists, json_each(members)) AS members`,
  postgresql: sql`(SELECT lists.id, CAST(value AS bigint) AS form_id, place FROM lists,
    json_array_elements_text(CAST(members AS json)) WITH ORDINALITY AS each (value, place)) AS members`,
});

/** Stores lists of recipients. Gives a function that knows the id of each. */
export async function storeLists(
  transaction: Transaction,
  lists: readonly RecipientList[],
): Promise<(list: RecipientList) => number> {
  const distinct = new Map(lists.map((list) => [JSON.stringify(list), list]));
  const formId = await storeForms(transaction, [...distinct.values()]);
  const rows = new Map([...distinct].map(([text, list]) => {
    const members = list.map(formId);
    return [text, { digest: digestOf(members), members }];
  }));
  const listIds = await findOrAdd(transaction, "lists", [...rows.values()]);
  return (list) => listIds.get(rows.get(JSON.stringify(list))!.digest)!;
}

/** Stores recipients as listed. Gives a function that knows the id of each. */
async function storeForms(
  transaction: Transaction,
  lists: readonly RecipientList[],
): Promise<(recipient: Recipient) => number> {
  const recipients = new Map(lists.flat().map((recipient) => [digestOf(recipient), recipient]));
  const found = await find(transaction, "forms", [...recipients.keys()]);
  const { shared, added: newlyShared } = await shareUserIds(transaction, sharedUserIds(lists));
  const forgotten = await readForgotten(transaction, shared);
  const missing = [...recipients].filter(([digest]) => !found.has(digest));
  const forms = new Map(missing.map(([digest, recipient]) => [
    digest,
    forgotten(digest, recipient) ?? {
      digest,
      personId: null,
      userId: ownUserId(recipient, shared),
      address: comparedAddress(recipient.emailAddress) ?? null,
      json: JSON.stringify(recipient),
    },
  ]));
  const formIds = await findOrAdd(transaction, "forms", [...forms.values()]);
  const added = [...forms.values()].filter(({ personId }) => personId === null)
    .map(({ digest }) => formIds.get(digest)!);
  await assignPeople(transaction, { added, newlyShared });
  return (recipient) => {
    const digest = digestOf(recipient);
    return found.get(digest) ?? formIds.get(forms.get(digest)!.digest)!;
  };
}

/** The ids of rows by their digests; those that are missing are added. */
async function findOrAdd(
  transaction: Transaction,
  table: "forms" | "lists",
  rows: readonly (Columns & { readonly digest: string })[],
): Promise<ReadonlyMap<string, number>> {
  if (rows.length > 0) {
    await transaction.write(sql`${insert(table, rows)} ON CONFLICT (digest) DO NOTHING`);
  }
  return await find(transaction, table, rows.map(({ digest }) => digest));
}

async function find(
  transaction: Transaction,
  table: "forms" | "lists",
  digests: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.read<{ id: number; digest: string }>(
    sql`SELECT id, digest FROM ${name(table)} WHERE digest IN ${texts(digests)}`,
  );
  return new Map(rows.map(({ id, digest }) => [digest, id]));
}

/** A digest of some JSON; in practice, no two have the same. */
function digestOf(json: unknown): string {
  return createHash("sha256").update(JSON.stringify(json)).digest("base64url").slice(0, 24);
}

/** Where the recipients belong. `JSON.stringify` writes no blank there, so nothing else looks like it. */
const PLACE = '"recipients": []';

/** `{ id: 7, recipients: [ada], status: "ok" }` → `{"id":7,"recipients": [],"status":"ok"}` */
export function withoutRecipients(run: ReportRun): string {
  const fields = Object.entries(run).filter(([, value]) => value !== undefined);
  const texts = fields.map(([name, value]) =>
    name === "recipients" && Array.isArray(value)
      ? PLACE
      : `${JSON.stringify(name)}:${JSON.stringify(value)}`
  );
  return `{${texts.join(",")}}`;
}

/** The run's JSON as it was; `recipients` is the JSON of its list. */
export function withRecipients(json: string, recipients: string): string {
  return json.replace(PLACE, () => `"recipients":${recipients}`);
}
