/** What the service's statuses mean, for everybody: the words that are known, STATUSES, and people. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import {
  defaultStatusDictionary,
  meaningOf,
  type StatusDictionary,
  type StatusMeaning,
  statusWord,
  type UnknownStatus,
} from "../../../lib/runs/status.ts";
import type { Engine } from "../engine.ts";
import { markUncounted } from "../ledger/assign_people.ts";
import type { LedgerSource } from "../ledger/source.ts";
import { amongIds, placeholders, whereAll } from "../sql.ts";
import type { Acting } from "./watch_events.ts";
import { replaceText, sharedValuesOn } from "./values.ts";

/** What a person said of a status. */
export interface SaidStatus {
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
export interface SeenStatus {
  readonly status: string;
  readonly runs: number;
  readonly schedules: number;
}

const NAME = "statuses";
const NOTHING: StoredStatuses = { setting: {}, said: {} };
/** How often a change is tried while others change the same. */
const MAX_TRIES = 20;

/** What each status means: what people said wins over the setting, and that over the known words. */
export function dictionaryFrom({ setting, said }: StoredStatuses): StatusDictionary {
  const words = Object.entries(said).map(([word, { meaning }]) => [word, meaning] as const);
  return { ...defaultStatusDictionary(), ...setting, ...Object.fromEntries(words) };
}

export function statusesOn(engine: Engine, source: LedgerSource) {
  const values = sharedValuesOn(engine);

  async function get(): Promise<StoredStatuses> {
    return JSON.parse(await values.text(NAME) ?? "null") ?? NOTHING;
  }

  /** Changes the meanings. The schedules with a status that means something else now become due. */
  async function change(
    to: (before: StoredStatuses) => StoredStatuses,
    now: number,
  ): Promise<void> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const text = await values.text(NAME);
      const before: StoredStatuses = JSON.parse(text ?? "null") ?? NOTHING;
      const after = to(before);
      if (JSON.stringify(after) === JSON.stringify(before)) return;
      const dictionaries = [before, after].map(dictionaryFrom);
      const seen = await engine.rows("SELECT DISTINCT status FROM seen_statuses");
      const changed = seen.map(([status]) => status as string).filter((status) => {
        const [was, is] = dictionaries.map((dictionary) => meaningOf(status, dictionary));
        return was !== is;
      });
      const done = await engine.transact([
        replaceText(NAME, text === undefined ? null : { number: 0, text }, {
          number: 0,
          text: JSON.stringify(after),
        }),
        {
          text: markUncounted(
            "SELECT DISTINCT source, schedule_id, 1 FROM seen_statuses " +
              `WHERE status IN (${placeholders(changed)})`,
          ),
          values: changed,
        },
        // Also those with new runs, which may have any status.
        {
          text: "UPDATE known_schedules SET due = ? " +
            "WHERE schedule_id IN (SELECT schedule_id FROM uncounted_schedules)",
          values: [now],
        },
      ]);
      if (done !== null) return;
    }
    throw new Error("The statuses could not be changed, because others changed them at once");
  }

  return {
    get,
    dictionary: async (): Promise<StatusDictionary> => dictionaryFrom(await get()),
    useSetting: (setting: StatusDictionary, now: number): Promise<void> =>
      change((before) => ({ ...before, setting }), now),
    /** Replaces what people said; what stays as it was keeps its author. */
    say: (statuses: StatusDictionary, { actor, now }: Acting): Promise<void> =>
      change((before) => ({
        ...before,
        said: Object.fromEntries(
          Object.entries(statuses).map(([status, meaning]) => {
            const word = statusWord(status);
            const known = Object.hasOwn(before.said, word) ? before.said[word] : undefined;
            const isSame = known?.meaning === meaning;
            return [word, isSame ? known : { meaning, by: actor, at: now }];
          }),
        ),
      }), now),
    /** Every status that was seen, most frequent first, and how many there are in all. */
    async seen(max: number): Promise<{
      readonly items: readonly SeenStatus[];
      readonly total: number;
    }> {
      const from = "FROM seen_statuses WHERE source = ?";
      const rows = await engine.rows(
        `SELECT status, CAST(sum(runs) AS BIGINT), count(*) ${from} GROUP BY status ` +
          "ORDER BY sum(runs) DESC, status LIMIT ?",
        [source, max],
      ) as [string, number, number][];
      const [[total]] = await engine.rows(`SELECT count(DISTINCT status) ${from}`, [source]);
      return {
        items: rows.map(([status, runs, schedules]) => ({ status, runs, schedules })),
        total: total as number,
      };
    },
    /** What lists of recipients leave out, because nobody knows whether the runs went out. */
    async unknown(scheduleIds?: readonly number[]): Promise<readonly UnknownStatus[]> {
      const { text, values } = whereAll([
        { text: "source = ?", values: [source] },
        ...scheduleIds ? [{ text: amongIds("schedule_id", scheduleIds), values: [] }] : [],
      ]);
      const rows = await engine.rows(
        `SELECT status, CAST(sum(runs) AS BIGINT) FROM seen_statuses ${text} ` +
          "GROUP BY status ORDER BY sum(runs) DESC, status",
        values,
      ) as [string, number][];
      const dictionary = await this.dictionary();
      return rows.filter(([status]) => meaningOf(status, dictionary) === "unknown")
        .map(([status, runs]) => ({ status: status || null, runs }));
    },
  };
}
