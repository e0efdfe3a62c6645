/**
 * The outbox: what is to be sent, what was, and what was given up.
 *
 * @module
 */

import type { Engine, Step } from "../engine.ts";
import type { Row } from "../records.ts";
import type { Delivery, NewDelivery } from "./types.ts";

/** Which deliveries to list. */
export interface DeliveryFilter {
  readonly outlet?: string;
  readonly incidentId?: string;
  readonly state?: "waiting" | "sent" | "given-up";
  readonly limit: number;
  readonly offset?: number;
}

/** What became of an attempt. */
export type AttemptOutcome =
  | { readonly sent: number }
  /** `due` is null where it is given up. */
  | { readonly failed: number; readonly error: string; readonly due: number | null };

/** The deliveries of a database. */
export interface Deliveries {
  /** Deliveries, the newest first; and how many match in all. */
  list(filter: DeliveryFilter): Promise<{ items: readonly Delivery[]; total: number }>;
  get(id: string): Promise<Delivery | undefined>;
  /** Takes what an outlet has to send, the oldest first. */
  claim(claim: DeliveryClaim): Promise<readonly Delivery[]>;
  /** Has the first one's message carry the others, for good: they share its id at the receiver. */
  carry(carrier: string, ids: readonly string[], holder: string): Promise<boolean>;
  /** What a message carries beside its own event, the oldest first. */
  carriedBy(carrier: string): Promise<readonly Delivery[]>;
  /** Gives back what was claimed and not tried. */
  release(ids: readonly string[], holder: string): Promise<void>;
  /** Notes what became of an attempt, also for what is carried; false where the lease was lost meanwhile. */
  finish(ids: readonly string[], holder: string, outcome: AttemptOutcome): Promise<boolean>;
  /** Sends a delivery once more, with the same id. */
  replay(id: string, now: number): Promise<boolean>;
  /** When the next delivery of those outlets is due; null without any. */
  nextDue(outlets: readonly string[]): Promise<number | null>;
  /** Removes what was sent or given up, and made before a moment. */
  forget(before: number): Promise<void>;
  /** How many wait to be sent. */
  waiting(): Promise<number>;
}

/** What an instance wants to send. */
export interface DeliveryClaim {
  readonly outlet: string;
  readonly holder: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly most: number;
}

const COLUMNS = "id, outlet, incident_id, event, created, due, attempts, sent, given_up, error";
const STATES = {
  waiting: "(due IS NOT NULL OR sent IS NULL AND given_up IS NULL)",
  sent: "sent IS NOT NULL AND due IS NULL",
  "given-up": "given_up IS NOT NULL",
} as const;

/** The deliveries in that database. */
export function deliveriesOn(engine: Engine): Deliveries {
  async function select(rest: string, values: readonly (string | number)[]) {
    const rows = await engine.rows({ text: `SELECT ${COLUMNS} FROM deliveries ${rest}`, values });
    return rows.map(toDelivery);
  }
  return {
    async list({ outlet, incidentId, state, limit, offset = 0 }) {
      const parts: [string, string[]][] = [];
      if (outlet !== undefined) parts.push(["outlet = ?", [outlet]]);
      if (incidentId !== undefined) parts.push(["incident_id = ?", [incidentId]]);
      if (state !== undefined) parts.push([STATES[state], []]);
      const where = parts.length > 0 ? `WHERE ${parts.map(([text]) => text).join(" AND ")}` : "";
      const values = parts.flatMap(([, values]) => values);
      const text = `SELECT count(*) FROM deliveries ${where}`;
      const [[total]] = await engine.rows({ text, values });
      const rest = `${where} ORDER BY created DESC, id LIMIT ? OFFSET ?`;
      return { items: await select(rest, [...values, limit, offset]), total: total as number };
    },
    get: async (id) => (await select("WHERE id = ?", [id]))[0],
    async claim({ outlet, holder, now, leaseUntil, most }) {
      const claimed = await engine.transact([{
        text: "WITH free AS MATERIALIZED (SELECT id AS free_id FROM deliveries " +
          "WHERE outlet = ? AND due <= ? AND (lease_until IS NULL OR lease_until <= ?) " +
          "ORDER BY due, id LIMIT ? FOR UPDATE SKIP LOCKED) " +
          "UPDATE deliveries SET lease = ?, lease_until = ?, attempts = attempts + 1 FROM free " +
          `WHERE id = free_id RETURNING ${COLUMNS}`,
        values: [outlet, now, now, most, holder, leaseUntil],
      }]);
      return (claimed?.[0] ?? []).map(toDelivery)
        .toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
    },
    async finish(ids, holder, outcome) {
      const columns = "sent" in outcome
        ? { due: null, sent: outcome.sent, given_up: null, error: null }
        : {
          due: outcome.due,
          sent: null,
          given_up: outcome.due === null ? outcome.failed : null,
          error: outcome.error,
        };
      const sets = Object.keys(columns).map((name) => `${name} = ?`).join(", ");
      const finished = await engine.transact(ids.flatMap((id) => [
        {
          text: `UPDATE deliveries SET ${sets}, lease = NULL, lease_until = NULL ` +
            "WHERE id = ? AND lease = ? RETURNING id",
          values: [...Object.values(columns), id, holder],
        },
        {
          text: "UPDATE deliveries SET sent = ?, given_up = ?, error = ? WHERE carried_by = ?",
          values: [columns.sent ?? null, columns.given_up, columns.error, id],
        },
      ]));
      // Each second one is of what is carried.
      return (finished ?? []).every((rows, at) => at % 2 === 1 || rows.length === 1);
    },
    async carry(carrier, ids, holder) {
      const carried = await engine.transact(ids.map((id) => ({
        text: "UPDATE deliveries SET carried_by = ?, due = NULL, lease = NULL, " +
          "lease_until = NULL WHERE id = ? AND lease = ? RETURNING id",
        values: [carrier, id, holder],
        required: true,
      })));
      return carried !== null;
    },
    carriedBy: (carrier) => select("WHERE carried_by = ? ORDER BY created, id", [carrier]),
    async release(ids, holder) {
      await engine.transact(ids.map((id) => ({
        text: "UPDATE deliveries SET lease = NULL, lease_until = NULL, attempts = attempts - 1 " +
          "WHERE id = ? AND lease = ?",
        values: [id, holder],
      })));
    },
    async replay(id, now) {
      const replayed = await engine.transact([{
        text: "UPDATE deliveries SET due = ?, given_up = NULL, lease = NULL, lease_until = NULL " +
          "WHERE id = coalesce((SELECT carried_by FROM deliveries WHERE id = ?), ?) RETURNING id",
        values: [now, id, id],
        required: true,
      }]);
      return replayed !== null;
    },
    async nextDue(outlets) {
      if (outlets.length === 0) return null;
      const places = outlets.map(() => "?").join(", ");
      const text =
        `SELECT min(due) FROM deliveries WHERE due IS NOT NULL AND outlet IN (${places})`;
      return (await engine.rows({ text, values: outlets }))[0][0] as number | null;
    },
    async forget(before) {
      const text = "DELETE FROM deliveries WHERE due IS NULL AND created < ?";
      await engine.transact([{ text, values: [before] }]);
    },
    async waiting() {
      const text = `SELECT count(*) FROM deliveries WHERE ${STATES.waiting}`;
      return (await engine.rows({ text, values: [] }))[0][0] as number;
    },
  };
}

/** Puts something into the outbox, to be sent from a moment on. */
export function insertDelivery(
  { id, outlet, incidentId, event, created }: NewDelivery,
  due: number,
): Step {
  return {
    text: "INSERT INTO deliveries (id, outlet, incident_id, event, created, due, attempts) " +
      "VALUES (?, ?, ?, ?, ?, ?, 0)",
    values: [id, outlet, incidentId, event, created, due],
  };
}

function toDelivery(row: Row): Delivery {
  return {
    id: row[0] as string,
    outlet: row[1] as string,
    incidentId: row[2] as string | null,
    event: row[3] as string,
    created: row[4] as number,
    due: row[5] as number | null,
    attempts: row[6] as number,
    sent: row[7] as number | null,
    givenUp: row[8] as number | null,
    error: row[9] as string | null,
  };
}
