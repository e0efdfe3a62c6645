/** Owners look after schedules, and are notified through channels. */
import type { Actor } from "../../../lib/actor.ts";
import type { Database, Transaction } from "../database/database.ts";
import { FOR_SHARE, insert, set, type Sql, sql, texts, upsert, when } from "../database/sql.ts";
import { nameKey } from "../text.ts";
import { type Acting, eachWatchChanged } from "./events.ts";
import { moveWaiting, sendHeld } from "./messages.ts";
import { commit, readColumn, required, type TransactionStep } from "./transaction_step.ts";

/** Each owner has at most one channel of each kind. */
export const CHANNEL_KINDS = ["mail", "slack", "teams", "webhook"] as const;
export type ChannelKind = typeof CHANNEL_KINDS[number];

export interface QuietHours {
  /** Clock times in the zone, such as `20:00`; the span may include midnight. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly holdsCritical: boolean;
}

export interface Channel {
  /** Its kind and a random part. A channel with a new secret is a new channel. */
  readonly id: string;
  readonly ownerKey: string;
  readonly kind: ChannelKind;
  /** A part of the secret that is not secret, such as a host. */
  readonly hint: string;
  readonly created: number;
}

export interface SealedChannel extends Channel {
  readonly sealed: string;
}

interface StoredOwner {
  /** The name without differences of case. */
  readonly key: string;
  readonly name: string;
  readonly quiet: QuietHours | null;
  readonly changed: number;
  readonly actor: Actor;
}

export interface Owner extends StoredOwner {
  readonly channels: readonly Channel[];
}

export function ownersOn(database: Database) {
  async function find(
    { read }: Pick<Transaction, "read">,
    key?: string,
  ): Promise<readonly Owner[]> {
    // By one statement: an owner who is renamed between two would have no channels.
    const rows = await read<StoredOwner & (Channel | { readonly id: null })>(
      sql`SELECT owners.*, id, owner_key, kind, hint, created
        FROM owners LEFT JOIN channels ON owner_key = key
        ${when(key !== undefined, sql`WHERE key = ${key!}`)} ORDER BY key, kind`,
    );
    return [...Map.groupBy(rows, (row) => row.key).values()].map((all) => {
      const [{ key, name, quiet, changed, actor }] = all;
      const channels = all.flatMap((row) => {
        if (row.id === null) return [];
        const { id, ownerKey, kind, hint, created } = row;
        return [{ id, ownerKey, kind, hint, created }];
      });
      return { key, name, quiet, changed, actor, channels };
    });
  }
  return {
    list: () => find(database),
    get: async (name: string): Promise<Owner | undefined> =>
      (await find(database, nameKey(name)))[0],
    /** The schedules and the open incidents of each owner, including owners without channels. */
    async schedules() {
      const rows = await database.read<{ name: string; id: number; open: number }>(
        sql`SELECT owner AS name, schedule_id AS id, (SELECT count(*) FROM incidents
            WHERE incidents.schedule_id = known_schedules.schedule_id AND resolved IS NULL) AS open
          FROM known_schedules WHERE owner <> '' ORDER BY schedule_id`,
      );
      const byOwner = Map.groupBy(rows, ({ name }) => nameKey(name));
      return new Map([...byOwner].map(([key, all]) => [key, {
        /** The owner's name as written in a schedule. */
        name: all[0].name,
        ids: all.map(({ id }) => id),
        open: all.reduce((sum, { open }) => sum + open, 0),
      }]));
    },
    channel: async (id: string): Promise<SealedChannel | undefined> =>
      (await database.read<SealedChannel>(sql`SELECT * FROM channels WHERE id = ${id}`))[0],
    sealedChannels: (): Promise<readonly SealedChannel[]> =>
      database.read(sql`SELECT * FROM channels ORDER BY id`),
    /** Replaces a sealed secret, unless it was replaced meanwhile. */
    async reseal({ id, sealed }: SealedChannel, next: string): Promise<void> {
      await database.write(
        sql`UPDATE channels SET sealed = ${next} WHERE id = ${id} AND sealed = ${sealed}`,
      );
    },
    /** Adds or changes an owner, and replaces or, with null, removes channels. */
    async save(
      { name, ...owner }: Omit<StoredOwner, "key">,
      channels: Readonly<Partial<Record<ChannelKind, SealedChannel | null>>>,
    ): Promise<void> {
      const key = nameKey(name);
      await database.transaction(async (transaction) => {
        const [before] = await find(transaction, key);
        await transaction.write(upsert("owners", [{ ...owner, key, name }], ["key"]));
        for (const channel of before?.channels ?? []) {
          if (owner.quiet === null) await sendHeld(channel.id, owner.changed)(transaction);
          const next = channels[channel.kind];
          if (next !== undefined) await endChannel(transaction, channel, next, owner.changed);
        }
        const added = Object.values(channels).filter((channel) => channel !== null);
        if (added.length > 0) await transaction.write(insert("channels", added));
      });
    },
    /** Renames an owner and in its schedules; false if there is none, or the name is taken. */
    rename(from: string, name: string, { actor, now }: Acting): Promise<boolean> {
      const [key, next] = [nameKey(from), nameKey(name)];
      return commit(database, [
        async (transaction) => next === key || (await find(transaction, next)).length === 0,
        required(
          sql`UPDATE owners SET ${set({ key: next, name, changed: now, actor })}
            WHERE key = ${key}`,
        ),
        async (transaction) => {
          await transaction.write(
            sql`UPDATE channels SET owner_key = ${next} WHERE owner_key = ${key}`,
          );
          const isOwned = await hasOwner(transaction, key);
          await eachWatchChanged({ actor, now, note: `Owner: ${name}` }, isOwned)(
            transaction,
          );
          await transaction.write(sql`UPDATE known_schedules SET owner = ${name} WHERE ${isOwned}`);
        },
      ]);
    },
    /** Removes an owner. Its schedules keep the name; open incidents go to the default outlets. */
    remove: (name: string, { actor, now }: Acting): Promise<boolean> =>
      commit(database, [async (transaction) => {
        const [owner] = await find(transaction, nameKey(name));
        if (!owner) return false;
        const { key, channels } = owner;
        await transaction.write(sql`DELETE FROM owners WHERE key = ${key}`);
        for (const channel of channels) await endChannel(transaction, channel, null, now);
        const note = `Owner removed: ${owner.name}`;
        const isOwned = await hasOwner(transaction, key);
        await eachWatchChanged({ actor, now, note }, isOwned)(transaction);
      }]),
  };
}

/** Undoes the transaction if a channel's owner was changed since; until it ends, nobody else can. */
export function requireChannel(id: string, changed: number): TransactionStep {
  return async ({ read }) => {
    const owner = sql`SELECT 1 FROM owners WHERE changed = ${changed}
      AND key = (SELECT owner_key FROM channels WHERE id = ${id}) ${FOR_SHARE}`;
    return (await read(owner)).length > 0;
  };
}

/** The condition that a schedule has an owner, whose name may have several spellings. */
async function hasOwner(transaction: Transaction, key: string): Promise<Sql> {
  const owners = sql`SELECT DISTINCT owner FROM known_schedules`;
  const spellings = await readColumn<string>(transaction, owners);
  return sql`owner IN ${texts(spellings.filter((owner) => nameKey(owner) === key))}`;
}

async function endChannel(
  transaction: Transaction,
  { id }: Channel,
  next: Channel | null,
  now: number,
): Promise<void> {
  await transaction.write(sql`DELETE FROM channels WHERE id = ${id}`);
  const ended = { error: "The channel was removed", now };
  await moveWaiting(id, next?.id ?? null, ended)(transaction);
}
