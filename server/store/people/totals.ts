/** What people received in all, and how they were listed last, from their receipts. */
import { canonicalDomain } from "../../../lib/runs/look_alike.ts";
import { domainOf } from "../../../lib/runs/recipients.ts";
import { foldCase } from "../../../lib/search/match_rows.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Transaction } from "../database/database.ts";
import { ids, rowsLike, sql } from "../database/sql.ts";

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
