/** Decides which person each form of a recipient belongs to. */
import type { Transaction } from "../database/database.ts";
import { ids, insert, rowsLike, sql, texts } from "../database/sql.ts";
import { markUncounted } from "../runs/histories.ts";
import { updateLeavers } from "./leavers.ts";

interface Form {
  readonly id: number;
  readonly personId: number | null;
  readonly userId: number | null;
  readonly address: string | null;
  /** The key of the person that it belonged to so far. */
  readonly key: string | null;
}

/**
 * Stores that these user ids came with several addresses in one run, so that they identify nobody.
 * Returns all such user ids, and those that are new.
 */
export async function shareUserIds(
  transaction: Transaction,
  userIds: ReadonlySet<number>,
): Promise<{ readonly shared: ReadonlySet<number>; readonly added: readonly number[] }> {
  const rows = await transaction.read<{ userId: number }>(sql`SELECT user_id FROM shared_user_ids`);
  const shared = new Set(rows.map(({ userId }) => userId));
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
  const changed = sql`forms.id IN ${ids(added)} OR forms.user_id IN ${ids(newlyShared)}`;
  // Those in which their people were listed last come first: they keep the person.
  const forms = await transaction.read<Form>(
    sql`SELECT forms.id, person_id, forms.user_id, address, key FROM forms
      LEFT JOIN people ON people.id = person_id
      WHERE ${changed} OR address IN (SELECT address FROM forms WHERE ${changed})
      ORDER BY CASE WHEN form_id = forms.id THEN 0 ELSE 1 END, person_id, forms.id DESC`,
  );
  if (newlyShared.length > 0) {
    await transaction.write(
      sql`UPDATE forms SET user_id = NULL WHERE user_id IN ${ids(newlyShared)}`,
    );
  }
  const keys = keysOf(forms, new Set(newlyShared));
  const people = await findPeople(transaction, forms, keys);
  const personOf = ({ id }: Form) => people.get(keys.get(id) ?? "") ?? null;
  const moved = forms.filter((form) => personOf(form) !== form.personId);
  if (moved.length === 0) return;
  const assigned = moved.map((form) => ({ id: form.id, personId: personOf(form) }));
  await transaction.write(
    sql`UPDATE forms SET person_id = new.person_id FROM ${rowsLike("forms", assigned)} AS new
      WHERE forms.id = new.id`,
  );
  const left = moved.flatMap(({ personId }) => personId ?? []);
  await markUncounted(
    transaction,
    sql`SELECT schedule_id FROM receipts WHERE person_id IN ${ids(left)}`,
  );
  await updateLeavers(
    transaction,
    sql`SELECT person_id FROM forms WHERE id IN ${ids(moved.map(({ id }) => id))}`,
  );
}

/** The key of the person that each form belongs to, by the form's id; none if nobody is named. */
function keysOf(
  forms: readonly Form[],
  newlyShared: ReadonlySet<number>,
): ReadonlyMap<number, string> {
  const ownId = ({ userId }: Form) => userId !== null && !newlyShared.has(userId) ? userId : null;
  const holders = new Map<string, Set<number>>();
  for (const form of forms) {
    const userId = ownId(form);
    if (form.address === null) continue;
    const known = holders.get(form.address) ?? new Set();
    holders.set(form.address, userId === null ? known : known.add(userId));
  }
  return new Map(forms.flatMap((form): [number, string][] => {
    const holding = form.address === null ? [] : [...holders.get(form.address)!];
    const userId = ownId(form) ?? (holding.length === 1 ? holding[0] : null);
    if (userId !== null) return [[form.id, `u${userId}`]];
    return form.address === null ? [] : [[form.id, `a${form.address}`]];
  }));
}

/** The ids of the people with these keys: known ones, known ones under a new key, or new ones. */
async function findPeople(
  transaction: Transaction,
  forms: readonly Form[],
  keys: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(keys.values());
  const find = async () =>
    new Map(
      (await transaction.read<{ id: number; key: string }>(
        sql`SELECT id, key FROM people WHERE key IN ${texts([...wanted])}`,
      )).map(({ id, key }) => [key, id]),
    );
  const found = await find();
  if (found.size === wanted.size) return found;
  const taken = new Set(found.keys());
  const renamed = new Map<number, string>();
  for (const { id, personId, key } of forms) {
    const next = keys.get(id);
    // Nothing is left of a person whose key no form has any more.
    if (personId === null || next === undefined || wanted.has(key!)) continue;
    if (taken.has(next) || renamed.has(personId)) continue;
    renamed.set(personId, next);
    taken.add(next);
  }
  const rows = [...renamed].map(([id, key]) => ({ id, key, userId: userIdIn(key) }));
  if (rows.length > 0) {
    await transaction.write(
      sql`UPDATE people SET key = new.key, user_id = new.user_id
        FROM ${rowsLike("people", rows)} AS new WHERE people.id = new.id`,
    );
  }
  const missing = [...wanted].filter((key) => !taken.has(key))
    .map((key) => ({ key, userId: userIdIn(key), folded: "", schedules: 0, receiving: 0 }))
    .sort((a, b) => (a.userId ?? Infinity) - (b.userId ?? Infinity) || (a.key < b.key ? -1 : 1));
  if (missing.length > 0) await transaction.write(insert("people", missing));
  return await find();
}

function userIdIn(key: string): number | null {
  return key.startsWith("u") ? Number(key.slice(1)) : null;
}
