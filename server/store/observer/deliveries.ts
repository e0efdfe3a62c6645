/** The outbox: deliveries that are waiting, sent, or given up. */
import type { Engine, TransactionStep } from "../engine.ts";
import { amongIds, given, placeholders, type Sql, whereAll } from "../sql.ts";
import { type RecordSource, select, selectPage, tableOf, update } from "./table.ts";
import type { Delivery, ListedDelivery, NewDelivery } from "./types.ts";

export interface DeliveryFilter {
  readonly outlet?: string;
  readonly incidentId?: string;
  /** The schedule of their incidents. */
  readonly scheduleId?: number;
  /** Only deliveries about these schedules, or about none. */
  readonly ids?: readonly number[];
  readonly state?: "waiting" | "sent" | "given-up";
  readonly limit: number;
  readonly offset?: number;
}

export type AttemptOutcome =
  /** `error` names those whom it did not reach. */
  | { readonly sent: number; readonly error?: string | null }
  /** `due` is the next attempt; null gives it up. */
  | { readonly failed: number; readonly error: string; readonly due: number | null };

export interface DeliveryClaim {
  readonly outlet: string;
  readonly holder: string;
  readonly now: number;
  /** By when they are due. Default: now. */
  readonly dueBy?: number;
  readonly leaseUntil: number;
  readonly most: number;
}

export interface UntriedDeliveries {
  readonly dueBefore: number;
  readonly outlets: readonly string[];
  readonly error: string;
  readonly now: number;
}

const DELIVERIES = tableOf<Delivery>("deliveries", {
  id: "value",
  outlet: "value",
  incidentId: "value",
  event: "value",
  created: "value",
  heldUntil: "value",
  due: "value",
  attempts: "value",
  sent: "value",
  givenUp: "value",
  error: "value",
});
/** An index has exactly these. */
const UNSENT = "(due IS NOT NULL OR sent IS NULL)";
const STATES = {
  waiting: `(${UNSENT} AND given_up IS NULL)`,
  sent: "sent IS NOT NULL AND due IS NULL",
  "given-up": `${UNSENT} AND given_up IS NOT NULL`,
} as const;

/**
 * Whether an outlet has nothing earlier to send about the same incident: "opened" after "resolved"
 * would make people believe that it is open.
 */
const IN_TURN = "NOT EXISTS (SELECT 1 FROM deliveries AS earlier " +
  "WHERE incident_id = deliveries.incident_id AND outlet = deliveries.outlet " +
  `AND created < deliveries.created AND ${STATES.waiting})`;

/** Deliveries, each with whether it is its turn. */
const LISTED: RecordSource<ListedDelivery> = {
  name: DELIVERIES.name,
  columns: `${DELIVERIES.columns}, CASE WHEN ${IN_TURN} THEN 1 ELSE 0 END`,
  fromRow: (row) => ({ ...DELIVERIES.fromRow(row), isInTurn: row.at(-1) === 1 }),
};

/** The deliveries that matter: those that were not sent, and the latest sent by each outlet. */
const COUNTED = "(SELECT outlet, sent, due, given_up, error, held_until, created " +
  `FROM deliveries WHERE ${UNSENT} ` +
  "UNION ALL SELECT outlet, max(sent), NULL, NULL, NULL, NULL, NULL FROM deliveries " +
  "WHERE sent IS NOT NULL GROUP BY outlet) AS deliveries";

/** How an outlet does; times are milliseconds since 1970. */
export interface OutletHealth {
  readonly incidentId: string | null;
  readonly outlet: string;
  /** When it last sent something. */
  readonly sent: number | null;
  /** How many deliveries are waiting. */
  readonly waiting: number;
  /** Since when deliveries that were tried are waiting; null if none is. */
  readonly failingSince: number | null;
  /** Since when the oldest could have been sent, after quiet hours; null if none is waiting. */
  readonly waitingSince: number | null;
  /** How many were given up. */
  readonly givenUp: number;
}

const HEALTH: RecordSource<OutletHealth> = {
  name: DELIVERIES.name,
  columns: `outlet, max(sent), count(CASE WHEN ${STATES.waiting} THEN 1 END), ` +
    `min(CASE WHEN ${STATES.waiting} AND error IS NOT NULL THEN created END), ` +
    `min(CASE WHEN ${STATES.waiting} THEN coalesce(held_until, created) END), ` +
    `count(CASE WHEN ${STATES["given-up"]} THEN 1 END)`,
  fromRow: ([incidentId, outlet, sent, waiting, failingSince, waitingSince, givenUp]) => ({
    incidentId,
    outlet,
    sent,
    waiting,
    failingSince,
    waitingSince,
    givenUp,
  } as OutletHealth),
};

export function deliveriesOn(engine: Engine) {
  return {
    /** Deliveries, newest first; and how many match in all. */
    list({ outlet, incidentId, scheduleId, ids, state, ...page }: DeliveryFilter) {
      const conditions = [
        ...given("outlet = ?", outlet),
        ...given("incident_id = ?", incidentId),
        ...given("incident_id IN (SELECT id FROM incidents WHERE schedule_id = ?)", scheduleId),
        ...ids ? [aboutIds(ids)] : [],
        ...state ? [{ text: STATES[state], values: [] }] : [],
      ];
      return selectPage(engine, LISTED, conditions, "ORDER BY created DESC, id", page);
    },
    /** How the outlets do: each by its name, over all incidents or about each of the given ones. */
    async health(incidentIds?: readonly string[]): Promise<readonly OutletHealth[]> {
      if (incidentIds?.length === 0) return [];
      const about = incidentIds ? "incident_id" : "CAST(NULL AS TEXT)";
      const where = incidentIds ? `WHERE incident_id IN (${placeholders(incidentIds)})` : "";
      return await select(
        engine,
        {
          ...HEALTH,
          columns: `${about}, ${HEALTH.columns}`,
          name: incidentIds ? HEALTH.name : COUNTED,
        },
        `${where} ` +
          `GROUP BY outlet${incidentIds ? ", incident_id" : ""} ORDER BY outlet`,
        incidentIds,
      );
    },
    get: async (id: string) => (await select(engine, DELIVERIES, "WHERE id = ?", [id]))[0],
    /** Leases deliveries that are due and whose turn it is, oldest first. */
    async claim({ outlet, holder, now, dueBy = now, leaseUntil, most }: DeliveryClaim) {
      const claimed = await engine.transact([{
        text: "WITH free AS MATERIALIZED (SELECT id AS free_id FROM deliveries " +
          "WHERE outlet = ? AND due <= ? AND (lease_until IS NULL OR lease_until <= ?) " +
          `AND ${IN_TURN} ` +
          "ORDER BY due, id LIMIT ? FOR UPDATE SKIP LOCKED) " +
          "UPDATE deliveries SET lease = ?, lease_until = ?, attempts = attempts + 1 FROM free " +
          `WHERE id = free_id RETURNING ${DELIVERIES.columns}`,
        values: [outlet, dueBy, now, most, holder, leaseUntil],
      }]);
      return (claimed?.[0] ?? []).map(DELIVERIES.fromRow)
        .toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
    },
    /** Stores the outcome of an attempt, also for carried deliveries; false if the lease was lost. */
    async finish(ids: readonly string[], holder: string, outcome: AttemptOutcome) {
      const columns = DELIVERIES.toColumns(
        "sent" in outcome
          ? { due: null, sent: outcome.sent, givenUp: null, error: outcome.error ?? null }
          : {
            due: outcome.due,
            sent: null,
            givenUp: outcome.due === null ? outcome.failed : null,
            error: outcome.error,
          },
      );
      const { due: _, ...ofCarried } = columns;
      const unleased = { ...columns, lease: null, lease_until: null };
      const rest = "WHERE id = ? AND lease = ? RETURNING id";
      const finished = await engine.transact(ids.flatMap((id) => [
        update("deliveries", unleased, rest, [id, holder]),
        update("deliveries", ofCarried, "WHERE carried_by = ?", [id]),
      ]));
      // Every second result is that of carried deliveries.
      return (finished ?? []).every((rows, at) => at % 2 === 1 || rows.length === 1);
    },
    /** Lets the message of one delivery carry others: the receiver sees one id. */
    async carry(carrier: string, ids: readonly string[], holder: string): Promise<boolean> {
      const columns = { carried_by: carrier, due: null, lease: null, lease_until: null };
      const rest = "WHERE id = ? AND lease = ? RETURNING id";
      const carried = await engine.transact(
        ids.map((id) => ({ ...update("deliveries", columns, rest, [id, holder]), required: true })),
      );
      return carried !== null;
    },
    /** The deliveries that a message carries beside its own, oldest first. */
    carriedBy: (carrier: string): Promise<readonly Delivery[]> =>
      select(engine, DELIVERIES, "WHERE carried_by = ? ORDER BY created, id", [carrier]),
    /** Releases deliveries that were claimed and not attempted. */
    async release(ids: readonly string[], holder: string): Promise<void> {
      if (ids.length === 0) return;
      const text =
        "UPDATE deliveries SET lease = NULL, lease_until = NULL, attempts = attempts - 1 " +
        `WHERE lease = ? AND id IN (${placeholders(ids)})`;
      await engine.rows(text, [holder, ...ids]);
    },
    /** Makes a delivery due again, with the same id. */
    async replay(id: string, now: number, ids?: readonly number[]): Promise<boolean> {
      const text =
        "UPDATE deliveries SET due = ?, given_up = NULL, lease = NULL, lease_until = NULL " +
        "WHERE id = coalesce((SELECT carried_by FROM deliveries WHERE id = ?), ?) " +
        `${ids ? `AND ${aboutIds(ids).text} ` : ""}RETURNING id`;
      return (await engine.rows(text, [now, id, id])).length > 0;
    },
    /** When the next delivery is due, of one outlet or of all; null if none is waiting. */
    async nextDue(outlet?: string): Promise<number | null> {
      const { text, values } = whereAll([
        { text: `due IS NOT NULL AND ${IN_TURN}`, values: [] },
        ...given("outlet = ?", outlet),
      ]);
      const rows = await engine.rows(
        `SELECT due FROM deliveries ${text} ORDER BY due LIMIT 1`,
        values,
      );
      return rows[0]?.[0] as number | undefined ?? null;
    },
    /**
     * Gives up deliveries that were due before a time, of all outlets but the given ones: nobody
     * attempts those.
     *
     * @returns how many deliveries of each outlet
     */
    async giveUpUntried({ dueBefore, outlets, error, now }: UntriedDeliveries) {
      const columns = DELIVERIES.toColumns({ sent: null, givenUp: now, error });
      const untried = "due < ? AND (lease_until IS NULL OR lease_until <= ?)" +
        outlets.map(() => " AND outlet <> ?").join("");
      const values = [dueBefore, now, ...outlets];
      const carried =
        `WHERE carried_by IN (SELECT id FROM deliveries WHERE ${untried}) RETURNING outlet`;
      const givenUp = await engine.transact([
        update("deliveries", columns, carried, values),
        update(
          "deliveries",
          { ...columns, due: null },
          `WHERE ${untried} RETURNING outlet`,
          values,
        ),
      ]);
      const names = (givenUp ?? []).flat().map(([outlet]) => outlet as string);
      return new Map(
        [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]),
      );
    },
    /**
     * Removes deliveries that were sent or given up and are older than a time. Those of open incidents
     * stay: they show which outlet sent them.
     */
    async forget(before: number): Promise<void> {
      const text = "DELETE FROM deliveries WHERE due IS NULL AND created < ? AND NOT EXISTS " +
        "(SELECT 1 FROM incidents WHERE id = incident_id AND resolved IS NULL)";
      await engine.rows(text, [before]);
    },
    /** Whether something could have been sent at a time, and still waits. */
    async isWaitingSince(moment: number): Promise<boolean> {
      const text = "SELECT 1 FROM deliveries WHERE due IS NOT NULL " +
        "AND coalesce(held_until, created) <= ? LIMIT 1";
      return (await engine.rows(text, [moment])).length > 0;
    },
    /** The outlets that have something due. */
    async dueOutlets(now: number): Promise<readonly string[]> {
      const text = "SELECT DISTINCT outlet FROM deliveries WHERE due <= ? " +
        "AND (lease_until IS NULL OR lease_until <= ?)";
      return (await engine.rows(text, [now, now])).map(([outlet]) => outlet as string);
    },
    /**
     * The outlets that sent incidents since people were last notified: open ones and those that ended
     * since a time, or one incident.
     */
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

/** A condition: the delivery is about one of these schedules, or about none. */
function aboutIds(ids: readonly number[]): Sql {
  return {
    text: "NOT EXISTS (SELECT 1 FROM incidents WHERE id = incident_id " +
      `AND schedule_id IS NOT NULL AND NOT (${amongIds("schedule_id", ids).text}))`,
    values: [],
  };
}

/** Removes an incident's messages that quiet hours hold: a later one replaces them. */
export function dropHeld(outlet: string, incidentId: string, now: number): TransactionStep {
  const text = "DELETE FROM deliveries WHERE incident_id = ? AND outlet = ? AND held_until > ? " +
    "AND attempts = 0";
  return { text, values: [incidentId, outlet, now] };
}

/** Moves waiting messages to another outlet. */
export function moveWaiting(outlet: string, to: string): TransactionStep {
  const text = `UPDATE deliveries SET outlet = ? WHERE outlet = ? AND ${STATES.waiting}`;
  return { text, values: [to, outlet] };
}

/** Gives up the waiting messages of a removed outlet. */
export function giveUpWaiting(outlet: string, error: string, now: number): TransactionStep {
  const columns = DELIVERIES.toColumns({ due: null, givenUp: now, error });
  return update("deliveries", columns, `WHERE outlet = ? AND ${STATES.waiting}`, [outlet]);
}

/**
 * Puts a delivery into the outbox. It counts as newer than its incident's other ones, even if the
 * clock was put back.
 */
export function insertDelivery(delivery: NewDelivery, due: number): TransactionStep {
  const { created, ...columns } = DELIVERIES.toColumns({ ...delivery, due, attempts: 0 });
  const names = Object.keys(columns);
  return {
    text: `INSERT INTO deliveries (${names.join(", ")}, created) VALUES (${placeholders(names)}, ` +
      "coalesce((SELECT max(created) + 1 FROM deliveries " +
      "WHERE incident_id = ? AND outlet = ? AND created >= ?), ?))",
    values: [...Object.values(columns), delivery.incidentId, delivery.outlet, created, created],
  };
}
