/**
 * The schedules that are watched, and whose turn it is.
 *
 * @module
 */

import type { Engine, Step } from "../engine.ts";
import type { Row } from "../records.ts";
import type { LeasedWatch, Watch, WatchSettings } from "./types.ts";

/** The most looks at once, of all instances together: each is one request in flight. */
export const MOST_LOOKS = 8;

/** How a look went, for the next one. */
export type LookOutcome =
  | { readonly looked: number }
  | { readonly failed: number; readonly failure: string };

/** The watches of a database. */
export interface Watches {
  /** Every watch, by schedule id. */
  list(): Promise<readonly Watch[]>;
  get(scheduleId: number): Promise<Watch | undefined>;
  /** Whether there is any. */
  any(): Promise<boolean>;
  /** Watches schedules that are not watched yet; gives the ids of those that were added. */
  add(
    scheduleIds: readonly number[],
    now: number,
    settings?: Partial<WatchSettings>,
  ): Promise<readonly number[]>;
  /** Changes what people said, and has it looked at; false where the schedule is not watched. */
  change(scheduleId: number, settings: Partial<WatchSettings>, now: number): Promise<boolean>;
  /** Ends a watch, and removes the copies of its runs; its incidents stay. */
  remove(scheduleId: number): Promise<boolean>;
  /** Has a schedule looked at now. */
  hurry(scheduleId: number, now: number): Promise<void>;
  /** Takes what is due, never more than {@linkcode MOST_LOOKS} at once with all other instances. */
  claim(holder: string, now: number, leaseUntil: number): Promise<readonly LeasedWatch[]>;
  /** When the next watch is due; null without any. */
  nextDue(): Promise<number | null>;
  /** How many other watches were looked at with success after that moment. */
  othersLooked(scheduleId: number, after: number): Promise<number>;
}

const COLUMNS = "schedule_id, name, note, plan, statuses, pauses, muted_until, created, due, " +
  "looked, failures, failing_since, failure";

/** The watches in that database. */
export function watchesOn(engine: Engine): Watches {
  async function list(condition = "", values: readonly (string | number)[] = []) {
    const text = `SELECT ${COLUMNS} FROM watches ${condition} ORDER BY schedule_id`;
    return (await engine.rows({ text, values })).map(toWatch);
  }
  return {
    list: () => list(),
    get: async (scheduleId) => (await list("WHERE schedule_id = ?", [scheduleId]))[0],
    async any() {
      const text = "SELECT schedule_id FROM watches LIMIT 1";
      return (await engine.rows({ text, values: [] })).length > 0;
    },
    async add(scheduleIds, now, settings = {}) {
      const whole = { ...NEW, ...settings };
      const steps = [...new Set(scheduleIds)].map((scheduleId): Step => ({
        text: "INSERT INTO watches (schedule_id, name, note, plan, statuses, pauses, " +
          "muted_until, created, due, failures) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0) " +
          "ON CONFLICT (schedule_id) DO NOTHING RETURNING schedule_id",
        values: [scheduleId, ...Object.values(columnsOf(whole)), now, now],
      }));
      const added = steps.length > 0 ? await engine.transact(steps) : [];
      return (added ?? []).flat().map((row) => row[0] as number);
    },
    async change(scheduleId, settings, now) {
      const columns = Object.entries(columnsOf(settings));
      const sets = columns.map(([name]) => `${name} = ?`).concat("due = ?").join(", ");
      const changed = await engine.transact([
        {
          text: `UPDATE watches SET ${sets} WHERE schedule_id = ? RETURNING schedule_id`,
          values: [...columns.map(([, value]) => value), now, scheduleId],
          required: true,
        },
        // What was judged by other settings does not hold.
        { text: "UPDATE verdicts SET holds_until = 0 WHERE schedule_id = ?", values: [scheduleId] },
      ]);
      return changed !== null;
    },
    async remove(scheduleId) {
      const values = [scheduleId];
      const removed = await engine.transact([
        {
          text: "DELETE FROM watches WHERE schedule_id = ? RETURNING schedule_id",
          values,
          required: true,
        },
        { text: "DELETE FROM watched_runs WHERE schedule_id = ?", values },
        { text: "DELETE FROM verdicts WHERE schedule_id = ?", values },
      ]);
      return removed !== null;
    },
    async hurry(scheduleId, now) {
      const text = "UPDATE watches SET due = ? WHERE schedule_id = ?";
      await engine.transact([{ text, values: [now, scheduleId] }]);
    },
    async claim(holder, now, leaseUntil) {
      const claimed = await engine.transact([
        // One instance at a time, or two would both count the looks of the other as free places.
        {
          text: "INSERT INTO observer_values VALUES ('claims', 1, '') " +
            "ON CONFLICT (name) DO UPDATE SET number = observer_values.number + 1",
          values: [],
        },
        {
          text: "WITH free AS MATERIALIZED (SELECT schedule_id AS free_id FROM watches " +
            "WHERE due <= ? AND (lease_until IS NULL OR lease_until <= ?) ORDER BY due " +
            `LIMIT (SELECT CASE WHEN count(*) < ${MOST_LOOKS} THEN ${MOST_LOOKS} - count(*) ` +
            "ELSE 0 END FROM watches WHERE lease_until > ?) FOR UPDATE SKIP LOCKED) " +
            "UPDATE watches SET lease = ?, lease_until = ? FROM free " +
            `WHERE schedule_id = free_id RETURNING ${COLUMNS}`,
          values: [now, now, now, holder, leaseUntil],
        },
      ]);
      return (claimed?.[1] ?? []).map((row) => ({ ...toWatch(row), lease: holder }));
    },
    async nextDue() {
      const text = "SELECT min(due) FROM watches";
      return (await engine.rows({ text, values: [] }))[0][0] as number | null;
    },
    async othersLooked(scheduleId, after) {
      const text = "SELECT count(*) FROM watches WHERE schedule_id <> ? AND looked > ?";
      return (await engine.rows({ text, values: [scheduleId, after] }))[0][0] as number;
    },
  };
}

/** Ends a look: required, because who lost the lease must not write what it saw. */
export function endOfLook(
  { scheduleId, lease, failures, failingSince }: LeasedWatch,
  outcome: LookOutcome,
  due: number,
): Step {
  const columns = "looked" in outcome
    ? {
      looked: outcome.looked,
      failures: 0,
      failing_since: null,
      failure: null,
    }
    : {
      failures: failures + 1,
      failing_since: failingSince ?? outcome.failed,
      failure: outcome.failure,
    };
  const sets = Object.keys(columns).map((name) => `${name} = ?`).join(", ");
  return {
    text: `UPDATE watches SET ${sets}, due = ?, lease = NULL, lease_until = NULL ` +
      "WHERE schedule_id = ? AND lease = ? RETURNING schedule_id",
    values: [...Object.values(columns), due, scheduleId, lease],
    required: true,
  };
}

const NEW: WatchSettings = {
  name: "",
  note: "",
  plan: null,
  statuses: null,
  pauses: [],
  mutedUntil: null,
};

/** The columns of those settings that are given, in the order of the table. */
function columnsOf(settings: Partial<WatchSettings>): Record<string, string | number | null> {
  const { name, note, plan, statuses, pauses, mutedUntil } = settings;
  const json = (value: unknown) => value === null ? null : JSON.stringify(value);
  return {
    ...(name === undefined ? {} : { name }),
    ...(note === undefined ? {} : { note }),
    ...(plan === undefined ? {} : { plan: json(plan) }),
    ...(statuses === undefined ? {} : { statuses: json(statuses) }),
    ...(pauses === undefined ? {} : { pauses: JSON.stringify(pauses) }),
    ...(mutedUntil === undefined ? {} : { muted_until: mutedUntil }),
  };
}

function toWatch(row: Row): Watch {
  const json = (value: unknown) => value === null ? null : JSON.parse(value as string);
  return {
    scheduleId: row[0] as number,
    name: row[1] as string,
    note: row[2] as string,
    plan: json(row[3]),
    statuses: json(row[4]),
    pauses: json(row[5]),
    mutedUntil: row[6] as number | null,
    created: row[7] as number,
    due: row[8] as number,
    looked: row[9] as number | null,
    failures: row[10] as number,
    failingSince: row[11] as number | null,
    failure: row[12] as string | null,
  };
}
