/** People who received reports, and what they received. */
import type { EarlierRuns } from "../../../lib/runs/outsiders.ts";
import { foldCase } from "../../../lib/search/match_rows.ts";
import { meaningOf } from "../../../lib/runs/status.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import type { Database } from "../database/database.ts";
import { all, any, ids, type Sql, sql, texts, when } from "../database/sql.ts";
import { readDictionary, readSeenStatuses } from "../records/statuses.ts";
import { optional, type Page, readColumn, readValue } from "../records/transaction_step.ts";

/** A person; times are milliseconds since 1970. */
export interface StoredPerson {
  readonly id: number;
  readonly userId: number | null;
  /** The recipient in the latest run that lists them. */
  readonly listed: Recipient;
  readonly domain: string | null;
  readonly first: number;
  readonly last: number;
  /** When they were last added to a schedule that had run without them; null if never. */
  readonly added: number | null;
  /** How many schedules they ever received, and how many they still receive. */
  readonly schedules: number;
  readonly receiving: number;
  readonly leftAt: number | null;
}

export interface StoredReceipt {
  readonly personId: number;
  readonly scheduleId: number;
  readonly first: number;
  readonly last: number;
  readonly runs: number;
  readonly receiving: number;
  /** 1 if the person received the first known run, otherwise 0. */
  readonly fromStart: number;
}

export interface PeopleOfDomain {
  /** Null for people without an address. */
  readonly domain: string | null;
  readonly people: number;
  /** How many schedules each of them ever received, in all. */
  readonly receipts: number;
  /** When any of them first received something, in milliseconds since 1970. */
  readonly first: number;
}

export const PEOPLE_GROUPS = ["all", "new", "outside", "left", "stopped"] as const;
export type PeopleGroup = typeof PEOPLE_GROUPS[number];

export interface PeopleFilter {
  readonly group: PeopleGroup;
  readonly text?: string;
  readonly domain?: string;
  /** Only those who still receive something. */
  readonly isReceiving?: boolean;
  /** The domains inside, with their subdomains; without any, nobody is outside. */
  readonly home: readonly string[];
  /** Domains that nobody had until lately. */
  readonly newDomains: readonly string[];
  readonly now: number;
}

/** The people who received a schedule, with what they received of it. */
function peopleReceiving(scheduleId: number): Sql {
  return sql`(SELECT people.id, user_id, receipts.form_id, domain, folded, left_at, receipts.first,
      receipts.last, 1 AS schedules, receipts.receiving,
      CASE WHEN receipts.first > first_start THEN receipts.first END AS added
    FROM receipts JOIN people ON people.id = person_id
      JOIN histories ON histories.schedule_id = receipts.schedule_id
    WHERE receipts.schedule_id = ${scheduleId}) AS people`;
}

const IN_SEARCHES = { lane: "search" } as const;

const COLUMNS = sql`people.id, people.user_id, json AS listed, people.domain, people.first,
  people.last, people.added, people.schedules, people.receiving, people.left_at`;

function toPattern(text: string): string {
  return `%${escapeLike(foldCase(text))}%`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** The condition that a person's domain is one of these, or a subdomain of one. */
export function isInside(home: readonly string[]): Sql {
  const isBelow = home.map((name) => sql`domain LIKE ${`%.${escapeLike(name)}`} ESCAPE '\\'`);
  return any([sql`domain IN ${texts(home)}`, ...isBelow]);
}

/** The people who received anything, or with `scheduleId` that schedule. */
export function peopleOn(database: Database, scheduleId?: number) {
  const table = scheduleId === undefined ? sql`people` : peopleReceiving(scheduleId);
  const listed = sql`${table} JOIN forms ON forms.id = people.form_id`;
  const received = sql`people.last IS NOT NULL`;

  const inGroup = (group: PeopleGroup, { home, newDomains, now }: PeopleFilter): Sql => {
    // Without any domain inside, nobody is known to be outside.
    const isOutside = home.length > 0
      ? sql`domain IS NOT NULL AND NOT ${isInside(home)}`
      : sql`FALSE`;
    // They were added to a schedule that had run without them, and nobody expects them.
    const isNew =
      sql`added IS NOT NULL AND NOT EXISTS (SELECT 1 FROM recipient_decisions AS decision
      WHERE expected = 1 AND ended IS NULL AND (until IS NULL OR until > ${now})
        AND (decision.person_id = people.id OR decision.domain = people.domain))`;
    return {
      all: sql`TRUE`,
      outside: isOutside,
      new: sql`${isOutside} AND domain IN ${texts(newDomains)} AND ${isNew}`,
      // They still receive something, or did so after they left.
      left: sql`left_at <= ${now} AND (receiving > 0 OR last >= left_at)`,
      stopped: sql`receiving = 0`,
    }[group];
  };

  const toConditions = (filter: PeopleFilter): readonly Sql[] => {
    const { group, text, domain, isReceiving } = filter;
    return [
      received,
      ...isReceiving ? [sql`receiving > 0`] : [],
      inGroup(group, filter),
      ...optional(domain, (domain) => sql`domain = ${domain}`),
      ...optional(text, (text) => sql`folded LIKE ${toPattern(text)} ESCAPE '\\'`),
    ];
  };

  const countPeople = (conditions: readonly Sql[]): Promise<number> =>
    readValue(database, sql`SELECT count(*) FROM ${table} WHERE ${all(conditions)}`, IN_SEARCHES);

  /** The people with these ids, in the same order. */
  async function some(personIds: readonly number[]): Promise<readonly StoredPerson[]> {
    const found = await database.read<StoredPerson>(
      sql`SELECT ${COLUMNS} FROM ${listed} WHERE people.id IN ${ids(personIds)} AND ${received}`,
    );
    const byId = new Map(found.map((person) => [person.id, person]));
    return personIds.flatMap((id) => byId.get(id) ?? []);
  }

  /** Ids of people. Those new outside and those who left come first, then those with most schedules. */
  const listIds = (
    filter: PeopleFilter,
    { limit = Number.MAX_SAFE_INTEGER, offset = 0 }: Partial<Page> = {},
  ): Promise<readonly number[]> =>
    readColumn(
      database,
      sql`SELECT people.id FROM ${table} WHERE ${all(toConditions(filter))}
        ORDER BY CASE WHEN ${inGroup("new", filter)} THEN 0
          WHEN ${inGroup("left", filter)} THEN 1 ELSE 2 END, schedules DESC, id
        LIMIT ${limit} OFFSET ${offset}`,
      IN_SEARCHES,
    );

  return {
    byDomain: (): Promise<readonly PeopleOfDomain[]> =>
      database.read(
        sql`SELECT domain, count(*) AS people, sum(schedules) AS receipts, min(first) AS first
          FROM ${table} WHERE ${received} GROUP BY domain
          ORDER BY count(*) DESC, coalesce(domain, '')`,
        IN_SEARCHES,
      ),
    /** How many people are in each group, ignoring the text of the filter. */
    async countGroups(filter: PeopleFilter): Promise<Readonly<Record<PeopleGroup, number>>> {
      const counts = PEOPLE_GROUPS.map(async (group) =>
        [group, await countPeople([received, inGroup(group, filter)])] as const
      );
      return Object.fromEntries(await Promise.all(counts)) as Record<PeopleGroup, number>;
    },
    ids: listIds,
    some,
    list: async (filter: PeopleFilter, page: Page) => await some(await listIds(filter, page)),
    /** How many people a filter finds. */
    count: (filter: PeopleFilter): Promise<number> => countPeople(toConditions(filter)),
    /** The schedules that these people received, at most `limit` of them. */
    scheduleIds: (filter: PeopleFilter, limit: number): Promise<readonly number[]> =>
      readColumn(
        database,
        sql`SELECT DISTINCT schedule_id FROM receipts WHERE person_id IN
          (SELECT people.id FROM ${table} WHERE ${all(toConditions(filter))})
          ORDER BY schedule_id LIMIT ${limit}`,
        IN_SEARCHES,
      ),
    get: async (id: number): Promise<StoredPerson | undefined> => (await some([id]))[0],
    /** The first person with a user id or an address; undefined if there is none. */
    find(person: number | string): Promise<number | undefined> {
      const named = typeof person === "number"
        ? sql`forms.user_id = ${person}`
        : sql`address = ${person.trim().toLowerCase()}`;
      return readValue(
        database,
        sql`SELECT person_id FROM forms JOIN people ON people.id = person_id
          WHERE ${named} AND ${received} ORDER BY person_id LIMIT 1`,
      );
    },
    /** Every form in which runs listed a person, latest first. */
    listings: (id: number): Promise<readonly Recipient[]> =>
      readColumn(
        database,
        sql`SELECT json AS listed FROM forms WHERE person_id = ${id} ORDER BY id DESC LIMIT 100`,
      ),
    receipts: (people: readonly number[]): Promise<readonly StoredReceipt[]> =>
      database.read(
        sql`SELECT person_id, receipts.schedule_id, first, last, runs, receiving,
            CASE WHEN first > first_start THEN 0 ELSE 1 END AS from_start
          FROM receipts JOIN histories ON histories.schedule_id = receipts.schedule_id
          WHERE person_id IN ${ids(people)}
            ${scheduleId === undefined ? sql`` : sql`AND receipts.schedule_id = ${scheduleId}`}
          ORDER BY first, receipts.schedule_id, person_id`,
      ),
    leaversOf: (scheduleId: number): Promise<readonly StoredPerson[]> =>
      database.read(
        sql`SELECT ${COLUMNS} FROM receipts JOIN people ON people.id = receipts.person_id
          JOIN forms ON forms.id = people.form_id
          WHERE receipts.schedule_id = ${scheduleId} AND left_at IS NOT NULL`,
      ),
    /** Who received a schedule before a time, as listed, and since when. */
    async receivedBefore(scheduleId: number, time: number): Promise<EarlierRuns["recipients"]> {
      const rows = await database.read<{ listed: Recipient; first: number }>(
        sql`SELECT json AS listed, first FROM receipts JOIN forms ON forms.id = form_id
          WHERE schedule_id = ${scheduleId} AND first < ${time}`,
      );
      return rows.map(({ listed, first }) => ({ recipient: listed, first }));
    },
    runAt: async (scheduleId: number, start: number): Promise<number | null> =>
      await readValue<number | undefined>(
        database,
        // For one value, SQLite would read all runs of the schedule instead of an index.
        sql`SELECT run_id FROM runs WHERE schedule_id = ${scheduleId}
          AND start BETWEEN ${start} AND ${start} AND gone_at IS NULL LIMIT 1`,
      ) ?? null,
    /**
     * How many known schedules were not read to the end of their history yet; how many can't be read;
     * of how many the receipts are out of date; and of how many no good run has a list of recipients.
     */
    async countUnread() {
      const dictionary = await readDictionary(database);
      const good = (await readSeenStatuses(database))
        .filter((status) => meaningOf(status, dictionary) === "good");
      const isOfOne = when(scheduleId !== undefined, sql`AND schedule_id = ${scheduleId ?? null}`);
      const [counts] = await database.read<
        Record<"unread" | "failing" | "uncounted" | "unlisted", number>
      >(
        // The runs of the embedded service's schedules need not be read.
        sql`SELECT count(CASE WHEN failures = 0 AND history_read IS NOT NULL THEN 1 END) AS unread,
            count(CASE WHEN failures > 0 THEN 1 END) AS failing,
            (SELECT count(*) FROM histories WHERE is_counted = 0) AS uncounted,
            (SELECT count(DISTINCT schedule_id) FROM seen_statuses
              WHERE status IN ${texts(good)} AND schedule_id IN
                (SELECT schedule_id FROM histories WHERE first_start IS NULL) ${isOfOne}) AS unlisted
          FROM known_schedules
          WHERE schedule_id NOT IN (SELECT id FROM schedules) ${isOfOne}`,
      );
      return counts;
    },
    /** The titles of the reports that schedules send, by schedule, as in their newest runs. */
    async titles(scheduleIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
      const rows = await database.read<{ scheduleId: number; json: string | null }>(
        sql`SELECT schedule_id, (SELECT json FROM runs WHERE schedule_id = histories.schedule_id
            AND gone_at IS NULL ORDER BY start DESC NULLS LAST, run_id LIMIT 1) AS json
          FROM histories WHERE schedule_id IN ${ids(scheduleIds)}`,
      );
      return new Map(rows.flatMap(({ scheduleId, json }): [number, string][] => {
        const { reportTitle }: Partial<ReportRun> = JSON.parse(json ?? "{}");
        return typeof reportTitle === "string" ? [[scheduleId, reportTitle]] : [];
      }));
    },
  };
}
