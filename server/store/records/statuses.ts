/** What the service's statuses mean, for everybody: the words that are known, STATUSES, and people. */
import type { Actor } from "../../../lib/actor.ts";
import {
  defaultStatusDictionary,
  meaningOf,
  type StatusDictionary,
  type StatusMeaning,
  statusWord,
  type UnknownStatus,
} from "../../../lib/runs/status.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, set, type Sql, sql, texts } from "../database/sql.ts";
import { lockRuns, markUncounted } from "../runs/histories.ts";
import type { Acting } from "./events.ts";
import { readColumn, readValue } from "./transaction_step.ts";
import { judgeAgain } from "./verdicts.ts";

/** What a person said of a status. */
interface SaidStatus {
  readonly meaning: StatusMeaning;
  readonly by: Actor;
  readonly at: number;
}

export interface StoredStatuses {
  /** The setting STATUSES. */
  readonly setting: StatusDictionary;
  /** What people said, which wins. */
  readonly said: Readonly<Record<string, SaidStatus>>;
}

/** A status that was seen, as the service wrote it; empty for none. */
interface SeenStatus {
  readonly status: string;
  readonly runs: number;
  readonly schedules: number;
}

/** What each status means: what people said wins over the setting, and that over the known words. */
export function dictionaryFrom({ setting, said }: StoredStatuses): StatusDictionary {
  const words = Object.entries(said).map(([word, { meaning }]) => [word, meaning] as const);
  return { ...defaultStatusDictionary(), ...setting, ...Object.fromEntries(words) };
}

function readStored(database: Pick<Database, "read">): Promise<StoredStatuses> {
  return readValue(database, sql`SELECT meanings FROM status_meanings`);
}

/** The statuses that runs of any schedule have; empty for none. */
export function readSeenStatuses(database: Pick<Database, "read">): Promise<readonly string[]> {
  return readColumn(database, sql`SELECT DISTINCT status FROM seen_statuses`);
}

/** What each status means now. */
export async function readDictionary(
  transaction: Pick<Transaction, "read">,
): Promise<StatusDictionary> {
  return dictionaryFrom(await readStored(transaction));
}

export function statusesOn(database: Database) {
  /** Changes the meanings. The schedules with a status that means something else now become due. */
  async function change(
    to: (before: StoredStatuses) => StoredStatuses,
    now: number,
  ): Promise<void> {
    const known = await readStored(database);
    if (JSON.stringify(to(known)) === JSON.stringify(known)) return;
    await database.transaction(async (transaction) => {
      // Runs that are stored meanwhile would be counted by the meanings before.
      await lockRuns(transaction);
      const before = await readStored(transaction);
      const after = to(before);
      await transaction.write(sql`UPDATE status_meanings SET ${set({ meanings: after })}`);
      await countAgain(transaction, dictionaryFrom(before), dictionaryFrom(after), now);
    });
  }

  /** The statuses that were seen, most frequent first. */
  const seenBy = (condition: Sql): Promise<readonly SeenStatus[]> =>
    database.read(
      sql`SELECT status, CAST(sum(runs) AS bigint) AS runs, count(*) AS schedules
        FROM seen_statuses WHERE ${condition} GROUP BY status
        ORDER BY sum(runs) DESC, status`,
    );

  return {
    get: (): Promise<StoredStatuses> => readStored(database),
    dictionary: (): Promise<StatusDictionary> => readDictionary(database),
    useSetting: (setting: StatusDictionary, now: number): Promise<void> =>
      change((before) => ({ ...before, setting }), now),
    /** Replaces what people said, of all or of some; what stays as it was keeps its author. */
    say: (
      statuses: StatusDictionary,
      { actor, now }: Acting,
      about?: readonly string[],
    ): Promise<void> =>
      change((before) => {
        const words = about?.map(statusWord);
        const others = Object.entries(before.said)
          .filter(([word]) => words?.includes(word) === false);
        const said = Object.entries(statuses).map(([status, meaning]) => {
          const word = statusWord(status);
          const known = Object.hasOwn(before.said, word) ? before.said[word] : undefined;
          const isSame = known?.meaning === meaning;
          return [word, isSame ? known : { meaning, by: actor, at: now }] as const;
        });
        return { ...before, said: Object.fromEntries([...others, ...said]) };
      }, now),
    /** Every status that was seen, most frequent first, and how many there are in all. */
    async seen(max: number) {
      const all = await seenBy(sql`TRUE`);
      return { items: all.slice(0, max), total: all.length };
    },
    /** What lists of recipients leave out, because nobody knows whether the runs went out. */
    async unknown(scheduleIds?: readonly number[]): Promise<readonly UnknownStatus[]> {
      const among = scheduleIds ? sql`schedule_id IN ${ids(scheduleIds)}` : sql`TRUE`;
      const [seen, known] = await Promise.all([seenBy(among), readDictionary(database)]);
      return seen.filter(({ status }) => meaningOf(status, known) === "unknown")
        .map(({ status, runs }) => ({ status: status || null, runs }));
    },
  };
}

/** Lets the receipts of the schedules be counted again that have a status with another meaning. */
async function countAgain(
  transaction: Transaction,
  before: StatusDictionary,
  after: StatusDictionary,
  now: number,
): Promise<void> {
  const changed = (await readSeenStatuses(transaction))
    .filter((status) => meaningOf(status, before) !== meaningOf(status, after));
  await markUncounted(
    transaction,
    sql`SELECT schedule_id FROM seen_statuses WHERE status IN ${texts(changed)}`,
  );
  const uncounted = sql`schedule_id IN (SELECT schedule_id FROM histories WHERE is_counted = 0)`;
  await judgeAgain(transaction, uncounted, now);
}
