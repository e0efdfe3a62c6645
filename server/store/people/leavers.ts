/** People who left, from lists of leavers or of staff. */
import { comparedAddress, ownUserId } from "../../../lib/runs/recipients.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, insert, name, type Sql, sql, texts } from "../database/sql.ts";
import { type Acting, eachWatchChanged } from "../records/events.ts";
import { type Page, readColumn, readPage, readValue } from "../records/transaction_step.ts";
import { judgeAgain } from "../records/verdicts.ts";
import { lockRuns } from "../runs/histories.ts";
import { isInside, type StoredReceipt } from "./people_list.ts";
import { isCurrent } from "./recipient_decisions.ts";

export interface Leaver {
  readonly userId: number | null;
  /** In lower case. */
  readonly address: string | null;
  /** The end of the last day, in milliseconds since 1970. */
  readonly leftAt: number;
}

export function leaversOn(database: Database) {
  return {
    count: (): Promise<number> => readValue(database, sql`SELECT count(*) FROM leavers`),
    /** How many people who left still receive something. */
    countReceiving: (now: number): Promise<number> =>
      readValue(
        database,
        sql`SELECT count(*) FROM people WHERE left_at <= ${now} AND receiving > 0`,
      ),
    /** What people who left still receive, unless it is decided already. */
    receiving: (page: Page, now: number) =>
      readPage<Pick<StoredReceipt, "personId" | "scheduleId" | "last">>(database, {
        columns: sql`person_id, schedule_id, receipts.last`,
        rows: sql`receipts JOIN people ON people.id = person_id`,
        conditions: [
          sql`left_at <= ${now} AND receipts.receiving > 0`,
          // That somebody is expected on no schedule does not settle any of them.
          sql`NOT EXISTS (SELECT 1 FROM recipient_decisions AS decision
            WHERE decision.person_id = receipts.person_id AND ${isCurrent(now)}
              AND (decision.schedule_id = receipts.schedule_id
                OR decision.schedule_id IS NULL AND expected = 1))`,
        ],
        order: sql`receipts.first, schedule_id, person_id`,
        page,
      }),
    /** A page of leavers, in the order in which they were added. */
    page: (page: Page) =>
      readPage<Leaver>(database, {
        columns: sql`user_id, address, left_at`,
        rows: sql`leavers`,
        order: sql`added_at, user_id NULLS FIRST, address`,
        page,
      }),
    /** Those of these recipients who are on the list, also if none of their runs is stored. */
    among: (recipients: readonly Recipient[]): Promise<readonly Leaver[]> => {
      const userIds = recipients.flatMap((recipient) => ownUserId(recipient) ?? []);
      const addresses = recipients.flatMap((each) => comparedAddress(each.emailAddress) ?? []);
      return database.read(
        sql`SELECT user_id, address, left_at FROM leavers
          WHERE user_id IN ${ids(userIds)} OR address IN ${texts(addresses)}`,
      );
    },
    /** Stores leavers; a date in a later list replaces an earlier one. */
    add: (leavers: readonly Leaver[], by: Acting): Promise<void> =>
      database.transaction((transaction) => addLeavers(transaction, leavers, by)),
    /** The watched schedules whose newest run is owned by somebody who left. */
    async ownedSchedules(now: number): Promise<ReadonlySet<number>> {
      const owned = sql`SELECT schedule_id FROM watches WHERE owner_id IN
        (SELECT user_id FROM leavers WHERE left_at <= ${now}
          UNION SELECT user_id FROM people WHERE left_at <= ${now})`;
      return new Set(await readColumn<number>(database, owned));
    },
    /** Takes one person off the list, or everybody. */
    clear: (by: Acting, personId?: number): Promise<void> =>
      database.transaction(async (transaction) => {
        await lockRuns(transaction);
        const all = sql`SELECT id FROM people WHERE left_at IS NOT NULL`;
        const isOne = personId !== undefined;
        const people = isOne ? sql`SELECT id FROM people WHERE id = ${personId}` : all;
        const note = isOne ? "one taken off" : "cleared";
        await recordChange(transaction, people, { ...by, note });
        const theirs = (column: Sql) =>
          sql`${column} IN (SELECT ${column} FROM forms WHERE person_id IN (${people}))`;
        await transaction.write(
          isOne
            ? sql`DELETE FROM leavers WHERE ${theirs(sql`user_id`)} OR ${theirs(sql`address`)}`
            : sql`DELETE FROM leavers`,
        );
        await updateLeavers(transaction, all);
      }),
    /** The people at these domains who receive something and are not on the list of staff. */
    missingFrom: (
      staff: { readonly userIds: ReadonlySet<number>; readonly addresses: ReadonlySet<string> },
      home: readonly string[],
      leftAt: number,
    ): Promise<readonly Leaver[]> =>
      database.read(
        sql`SELECT forms.user_id, CASE WHEN forms.user_id IS NULL THEN address END AS address,
            CAST(${leftAt} AS bigint) AS left_at
          FROM people JOIN forms ON forms.person_id = people.id
          WHERE receiving > 0 AND ${isInside(home)} AND people.id NOT IN
            (SELECT person_id FROM forms WHERE person_id IS NOT NULL AND (user_id IN ${
          ids([...staff.userIds])
        } OR address IN ${texts([...staff.addresses])}))`,
        { lane: "search" },
      ),
  };
}

async function addLeavers(
  transaction: Transaction,
  leavers: readonly Leaver[],
  acting: Acting,
): Promise<void> {
  await lockRuns(transaction);
  for (const by of ["userId", "address"] as const) {
    const rows = new Map(
      leavers.filter((leaver) => leaver[by] !== null)
        .map(({ leftAt, ...id }) => [id[by], { [by]: id[by], leftAt, addedAt: acting.now }]),
    );
    if (rows.size === 0) continue;
    const column = name(by === "userId" ? "user_id" : "address");
    await transaction.write(
      sql`${insert("leavers", [...rows.values()])}
        ON CONFLICT (${column}) DO UPDATE SET left_at = excluded.left_at`,
    );
  }
  const people = sql`SELECT person_id FROM forms
    WHERE user_id IN ${ids(leavers.flatMap(({ userId }) => userId ?? []))}
    OR address IN ${texts(leavers.flatMap(({ address }) => address ?? []))}`;
  await updateLeavers(transaction, people);
  await recordChange(transaction, people, { ...acting, note: `${leavers.length} added` });
}

/** Records a change of the list with the schedules of these people, which are judged again. */
async function recordChange(
  transaction: Transaction,
  people: Sql,
  { note, ...by }: Acting & { readonly note: string },
): Promise<void> {
  const theirs =
    sql`schedule_id IN (SELECT schedule_id FROM receipts WHERE person_id IN (${people}))`;
  const change = { ...by, note: `List of people who left: ${note}` };
  await eachWatchChanged(change, theirs)(transaction);
  await judgeAgain(transaction, theirs, by.now);
}

/** Sets when people left; `which` selects their ids. */
export async function updateLeavers(transaction: Transaction, which: Sql): Promise<void> {
  const left = (column: Sql) =>
    sql`(SELECT min(leavers.left_at) FROM leavers JOIN forms ON forms.${column} = leavers.${column}
      WHERE forms.person_id = people.id)`;
  await transaction.write(
    sql`UPDATE people SET left_at = coalesce(${left(sql`user_id`)}, ${left(sql`address`)})
      WHERE id IN (${which})`,
  );
}
