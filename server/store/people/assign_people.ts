/** Decides which person each form of a recipient belongs to, and sums up what people received. */
import type { Transaction } from "../database/database.ts";
import { ids, insert, rowsLike, sql, texts } from "../database/sql.ts";
import { markUncounted } from "../runs/histories.ts";
import { readColumn } from "../records/transaction_step.ts";
import { updateLeavers } from "./leavers.ts";
import { canonicalDomain } from "../../../lib/runs/look_alike.ts";
import { domainOf } from "../../../lib/runs/recipients.ts";
import { foldCase } from "../../../lib/search/match_rows.ts";
import type { Recipient } from "../../../lib/types.ts";

interface Form {
  readonly id: number;
  readonly personId: number | null;
  /** The key of the person that it belonged to so far. */
  readonly former: string | null;
  /** The key of the person that it belongs to; null if nobody is named. */
  readonly key: string | null;
}

/** The user ids that identify nobody. */
export async function readSharedUserIds(transaction: Transaction): Promise<ReadonlySet<number>> {
  return new Set(await readColumn<number>(transaction, sql`SELECT user_id FROM shared_user_ids`));
}

/**
 * Stores that these user ids came with several addresses in one run, so that they identify nobody.
 * Returns all such user ids, and those that are new.
 */
export async function shareUserIds(
  transaction: Transaction,
  userIds: ReadonlySet<number>,
): Promise<{ readonly shared: ReadonlySet<number>; readonly added: readonly number[] }> {
  const shared = await readSharedUserIds(transaction);
  const added = [...userIds].filter((userId) => !shared.has(userId));
  if (added.length > 0) {
    await transaction.write(insert("shared_user_ids", added.map((userId) => ({ userId }))));
  }
  return { shared: new Set([...shared, ...added]), added };
}

/**
 * Assigns new forms, and those whose person they change: an address that comes with one user id
 * alone belongs to that person. Schedules whose people change are counted again.
 */
export async function assignPeople(
  transaction: Transaction,
  { added, newlyShared }: {
    /** The ids of new forms. */
    readonly added: readonly number[];
    /** User ids that identify nobody from now on. */
    readonly newlyShared: readonly number[];
  },
): Promise<void> {
  if (added.length + newlyShared.length === 0) return;
  const changed = sql`id IN ${ids(added)} OR user_id IN ${ids(newlyShared)}`;
  // Those in which their people were listed last come first: they keep the person.
  const forms = await transaction.read<Form>(
    sql`WITH own AS (SELECT id, person_id, address,
          CASE WHEN user_id NOT IN ${ids(newlyShared)} THEN user_id END AS user_id
        FROM forms WHERE ${changed} OR address IN (SELECT address FROM forms WHERE ${changed})),
      held AS (SELECT address, count(DISTINCT user_id) AS holders, min(user_id) AS holder
        FROM own GROUP BY address)
      SELECT own.id, person_id, people.key AS former, CASE
          WHEN own.user_id IS NOT NULL THEN 'u' || own.user_id
          WHEN holders = 1 THEN 'u' || holder ELSE 'a' || own.address END AS key
        FROM own LEFT JOIN held ON held.address = own.address
          LEFT JOIN people ON people.id = person_id
        ORDER BY CASE WHEN form_id = own.id THEN 0 ELSE 1 END, person_id, own.id DESC`,
  );
  if (newlyShared.length > 0) {
    await transaction.write(
      sql`UPDATE forms SET user_id = NULL WHERE user_id IN ${ids(newlyShared)}`,
    );
  }
  const people = await findPeople(transaction, forms);
  const moved = forms
    .map(({ id, personId: before, key }) => ({ id, before, personId: people.get(key!) ?? null }))
    .filter(({ before, personId }) => personId !== before);
  if (moved.length === 0) return;
  await transaction.write(
    sql`UPDATE forms SET person_id = new.person_id
      FROM ${rowsLike("forms", moved.map(({ id, personId }) => ({ id, personId })))} AS new
      WHERE forms.id = new.id`,
  );
  const left = moved.flatMap(({ before }) => before ?? []);
  await markUncounted(
    transaction,
    sql`SELECT schedule_id FROM receipts WHERE person_id IN ${ids(left)}`,
  );
  await updateLeavers(
    transaction,
    sql`SELECT person_id FROM forms WHERE id IN ${ids(moved.map(({ id }) => id))}`,
  );
}

/** The ids of the forms' people by their keys: known ones, known ones under a new key, or new ones. */
async function findPeople(
  { read, write }: Transaction,
  forms: readonly Form[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(forms.flatMap(({ key }) => key ?? []));
  const found = await read<{ id: number; key: string }>(
    sql`SELECT id, key FROM people WHERE key IN ${texts([...wanted])}`,
  );
  const people = new Map(found.map(({ id, key }) => [key, id]));
  const renamed = new Map<number, string>();
  for (const { personId, former, key } of forms) {
    // Nothing is left of a person whose key no form has any more.
    if (personId === null || key === null || wanted.has(former!)) continue;
    if (people.has(key) || renamed.has(personId)) continue;
    renamed.set(personId, key);
    people.set(key, personId);
  }
  const rows = [...renamed].map(([id, key]) => ({ id, key, userId: userIdIn(key) }));
  if (rows.length > 0) {
    await write(
      sql`UPDATE people SET key = new.key, user_id = new.user_id
        FROM ${rowsLike("people", rows)} AS new WHERE people.id = new.id`,
    );
  }
  // In an order, so that people of the same runs get the same ids everywhere.
  const missing = [...wanted].filter((key) => !people.has(key)).toSorted()
    .map((key) => ({ key, userId: userIdIn(key), folded: "", schedules: 0, receiving: 0 }));
  if (missing.length === 0) return people;
  const added = await write<{ id: number; key: string }>(
    sql`${insert("people", missing)} RETURNING id, key`,
  );
  return new Map([...people, ...added.rows.map(({ id, key }) => [key, id] as const)]);
}

function userIdIn(key: string): number | null {
  return key.startsWith("u") ? Number(key.slice(1)) : null;
}

export async function updateTotals(
  transaction: Transaction,
  people: readonly number[],
): Promise<void> {
  const among = ids(people);
  await transaction.write(
    sql`UPDATE people SET first = total.first, last = total.last, added = total.added,
        schedules = total.schedules, receiving = total.receiving
      FROM (SELECT people.id, min(receipts.first) AS first, max(receipts.last) AS last,
          max(CASE WHEN receipts.first > first_start THEN receipts.first END) AS added,
          count(person_id) AS schedules,
          CAST(coalesce(sum(receipts.receiving), 0) AS bigint) AS receiving
        FROM people LEFT JOIN receipts ON person_id = people.id
          LEFT JOIN histories ON histories.schedule_id = receipts.schedule_id
        WHERE people.id IN ${among} GROUP BY people.id) AS total
      WHERE people.id = total.id`,
  );
  const changed = await transaction.write<{ id: number; listed: Recipient }>(
    sql`UPDATE people SET form_id = latest.form_id
      FROM (SELECT person_id, form_id,
          row_number() OVER (PARTITION BY person_id ORDER BY last DESC, schedule_id) AS place
        FROM receipts WHERE person_id IN ${among}) AS latest
      WHERE place = 1 AND people.id = latest.person_id
        AND people.form_id IS DISTINCT FROM latest.form_id
      RETURNING id, (SELECT json FROM forms WHERE forms.id = people.form_id) AS listed`,
  );
  if (changed.rows.length === 0) return;
  // What people are searched by is what they are listed as.
  const rows = changed.rows.map(({ id, listed: { displayName, emailAddress } }) => {
    const domain = domainOf(emailAddress);
    return {
      id,
      domain: domain === undefined ? null : canonicalDomain(domain),
      folded: foldCase(`${displayName ?? ""} ${emailAddress ?? ""}`),
    };
  });
  await transaction.write(
    sql`UPDATE people SET domain = new.domain, folded = new.folded
      FROM ${rowsLike("people", rows)} AS new WHERE people.id = new.id`,
  );
}
