/** The outbox: messages to outlets that are waiting, were sent, or were given up. */
import { MINUTE } from "../../../lib/time_units.ts";
import type { Database } from "../database/database.ts";
import {
  FOR_UPDATE_SKIP_LOCKED,
  insert,
  set,
  type Sql,
  sql,
  texts,
  upsert,
  when,
} from "../database/sql.ts";
import {
  commit,
  isUnleased,
  optional,
  type Page,
  readColumn,
  readPage,
  required,
  type TransactionStep,
  UNLEASED,
  write,
} from "./transaction_step.ts";

interface NewMessage {
  /** The same for each attempt, so that receivers recognize repeats. */
  readonly id: string;
  readonly outlet: string;
  readonly incidentId: string | null;
  readonly event: string;
  readonly created: number;
  readonly heldUntil?: number | null;
}

/** A message in the outbox; times are milliseconds since 1970. */
export interface StoredMessage extends NewMessage {
  readonly heldUntil: number | null;
  /** When the next attempt is due; null if it was sent or given up. */
  readonly due: number | null;
  readonly attempts: number;
  readonly sent: number | null;
  readonly givenUp: number | null;
  readonly error: string | null;
}

export interface ListedMessage extends StoredMessage {
  /** False while an earlier message of its incident must be sent first. */
  readonly isInTurn: boolean;
}

/** Whether an outlet works; times are milliseconds since 1970. */
export interface OutletHealth {
  readonly outlet: string;
  readonly sent: number | null;
  readonly waiting: number;
  /** Since when the oldest waiting message that failed could be sent; null if there is none. */
  readonly failingSince: number | null;
  /** Since when the oldest waiting message could have been sent; null if none is waiting. */
  readonly waitingSince: number | null;
  /** When a message was last given up; null for never. */
  readonly givenUp: number | null;
}

const UNSENT = sql`(due IS NOT NULL OR sent IS NULL)`;
const IS_WAITING = sql`(${UNSENT} AND given_up IS NULL)`;
const IS_GIVEN_UP = sql`${UNSENT} AND given_up IS NOT NULL`;
const STATES = {
  all: sql`TRUE`,
  waiting: IS_WAITING,
  sent: sql`sent IS NOT NULL AND due IS NULL`,
  "given-up": IS_GIVEN_UP,
} as const;

/** No earlier message about the incident is waiting: "resolved" must not come before "opened". */
const IS_IN_TURN = sql`NOT EXISTS (SELECT 1 FROM messages AS earlier
  WHERE incident_id = messages.incident_id AND outlet = messages.outlet
  AND created < messages.created AND ${IS_WAITING})`;

/**
 * How long messages wait for the end of a round of polls, so that all that it changes is one message.
 * They also stop waiting if the service asks for a pause.
 */
const COLLECTED_MS = MINUTE;

/** Marks the outlet of what was sent while it had another receiver. */
const EARLIER = " (earlier address)";

/** What may be sent: a test, what has waited for long enough, or all if no poll is due or goes on. */
function isSendable(now: number): Sql {
  return sql`due <= ${now} AND ${isUnleased(now)} AND ${IS_IN_TURN}
    AND (incident_id IS NULL OR created <= ${now - COLLECTED_MS} OR NOT EXISTS
      (SELECT 1 FROM watches WHERE watches.due <= ${now} OR watches.lease_until > ${now})
      OR EXISTS (SELECT 1 FROM service WHERE paused_until > ${now}))`;
}

/** From when a message could be sent. */
const SENDABLE_SINCE = sql`coalesce(held_until, created)`;

const HEALTH = sql`max(sent) AS sent, count(CASE WHEN ${IS_WAITING} THEN 1 END) AS waiting,
  min(CASE WHEN ${IS_WAITING} AND error IS NOT NULL THEN ${SENDABLE_SINCE} END) AS failing_since,
  min(CASE WHEN ${IS_WAITING} THEN ${SENDABLE_SINCE} END) AS waiting_since,
  max(CASE WHEN ${IS_GIVEN_UP} THEN given_up END) AS given_up`;

export function messagesOn(database: Database) {
  return {
    /** A page of messages, newest first, but of `all` those that failed first; and how many match. */
    list: ({ outlet, incidentId, state, ...page }: Page & {
      readonly outlet?: string;
      readonly incidentId?: string;
      readonly state?: keyof typeof STATES;
    }) =>
      readPage<ListedMessage>(database, {
        columns: sql`messages.*, CASE WHEN ${IS_IN_TURN} THEN 1 ELSE 0 END AS is_in_turn`,
        rows: sql`messages`,
        conditions: [
          ...optional(outlet, (outlet) => sql`outlet = ${outlet}`),
          ...optional(incidentId, (id) => sql`incident_id = ${id}`),
          ...optional(state, (state) => STATES[state]),
        ],
        order: sql`${when(state === "all", sql`(${IS_GIVEN_UP}) DESC,`)} created DESC, id`,
        page,
      }),
    health: (): Promise<readonly OutletHealth[]> =>
      database.read(
        sql`SELECT outlet, ${HEALTH} FROM messages GROUP BY outlet ORDER BY outlet`,
      ),
    /** The health of each outlet for each of these incidents. */
    healthByIncident: (
      ids: readonly string[],
    ): Promise<readonly (OutletHealth & { readonly incidentId: string })[]> =>
      database.read(sql`SELECT outlet, incident_id, ${HEALTH} FROM messages
        WHERE incident_id IN ${texts(ids)} GROUP BY outlet, incident_id ORDER BY outlet`),
    /** Leases messages that are due and whose turn it is, oldest first. */
    async claim({ outlet, holder, now, leaseUntil, max }: {
      readonly outlet: string;
      readonly holder: string;
      readonly now: number;
      readonly leaseUntil: number;
      readonly max: number;
    }): Promise<readonly StoredMessage[]> {
      const { rows } = await database.write<StoredMessage>(
        sql`WITH free AS MATERIALIZED (SELECT id AS free_id FROM messages
          WHERE outlet = ${outlet} AND ${isSendable(now)}
          ORDER BY due, id LIMIT ${max} ${FOR_UPDATE_SKIP_LOCKED})
          UPDATE messages SET lease = ${holder}, lease_until = ${leaseUntil}, attempts = attempts + 1
          FROM free WHERE id = free_id RETURNING *`,
      );
      return rows.toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
    },
    /** Stores the outcome of an attempt, also for merged messages, unless the lease was lost. */
    async finish(
      id: string,
      holder: string,
      { due, ...outcome }: Pick<StoredMessage, "due" | "sent" | "givenUp" | "error">,
    ): Promise<void> {
      await commit(database, [
        required(
          sql`UPDATE messages SET ${set({ ...outcome, due, ...UNLEASED })}
            WHERE id = ${id} AND lease = ${holder}`,
        ),
        write(sql`UPDATE messages SET ${set(outcome)} WHERE merged_into = ${id}`),
      ]);
    },
    /** Merges leased messages into one: the receiver only sees its id. False if a lease was lost. */
    merge: (into: string, ids: readonly string[], holder: string): Promise<boolean> =>
      commit(database, [async (transaction) => {
        const merged = set({ mergedInto: into, due: null, ...UNLEASED });
        const { changed } = await transaction.write(
          sql`UPDATE messages SET ${merged} WHERE lease = ${holder} AND id IN ${texts(ids)}`,
        );
        return changed === ids.length;
      }]),
    mergedInto: (id: string): Promise<readonly StoredMessage[]> =>
      database.read(
        sql`SELECT * FROM messages WHERE merged_into = ${id} ORDER BY created, id`,
      ),
    /** All about these incidents, the newest first. */
    about: (incidentIds: readonly string[]) =>
      database.read<StoredMessage & { readonly incidentId: string }>(
        sql`SELECT * FROM messages WHERE incident_id IN ${texts(incidentIds)}
          ORDER BY created DESC, id`,
      ),
    /** Holds what is due about an incident for a minute; not a message about several, or sent again. */
    async hold(outlet: string, incidentId: string, now: number): Promise<void> {
      // `dropHeld` leaves it alone: it removes only what is held until later than now.
      await database.write(
        sql`UPDATE messages SET ${set({ due: now + MINUTE, heldUntil: now })}
          WHERE outlet = ${outlet} AND incident_id = ${incidentId} AND due <= ${now} AND sent IS NULL
          AND NOT EXISTS (SELECT 1 FROM messages AS other WHERE other.merged_into = messages.id)`,
      );
    },
    async release(ids: readonly string[], holder: string): Promise<void> {
      await database.write(
        sql`UPDATE messages SET ${set(UNLEASED)}, attempts = attempts - 1
          WHERE lease = ${holder} AND id IN ${texts(ids)}`,
      );
    },
    /** Sends a message again, or the one that it was merged into; false if there is none. */
    async sendAgain(id: string, now: number): Promise<boolean> {
      const { changed } = await database.write(
        sql`UPDATE messages SET ${set({ due: now, givenUp: null, ...UNLEASED })},
          outlet = replace(outlet, ${EARLIER}, '')
          WHERE id = coalesce((SELECT merged_into FROM messages WHERE id = ${id}), ${id})`,
      );
      return changed > 0;
    },
    /** Gives up what has waited since a time for other outlets; returns how many messages of each. */
    async giveUpUntried({ since, outlets, error, now }: {
      readonly since: number;
      readonly outlets: readonly string[];
      readonly error: string;
      readonly now: number;
    }): Promise<ReadonlyMap<string, number>> {
      const { rows } = await database.write<{ outlet: string }>(
        sql`UPDATE messages SET ${set({ due: null, givenUp: now, error })}
          WHERE ${IS_WAITING} AND created <= ${since} AND outlet NOT IN ${texts(["", ...outlets])}
          AND ${isUnleased(now)} RETURNING outlet`,
      );
      const byOutlet = Map.groupBy(rows, ({ outlet }) => outlet);
      return new Map([...byOutlet].map(([outlet, all]) => [outlet, all.length]));
    },
    /** Removes old messages that were sent or given up, except those of open incidents. */
    async removeBefore(time: number): Promise<void> {
      await database.write(
        sql`DELETE FROM messages WHERE due IS NULL AND created < ${time} AND NOT EXISTS
          (SELECT 1 FROM incidents WHERE id = incident_id AND resolved IS NULL)`,
      );
    },
    dueOutlets: (now: number): Promise<readonly string[]> =>
      readColumn(database, sql`SELECT DISTINCT outlet FROM messages WHERE ${isSendable(now)}`),
  };
}

/** Queues a message as the newest of its incident, even if the clock was set back. */
export function queueMessage(
  { id, outlet, incidentId, event, created, heldUntil = null }: NewMessage,
  due: number,
): TransactionStep {
  return write(
    sql`INSERT INTO messages (id, outlet, incident_id, event, held_until, due, attempts, created)
      VALUES (${id}, ${outlet}, ${incidentId}, ${event}, ${heldUntil}, ${due}, 0, coalesce(
        (SELECT max(created) + 1 FROM messages WHERE incident_id = ${incidentId}
          AND outlet = ${outlet} AND created >= ${created}), ${created}))`,
  );
}

/** Removes an incident's messages that quiet hours hold, because a later one replaces them. */
export function dropHeld(outlet: string, incidentId: string, now: number): TransactionStep {
  return write(
    sql`DELETE FROM messages WHERE incident_id = ${incidentId} AND outlet = ${outlet}
      AND held_until > ${now} AND attempts = 0`,
  );
}

/** Sends what quiet hours hold, as there are none any more. */
export function sendHeld(outlet: string, now: number): TransactionStep {
  return write(
    sql`UPDATE messages SET ${set({ due: now, heldUntil: now })}
      WHERE outlet = ${outlet} AND held_until > ${now} AND attempts = 0`,
  );
}

/**
 * Removes what waits to be sent about an incident, except what an outlet lacks of what another was sent.
 * Required, and not done if something is being sent at this moment or was since then, or if one of the
 * messages is part of a message about several.
 */
export function dropWaiting(incidentId: string, now: number): TransactionStep {
  return required(
    sql`DELETE FROM messages WHERE incident_id = ${incidentId} AND sent IS NULL
      AND given_up IS NULL AND ${isUnleased(now)}
      AND NOT EXISTS (SELECT 1 FROM messages AS own JOIN messages AS other
        ON other.incident_id = own.incident_id WHERE own.incident_id = ${incidentId}
        AND own.outlet = messages.outlet AND own.sent IS NOT NULL
        AND other.sent IS NOT NULL AND other.created >= messages.created)
      AND NOT EXISTS (SELECT 1 FROM messages AS each WHERE incident_id = ${incidentId}
        AND (sent >= ${now} OR lease_until > ${now} OR sent IS NULL AND (merged_into IS NOT NULL
          OR EXISTS (SELECT 1 FROM messages AS other WHERE other.merged_into = each.id))))`,
  );
}

/** Moves what waits for an outlet to another one, or with null gives it up. */
export function moveWaiting(
  outlet: string,
  to: string | null,
  { error, now }: { readonly error: string; readonly now: number },
): TransactionStep {
  const changes = to === null ? { due: null, givenUp: now, error } : { outlet: to };
  return write(
    sql`UPDATE messages SET ${set(changes)} WHERE outlet = ${outlet} AND ${IS_WAITING}`,
  );
}

/** An outlet in the settings of a process. */
export interface RegisteredOutlet {
  readonly name: string;
  /** Whether it also sends critical incidents of schedules with an owner. */
  readonly takesCritical: boolean;
}

export function outletsOn(database: Database) {
  return {
    /** The outlets that a process had after a time. */
    seenAfter: (time: number): Promise<readonly RegisteredOutlet[]> =>
      database.read(
        sql`SELECT name, max(takes_critical) AS takes_critical
          FROM outlets WHERE seen > ${time} GROUP BY name ORDER BY name`,
      ),
    /** Stores that a process has an outlet with this receiver. */
    async register(
      outlet: RegisteredOutlet & { readonly receiver: string; readonly seen: number },
    ): Promise<void> {
      const isNew = await commit(database, [
        required(sql`${insert("outlets", [outlet])} ON CONFLICT DO NOTHING`),
        // What is open was sent to another receiver. It is queued for this one, as for a new outlet.
        write(
          sql`UPDATE messages SET outlet = ${outlet.name + EARLIER} WHERE outlet = ${outlet.name}
            AND sent IS NOT NULL
            AND incident_id IN (SELECT id FROM incidents WHERE said = 'open')`,
        ),
      ]);
      if (!isNew) await database.write(upsert("outlets", [outlet], ["name", "receiver"]));
    },
  };
}
