/** Assigns recipients to people, by user id or else by address. */
import type { Engine, TransactionStep } from "../engine.ts";
import { addNumber } from "../records/values.ts";
import { placeholders } from "../sql.ts";
import type { LedgerSource } from "./source.ts";

/** Marks schedules for counting; `select` returns source, schedule id and 1, and has a `WHERE`. */
export function markUncounted(select: string): string {
  return `INSERT INTO uncounted_schedules (source, schedule_id, changes) ${select} ` +
    "ON CONFLICT (source, schedule_id) DO UPDATE SET changes = uncounted_schedules.changes + 1";
}

/**
 * Stores that these user ids came with several addresses in one run, so that they identify nobody.
 * The person with such a user id is from now on the one with the address that was listed last.
 */
export async function shareUserIds(
  engine: Engine,
  source: LedgerSource,
  userIds: ReadonlySet<number>,
): Promise<void> {
  for (const userId of userIds) {
    const values = [source, userId];
    const which = "WHERE source = ? AND user_id = ?";
    const known = await engine.rows(`SELECT 1 FROM shared_user_ids ${which}`, values);
    if (known.length > 0) continue;
    const rows = await engine.rows(`SELECT DISTINCT address FROM recipients ${which}`, values);
    const addresses = rows.flatMap(([address]) => address as string ?? []);
    await engine.transact([
      addNumber("people", 1),
      { text: "INSERT INTO shared_user_ids VALUES (?, ?) ON CONFLICT DO NOTHING", values },
      {
        text: "UPDATE people SET user_id = NULL, key_address = (SELECT address FROM recipients " +
          "AS last WHERE last.id = coalesce(people.recipient_id, (SELECT max(id) FROM recipients " +
          "WHERE person_id = people.id AND address IS NOT NULL)) AND NOT EXISTS (SELECT 1 FROM " +
          "people AS other WHERE other.source = last.source AND other.key_address = last.address)) " +
          `${which} ` +
          "AND is_forgotten = 0",
        values,
      },
      {
        text: markUncounted(
          `${SCHEDULES_OF_RECIPIENTS} WHERE recipients.source = ? AND user_id = ?`,
        ),
        values,
      },
      { text: `UPDATE recipients SET user_id = NULL, person_id = NULL ${which}`, values },
      ...assignPeople(source, addresses),
    ]);
  }
}

/** The schedules whose runs list recipients. */
const SCHEDULES_OF_RECIPIENTS =
  "SELECT DISTINCT run_versions.source, run_versions.schedule_id, 1 " +
  "FROM recipients JOIN recipient_set_members AS members ON members.recipient_id = recipients.id " +
  "JOIN run_versions ON run_versions.set_id = members.set_id";

export function assignPeople(
  source: LedgerSource,
  addresses: readonly string[],
): TransactionStep[] {
  return [
    // Locks out other processes: two could create two people for one user id and address.
    addNumber("people", 1),
    ...addresses.length > 0 ? [claimAddresses(source, addresses)] : [],
    {
      text:
        "INSERT INTO people (source, user_id) SELECT DISTINCT source, user_id FROM recipients " +
        "WHERE person_id IS NULL AND user_id IS NOT NULL AND source = ? ON CONFLICT DO NOTHING",
      values: [source],
    },
    {
      text: "UPDATE recipients SET person_id = people.id FROM people " +
        "WHERE recipients.person_id IS NULL AND recipients.source = ? " +
        "AND people.source = recipients.source AND people.user_id = recipients.user_id",
      values: [source],
    },
    ...addresses.length > 0 ? assignAddresses(source, addresses) : [],
  ];
}

/** For each address, how many user ids it has, and the lowest one. */
function holders(addresses: readonly string[]): string {
  return "SELECT source, address, count(DISTINCT user_id) AS users, min(user_id) AS user_id " +
    `FROM recipients WHERE source = ? AND address IN (${placeholders(addresses)}) ` +
    "GROUP BY source, address";
}

/** Sets the user id of a person who was known by address only. */
function claimAddresses(source: LedgerSource, addresses: readonly string[]): TransactionStep {
  return {
    text: `WITH held AS (${holders(addresses)}), ` +
      "claims AS (SELECT min(people.id) AS id, held.user_id FROM held JOIN people " +
      "ON people.source = held.source AND people.key_address = held.address " +
      "WHERE held.users = 1 AND NOT EXISTS (SELECT 1 FROM people AS other " +
      "WHERE other.source = held.source AND other.user_id = held.user_id) GROUP BY held.user_id) " +
      "UPDATE people SET user_id = claims.user_id, key_address = NULL FROM claims " +
      "WHERE people.id = claims.id",
    values: [source, ...addresses],
  };
}

/** Assigns recipients without a user id to the person who now has their address. */
function assignAddresses(source: LedgerSource, addresses: readonly string[]): TransactionStep[] {
  const values = [source, ...addresses];
  const holding = `WITH held AS (${holders(addresses)}), ` +
    "holder AS (SELECT held.source, held.address, CASE WHEN held.users = 1 " +
    "THEN (SELECT id FROM people WHERE source = held.source AND user_id = held.user_id) " +
    "ELSE (SELECT id FROM people WHERE source = held.source AND key_address = held.address) " +
    "END AS person_id FROM held) ";
  const isMoved = "recipients.source = holder.source AND recipients.address = holder.address " +
    "AND recipients.user_id IS NULL AND recipients.person_id <> holder.person_id";
  return [
    {
      text: `WITH held AS (${holders(addresses)}) INSERT INTO people (source, key_address) ` +
        "SELECT DISTINCT held.source, held.address FROM held JOIN recipients " +
        "ON recipients.source = held.source AND recipients.address = held.address " +
        "WHERE held.users <> 1 AND recipients.user_id IS NULL ON CONFLICT DO NOTHING",
      values,
    },
    {
      text: holding + markUncounted(
        `${SCHEDULES_OF_RECIPIENTS} JOIN holder ON ${isMoved} WHERE TRUE`,
      ),
      values,
    },
    {
      text: `${holding}UPDATE recipients SET person_id = holder.person_id FROM holder ` +
        `WHERE ${isMoved.replace("<>", "IS DISTINCT FROM")}`,
      values,
    },
  ];
}
