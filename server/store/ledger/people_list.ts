/** People who received reports, and what they received. */
import type { EarlierRuns } from "../../../lib/runs/outsiders.ts";
import type { Engine } from "../engine.ts";
import { recordsOf, select } from "../records/table.ts";
import { amongIds, optionalCondition, placeholders, type Sql, whereAll } from "../sql.ts";
import { foldCase } from "../../../lib/search/compare_values.ts";
import { titleIn } from "./run_parts.ts";
import { EMBEDDED, type LedgerSource } from "./source.ts";

/** A person; times are milliseconds since 1970. */
export interface StoredPerson {
  readonly id: number;
  readonly userId: number | null;
  /** The recipient in the latest run that lists them, as JSON. */
  readonly listed: string;
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
  /** How many of them no longer receive anything. */
  readonly stopped: number;
  /** When any of them first received something, in milliseconds since 1970. */
  readonly first: number;
}

export const PEOPLE_GROUPS = ["all", "new", "outside", "left", "stopped"] as const;
export type PeopleGroup = typeof PEOPLE_GROUPS[number];

export interface PeopleFilter {
  readonly group: PeopleGroup;
  readonly text?: string;
  readonly domain?: string;
  readonly home: readonly string[];
  /** Domains that nobody had until lately. */
  readonly newDomains: readonly string[];
  readonly now: number;
}

/** The most people of each urgent group that are listed before all others. */
const MAX_URGENT = 200;

interface PageBounds {
  readonly limit: number;
  readonly offset?: number;
}

/** The people who received a schedule, with what they received of it. */
function peopleReceiving(scheduleId: number): string {
  return "(SELECT people.id, people.source, people.user_id, people.domain, left_at, " +
    "receipts.first, receipts.last, CASE WHEN from_start = 0 THEN receipts.first END AS added, " +
    "1 AS schedules, receipts.receiving, receipts.recipient_id " +
    "FROM people JOIN receipts ON receipts.person_id = people.id " +
    `WHERE schedule_id = ${Number(scheduleId)}) AS people`;
}

const PEOPLE = recordsOf<StoredPerson>(
  "people JOIN recipients ON recipients.id = people.recipient_id",
  "people.id, people.user_id, people.domain, people.first, people.last, people.added, " +
    "people.schedules, people.receiving, people.left_at",
  { listed: "recipients.json" },
);

const RECEIPTS = recordsOf<StoredReceipt>(
  "receipts",
  "person_id, schedule_id, first, last, runs, receiving, from_start",
);

/** People who left and still receive something, or did so after they left. */
const LEFT = "people.left_at <= ? AND (people.receiving > 0 OR people.last >= people.left_at)";

/** The people who received anything, or with `scheduleId` that schedule. */
export function peopleOn(engine: Engine, source: LedgerSource, scheduleId?: number) {
  const from = scheduleId === undefined ? "people" : peopleReceiving(scheduleId);
  const people = { ...PEOPLE, from: PEOPLE.from.replace("people", from) };
  const ofSchedule = optionalCondition("schedule_id = ?", scheduleId);
  /** People who were added to a schedule that had run without them, and whom nobody expects. */
  const isNew =
    "people.added IS NOT NULL AND NOT EXISTS (SELECT 1 FROM recipient_decisions AS decision " +
    "WHERE decision.source = people.source AND decision.expected = 1 AND decision.ended IS NULL " +
    "AND (decision.until IS NULL OR decision.until > ?) " +
    "AND (decision.person_id = people.id OR decision.domain = people.domain))";
  const received: Sql = { text: "people.source = ? AND people.last IS NOT NULL", values: [source] };

  function groupOf(group: PeopleGroup, filter: PeopleFilter): Sql {
    const { home, newDomains, now } = filter;
    const outside = `people.domain IS NOT NULL AND people.domain NOT IN (${placeholders(home)})`;
    switch (group) {
      case "all":
        return { text: "TRUE", values: [] };
      case "outside":
        return { text: outside, values: home };
      case "new":
        return {
          text: `${outside} AND people.domain IN (${placeholders(newDomains)}) AND ${isNew}`,
          values: [...home, ...newDomains, now],
        };
      case "left":
        return { text: LEFT, values: [now] };
      case "stopped":
        return { text: "people.receiving = 0", values: [] };
    }
  }

  function conditionsOf(filter: PeopleFilter): Sql[] {
    const { group, text, domain } = filter;
    return [
      received,
      groupOf(group, filter),
      ...optionalCondition("people.domain = ?", domain),
      ...optionalCondition(
        "people.recipient_id IN (SELECT id FROM recipients WHERE folded LIKE ? ESCAPE '\\')",
        text === undefined ? undefined : `%${foldCase(text).replace(/[\\%_]/g, "\\$&")}%`,
      ),
    ];
  }

  async function countOf(conditions: readonly Sql[]): Promise<number> {
    const { text, values } = whereAll(conditions);
    return (await engine.rows(`SELECT count(*) FROM ${from} ${text}`, values))[0][0] as number;
  }

  /** The people with these ids, in the same order. */
  async function some(ids: readonly number[]): Promise<readonly StoredPerson[]> {
    const found = await select(engine, people, `WHERE ${amongIds("people.id", ids)}`);
    const byId = new Map(found.map((person) => [person.id, person]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Ids of people. Those new outside and those who left come first, then those with most schedules. */
  async function idsOf(
    filter: PeopleFilter,
    { limit = Number.MAX_SAFE_INTEGER, offset = 0 }: Partial<PageBounds> = {},
  ): Promise<readonly number[]> {
    const find = async (more: Sql, limit: number, offset = 0) => {
      const { text, values } = whereAll([...conditionsOf(filter), more]);
      const rows = await engine.rows(
        `SELECT people.id FROM ${from} ${text} ORDER BY schedules DESC, id LIMIT ? OFFSET ?`,
        [...values, limit, offset],
      );
      return rows.map(([id]) => id as number);
    };
    // A search for somebody does not need this order.
    const urgent = filter.text === undefined ? ["new", "left"] as const : [];
    const found = urgent.map((group) => find(groupOf(group, filter), MAX_URGENT));
    const first = [...new Set((await Promise.all(found)).flat())];
    const ids = first.slice(offset, offset + limit);
    const others = { text: `NOT ${amongIds("people.id", first)}`, values: [] };
    return [
      ...ids,
      ...await find(others, limit - ids.length, Math.max(0, offset - first.length)),
    ];
  }

  return {
    async byDomain(): Promise<readonly PeopleOfDomain[]> {
      const domains = recordsOf<PeopleOfDomain>(from, "domain", {
        people: "count(*)",
        stopped: "count(CASE WHEN receiving = 0 THEN 1 END)",
        first: "min(first)",
      });
      const rest = "WHERE source = ? AND last IS NOT NULL GROUP BY domain " +
        "ORDER BY count(*) DESC, coalesce(domain, '')";
      return await select(engine, domains, rest, [source]);
    },
    /** How many people are in each group, ignoring the text and the domain of the filter. */
    async count(filter: PeopleFilter): Promise<Readonly<Record<PeopleGroup, number>>> {
      const counts = PEOPLE_GROUPS.map(async (group) =>
        [group, await countOf([received, groupOf(group, filter)])] as const
      );
      return Object.fromEntries(await Promise.all(counts)) as Record<PeopleGroup, number>;
    },
    ids: idsOf,
    some,
    list: async (filter: PeopleFilter, page: PageBounds) => await some(await idsOf(filter, page)),
    countAll: (filter: PeopleFilter): Promise<number> => countOf(conditionsOf(filter)),
    get: async (id: number): Promise<StoredPerson | undefined> =>
      (await select(engine, people, "WHERE people.source = ? AND people.id = ?", [source, id]))[0],
    /** The first person with a user id or an address; undefined if there is none. */
    async find(person: number | string): Promise<number | undefined> {
      const [column, value] = typeof person === "number"
        ? ["user_id", person]
        : ["address", person.trim().toLowerCase()];
      const rows = await engine.rows(
        "SELECT person_id FROM recipients JOIN people ON people.id = person_id " +
          `WHERE recipients.source = ? AND recipients.${column} = ? AND last IS NOT NULL ` +
          "ORDER BY person_id LIMIT 1",
        [source, value],
      );
      return rows[0]?.[0] as number | undefined;
    },
    /** Other people who were listed with an address of this person; without a user id, null. */
    async othersAt(id: number): Promise<readonly { id: number; userId: number | null }[]> {
      const rows = await engine.rows(
        "SELECT DISTINCT people.id, people.user_id FROM recipients AS own JOIN recipients AS other " +
          "ON other.source = own.source AND other.address = own.address " +
          "AND other.person_id <> own.person_id JOIN people ON people.id = other.person_id " +
          "WHERE own.person_id = ? ORDER BY people.id LIMIT 20",
        [id],
      ) as [number, number | null][];
      return rows.map(([id, userId]) => ({ id, userId }));
    },
    /** Every form in which runs listed a person, as JSON, latest first. */
    async listings(id: number): Promise<readonly string[]> {
      const text = "SELECT json FROM recipients WHERE person_id = ? ORDER BY id DESC LIMIT 100";
      return (await engine.rows(text, [id])).map(([json]) => json as string);
    },
    receipts(people: readonly number[]): Promise<readonly StoredReceipt[]> {
      const ofPeople = { text: amongIds("person_id", people), values: [] };
      const { text, values } = whereAll([ofPeople, ...ofSchedule]);
      return select(engine, RECEIPTS, `${text} ORDER BY first, schedule_id, person_id`, values);
    },
    leaversOf: (scheduleId: number): Promise<readonly StoredPerson[]> =>
      select(
        engine,
        PEOPLE,
        "JOIN receipts ON receipts.person_id = people.id WHERE receipts.source = ? " +
          "AND receipts.schedule_id = ? AND people.left_at IS NOT NULL",
        [source, scheduleId],
      ),
    /** Who received a schedule before a time, as listed, and since when. */
    async receivedBefore(scheduleId: number, time: number): Promise<EarlierRuns["recipients"]> {
      const text = "SELECT recipients.json, receipts.first FROM receipts " +
        "JOIN recipients ON recipients.id = receipts.recipient_id " +
        "WHERE receipts.source = ? AND schedule_id = ? AND receipts.first < ?";
      const rows = await engine.rows(text, [source, scheduleId, time]) as [string, number][];
      return rows.map(([json, first]) => ({ recipient: JSON.parse(json), first }));
    },
    async runAt(scheduleId: number, start: number): Promise<number | null> {
      const [row] = await engine.rows(
        "SELECT id FROM run_versions WHERE source = ? AND schedule_id = ? AND start_time = ? " +
          "ORDER BY replaced LIMIT 1",
        [source, scheduleId, start],
      );
      return row?.[0] as number ?? null;
    },
    async coverage(): Promise<{ readonly schedules: number; readonly uncounted: number }> {
      const text = "SELECT (SELECT count(DISTINCT schedule_id) FROM receipts WHERE source = ?), " +
        "(SELECT count(*) FROM uncounted_schedules WHERE source = ?)";
      const [[schedules, uncounted]] = await engine.rows(text, [source, source]);
      return { schedules: schedules as number, uncounted: uncounted as number };
    },
    /** How many known schedules were not read to the end of their history yet. */
    async countUnread(): Promise<number> {
      // The embedded service's runs are in the ledger themselves.
      if (source === EMBEDDED) return 0;
      const text = "SELECT count(*) FROM known_schedules WHERE history_read IS NOT NULL";
      return (await engine.rows(text))[0][0] as number;
    },
    async titles(scheduleIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
      const titles = new Map<number, string>();
      for (const scheduleId of new Set(scheduleIds)) {
        const [row] = await engine.rows(
          "SELECT template FROM run_templates WHERE id = (SELECT template_id FROM run_versions " +
            "WHERE source = ? AND schedule_id = ? ORDER BY start_time DESC, id LIMIT 1)",
          [source, scheduleId],
        );
        const title = row && titleIn(JSON.parse(row[0] as string));
        if (typeof title === "string") titles.set(scheduleId, title);
      }
      return titles;
    },
  };
}
