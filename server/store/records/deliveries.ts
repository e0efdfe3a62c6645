/** The outbox: deliveries that are waiting, sent, or given up. */
import type { Engine, TransactionStep } from "../engine.ts";
import { optionalCondition, placeholders } from "../sql.ts";
import { columnsOf, recordsOf, type RecordSource, select, selectPage, update } from "./table.ts";
import type { Delivery, ListedDelivery, NewDelivery } from "./types.ts";

const DELIVERIES = recordsOf<Delivery>(
  "deliveries",
  "id, outlet, incident_id, event, created, held_until, due, attempts, sent, given_up, error",
);
/** There is an index with exactly this condition. */
const UNSENT = "(due IS NOT NULL OR sent IS NULL)";
const STATES = {
  waiting: `(${UNSENT} AND given_up IS NULL)`,
  sent: "sent IS NOT NULL AND due IS NULL",
  "given-up": `${UNSENT} AND given_up IS NOT NULL`,
} as const;

/** No earlier message about the incident is waiting: "resolved" must not come before "opened". */
const IN_TURN = "NOT EXISTS (SELECT 1 FROM deliveries AS earlier " +
  "WHERE incident_id = deliveries.incident_id AND outlet = deliveries.outlet " +
  `AND created < deliveries.created AND ${STATES.waiting})`;

const IS_FREE = "due <= ? AND (lease_until IS NULL OR lease_until <= ?)";
const UNLEASED = { lease: null, leaseUntil: null };

const LISTED: RecordSource<ListedDelivery> = {
  from: DELIVERIES.from,
  columns: `${DELIVERIES.columns}, CASE WHEN ${IN_TURN} THEN 1 ELSE 0 END`,
  fromRow: (row) => ({ ...DELIVERIES.fromRow(row), isInTurn: row.at(-1) === 1 }),
};

const UNSENT_AND_LATEST =
  "(SELECT outlet, incident_id, sent, due, given_up, error, held_until, created " +
  `FROM deliveries WHERE ${UNSENT} ` +
  "UNION ALL SELECT outlet, NULL, max(sent), NULL, NULL, NULL, NULL, NULL FROM deliveries " +
  "WHERE sent IS NOT NULL GROUP BY outlet) AS deliveries";

/** Whether an outlet works; times are milliseconds since 1970. */
export interface OutletHealth {
  readonly incidentId: string | null;
  readonly outlet: string;
  readonly sent: number | null;
  readonly waiting: number;
  /** When the oldest waiting delivery with a failed attempt was created; null if there is none. */
  readonly failingSince: number | null;
  /** Since when the oldest waiting delivery could have been sent; null if none is waiting. */
  readonly waitingSince: number | null;
  /** When a delivery was last given up; null for never. */
  readonly givenUp: number | null;
}

const HEALTH = {
  sent: "max(sent)",
  waiting: `count(CASE WHEN ${STATES.waiting} THEN 1 END)`,
  failingSince: `min(CASE WHEN ${STATES.waiting} AND error IS NOT NULL THEN created END)`,
  waitingSince: `min(CASE WHEN ${STATES.waiting} THEN coalesce(held_until, created) END)`,
  givenUp: `max(CASE WHEN ${STATES["given-up"]} THEN given_up END)`,
};

export function deliveriesOn(engine: Engine) {
  return {
    /** A page of deliveries, newest first, and how many match in all. */
    list({ outlet, incidentId, scheduleId, state, ...page }: {
      readonly outlet?: string;
      readonly incidentId?: string;
      readonly scheduleId?: number;
      readonly state?: keyof typeof STATES;
      readonly limit: number;
      readonly offset?: number;
    }) {
      const conditions = [
        ...optionalCondition("outlet = ?", outlet),
        ...optionalCondition("incident_id = ?", incidentId),
        ...optionalCondition(
          "incident_id IN (SELECT id FROM incidents WHERE schedule_id = ?)",
          scheduleId,
        ),
        ...state ? [{ text: STATES[state], values: [] }] : [],
      ];
      return selectPage(engine, LISTED, conditions, "ORDER BY created DESC, id", page);
    },
    /** The health of each outlet; with `incidentIds`, of each outlet for each of these incidents. */
    async health(incidentIds?: readonly string[]): Promise<readonly OutletHealth[]> {
      if (!incidentIds) {
        const waiting = `count(CASE WHEN ${STATES.waiting} THEN 1 END)`;
        const expressions = { incidentId: "CAST(NULL AS TEXT)", ...HEALTH, waiting };
        const ofOutlets = recordsOf<OutletHealth>(UNSENT_AND_LATEST, "outlet", expressions);
        return await select(engine, ofOutlets, "GROUP BY outlet ORDER BY outlet");
      }
      const ofIncidents = recordsOf<OutletHealth>("deliveries", "outlet, incident_id", HEALTH);
      const rest = `WHERE incident_id IN (${placeholders(incidentIds)}) ` +
        "GROUP BY outlet, incident_id ORDER BY outlet";
      return await select(engine, ofIncidents, rest, incidentIds);
    },
    /** Leases deliveries that are due by `dueBy` and whose turn it is, oldest first. */
    async claim({ outlet, holder, now, dueBy = now, leaseUntil, max }: {
      readonly outlet: string;
      readonly holder: string;
      readonly now: number;
      readonly dueBy?: number;
      readonly leaseUntil: number;
      readonly max: number;
    }) {
      const claimed = await engine.transact([{
        text: "WITH free AS MATERIALIZED (SELECT id AS free_id FROM deliveries " +
          `WHERE outlet = ? AND ${IS_FREE} AND ${IN_TURN} ` +
          "ORDER BY due, id LIMIT ? FOR UPDATE SKIP LOCKED) " +
          "UPDATE deliveries SET lease = ?, lease_until = ?, attempts = attempts + 1 FROM free " +
          `WHERE id = free_id RETURNING ${DELIVERIES.columns}`,
        values: [outlet, dueBy, now, max, holder, leaseUntil],
      }]);
      return (claimed?.[0] ?? []).map(DELIVERIES.fromRow)
        .toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
    },
    /** Stores the outcome of an attempt, also for merged deliveries, unless the lease was lost. */
    async finish(
      id: string,
      holder: string,
      outcome: Pick<Delivery, "due" | "sent" | "givenUp" | "error">,
    ): Promise<void> {
      const { due: _, ...ofMerged } = outcome;
      const rest = "WHERE id = ? AND lease = ?";
      await engine.transact([
        update("deliveries", { ...outcome, ...UNLEASED }, rest, [id, holder]),
        update("deliveries", ofMerged, "WHERE merged_into = ?", [id]),
      ]);
    },
    /** Merges deliveries into one message: the receiver only sees its id. */
    async merge(into: string, ids: readonly string[], holder: string): Promise<boolean> {
      const merged = { mergedInto: into, due: null, ...UNLEASED };
      const rest = "WHERE id = ? AND lease = ? RETURNING id";
      const steps = ids.map((id) => ({
        ...update("deliveries", merged, rest, [id, holder]),
        required: true,
      }));
      return await engine.transact(steps) !== null;
    },
    mergedInto: (id: string): Promise<readonly Delivery[]> =>
      select(engine, DELIVERIES, "WHERE merged_into = ? ORDER BY created, id", [id]),
    async release(ids: readonly string[], holder: string): Promise<void> {
      const text =
        "UPDATE deliveries SET lease = NULL, lease_until = NULL, attempts = attempts - 1 " +
        `WHERE lease = ? AND id IN (${placeholders(ids)})`;
      await engine.rows(text, [holder, ...ids]);
    },
    async replay(id: string, now: number): Promise<boolean> {
      const text =
        "UPDATE deliveries SET due = ?, given_up = NULL, lease = NULL, lease_until = NULL " +
        "WHERE id = coalesce((SELECT merged_into FROM deliveries WHERE id = ?), ?) RETURNING id";
      return (await engine.rows(text, [now, id, id])).length > 0;
    },
    /** Gives up deliveries of other outlets that were due by a time; returns how many per outlet. */
    async giveUpUntried({ dueBy, outlets, error, now }: {
      readonly dueBy: number;
      readonly outlets: readonly string[];
      readonly error: string;
      readonly now: number;
    }): Promise<ReadonlyMap<string, number>> {
      const untried = `${IS_FREE} AND outlet NOT IN (${placeholders(["", ...outlets])})`;
      const values = [dueBy, now, "", ...outlets];
      const merged =
        `WHERE merged_into IN (SELECT id FROM deliveries WHERE ${untried}) RETURNING outlet`;
      const outcome = { sent: null, givenUp: now, error };
      const givenUp = await engine.transact([
        update("deliveries", outcome, merged, values),
        update(
          "deliveries",
          { ...outcome, due: null },
          `WHERE ${untried} RETURNING outlet`,
          values,
        ),
      ]);
      const byOutlet = Map.groupBy(givenUp!.flat() as [string][], ([outlet]) => outlet);
      return new Map([...byOutlet].map(([outlet, rows]) => [outlet, rows.length]));
    },
    /** Removes old deliveries that were sent or given up, except those of open incidents. */
    async forget(before: number): Promise<void> {
      const text = "DELETE FROM deliveries WHERE due IS NULL AND created < ? AND NOT EXISTS " +
        "(SELECT 1 FROM incidents WHERE id = incident_id AND resolved IS NULL)";
      await engine.rows(text, [before]);
    },
    /** Whether a delivery is waiting that could have been sent at this time. */
    async isWaitingSince(time: number): Promise<boolean> {
      const text = "SELECT 1 FROM deliveries WHERE due IS NOT NULL " +
        "AND coalesce(held_until, created) <= ? LIMIT 1";
      return (await engine.rows(text, [time])).length > 0;
    },
    async dueOutlets(now: number): Promise<readonly string[]> {
      const text = `SELECT DISTINCT outlet FROM deliveries WHERE ${IS_FREE} AND ${IN_TURN}`;
      return (await engine.rows(text, [now, now])).map(([outlet]) => outlet as string);
    },
    /** The outlets of one incident, or of each open or lately ended one, since it was notified. */
    async outletsOf(
      { incidentId, endedSince = Number.MAX_SAFE_INTEGER }: {
        readonly incidentId?: string;
        readonly endedSince?: number;
      } = {},
    ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
      const which = incidentId === undefined
        ? "(i.resolved IS NULL OR i.resolved >= ?)"
        : "i.id = ?";
      const rows = await engine.rows(
        "SELECT DISTINCT i.id, d.outlet FROM incidents i JOIN deliveries d ON d.incident_id = i.id " +
          `AND d.created >= i.notified WHERE ${which}`,
        [incidentId ?? endedSince],
      );
      const byIncident = Map.groupBy(rows as [string, string][], ([id]) => id);
      return new Map(
        [...byIncident].map(([id, all]) => [id, new Set(all.map(([, name]) => name))]),
      );
    },
    async waiting(): Promise<number> {
      const text = `SELECT count(*) FROM deliveries WHERE ${STATES.waiting}`;
      return (await engine.rows(text))[0][0] as number;
    },
  };
}

/** Removes an incident's messages that quiet hours hold, because a later one replaces them. */
export function dropHeld(outlet: string, incidentId: string, now: number): TransactionStep {
  const text = "DELETE FROM deliveries WHERE incident_id = ? AND outlet = ? AND held_until > ? " +
    "AND attempts = 0";
  return { text, values: [incidentId, outlet, now] };
}

export function moveWaiting(outlet: string, to: string): TransactionStep {
  const text = `UPDATE deliveries SET outlet = ? WHERE outlet = ? AND ${STATES.waiting}`;
  return { text, values: [to, outlet] };
}

export function giveUpWaiting(outlet: string, error: string, now: number): TransactionStep {
  const outcome = { due: null, givenUp: now, error };
  return update("deliveries", outcome, `WHERE outlet = ? AND ${STATES.waiting}`, [outlet]);
}

/** Queues a delivery as the newest of its incident, even if the clock was set back. */
export function insertDelivery(delivery: NewDelivery, due: number): TransactionStep {
  const { created, ...columns } = columnsOf({ ...delivery, due, attempts: 0 });
  const names = Object.keys(columns);
  return {
    text: `INSERT INTO deliveries (${names.join(", ")}, created) VALUES (${placeholders(names)}, ` +
      "coalesce((SELECT max(created) + 1 FROM deliveries " +
      "WHERE incident_id = ? AND outlet = ? AND created >= ?), ?))",
    values: [...Object.values(columns), delivery.incidentId, delivery.outlet, created, created],
  };
}
