/** Owners look after schedules, and are notified through channels. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { nameKey } from "../text.ts";
import { giveUpWaiting, moveWaiting } from "./deliveries.ts";
import { insertInto, recordsOf, select, update, upsert } from "./table.ts";
import { setNumber } from "./values.ts";
import { type Acting, watchEventForEach } from "./watch_events.ts";

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
  readonly key: string;
  readonly name: string;
  readonly quiet: QuietHours | null;
  readonly changed: number;
  readonly actor: Actor;
}

export interface Owner extends StoredOwner {
  readonly channels: readonly Channel[];
}

/** The name of the stored time when owners last changed: waiting messages may need another channel. */
export const ROUTES = "routes/changed";
const OWNERS = recordsOf<StoredOwner>("owners", "key, name, quiet, changed, actor");
const COLUMNS = "id, owner_key, kind, hint, created";
const CHANNELS = recordsOf<Channel>("channels", COLUMNS);
const SEALED = recordsOf<SealedChannel>("channels", `${COLUMNS}, sealed`);

const REMOVED = "The channel was removed";

export function routesChanged(now: number): TransactionStep {
  return setNumber(ROUTES, now);
}

export function ownersOn(engine: Engine) {
  async function find(where: string, values?: readonly string[]): Promise<readonly Owner[]> {
    const [owners, channels] = await Promise.all([
      select(engine, OWNERS, `${where} ORDER BY key`, values),
      select(engine, CHANNELS, `${where.replace("key", "owner_key")} ORDER BY kind`, values),
    ]);
    const byOwner = Map.groupBy(channels, (channel) => channel.ownerKey);
    return owners.map((owner) => ({ ...owner, channels: byOwner.get(owner.key) ?? [] }));
  }
  /** A condition for each spelling of an owner's name in schedules. */
  async function spellings(key: string) {
    const notes = await engine.rows("SELECT DISTINCT note FROM known_schedules") as [string][];
    return notes.filter(([note]) => nameKey(note) === key)
      .map((values) => ({ text: "WHERE note = ?", values }));
  }
  return {
    list: () => find(""),
    get: async (name: string): Promise<Owner | undefined> =>
      (await find("WHERE key = ?", [nameKey(name)]))[0],
    /** The schedules and the open incidents of each owner, including owners without channels. */
    async schedules() {
      const rows = await engine.rows(
        "SELECT w.note, w.schedule_id, (SELECT count(*) FROM incidents i " +
          "WHERE i.schedule_id = w.schedule_id AND i.resolved IS NULL) " +
          "FROM known_schedules w WHERE w.note <> '' ORDER BY w.schedule_id",
      ) as [string, number, number][];
      const byOwner = Map.groupBy(rows, ([name]) => nameKey(name));
      return new Map([...byOwner].map(([key, all]) => [key, {
        /** The owner's name as written in a schedule. */
        name: all[0][0],
        ids: all.map(([, id]) => id),
        open: all.reduce((sum, [, , open]) => sum + open, 0),
      }]));
    },
    channel: async (id: string): Promise<SealedChannel | undefined> =>
      (await select(engine, SEALED, "WHERE id = ?", [id]))[0],
    sealedChannels: (): Promise<readonly SealedChannel[]> => select(engine, SEALED, ""),
    /** Adds or changes an owner, and replaces or, with null, removes channels. */
    async save(
      { name, ...owner }: Omit<StoredOwner, "key">,
      channels: Readonly<Partial<Record<ChannelKind, SealedChannel | null>>>,
    ): Promise<void> {
      const key = nameKey(name);
      const before = await find("WHERE key = ?", [key]);
      await engine.transact([
        upsert("owners", { ...owner, key, name }),
        ...before.flatMap((each) => each.channels).flatMap((channel) => {
          const next = channels[channel.kind];
          return next === undefined ? [] : endOfChannel(channel, next, owner.changed);
        }),
        ...Object.values(channels).flatMap((channel) =>
          channel ? [insertInto("channels", channel)] : []
        ),
        routesChanged(owner.changed),
      ]);
    },
    /** Renames an owner and in its schedules; false if there is none, or the name is taken. */
    async rename(
      from: string,
      name: string,
      { actor, now }: Acting,
    ): Promise<boolean> {
      const [key, next] = [nameKey(from), nameKey(name)];
      if (next !== key && (await find("WHERE key = ?", [next])).length > 0) return false;
      const owner = { key: next, name, changed: now, actor };
      const renamed = await engine.transact([
        { ...update("owners", owner, "WHERE key = ? RETURNING key", [key]), required: true },
        update("channels", { ownerKey: next }, "WHERE owner_key = ?", [key]),
        ...(await spellings(key)).flatMap((where) => [
          watchEventForEach("watch changed", { actor, now, note: `Owner: ${name}` }, where),
          update("known_schedules", { note: name }, where.text, where.values),
        ]),
        routesChanged(now),
      ]);
      return renamed !== null;
    },
    /** Removes an owner. Its schedules keep the name; open incidents go to the default outlets. */
    async remove(name: string, { actor, now }: Acting): Promise<boolean> {
      const [owner] = await find("WHERE key = ?", [nameKey(name)]);
      if (!owner) return false;
      const note = `Owner removed: ${owner.name}`;
      await engine.transact([
        { text: "DELETE FROM owners WHERE key = ?", values: [owner.key] },
        ...owner.channels.flatMap((channel) => endOfChannel(channel, null, now)),
        ...(await spellings(owner.key)).map((where) =>
          watchEventForEach("watch changed", { actor, now, note }, where)
        ),
        routesChanged(now),
      ]);
      return true;
    },
  };
}

function endOfChannel({ id }: Channel, next: Channel | null, now: number): TransactionStep[] {
  return [
    { text: "DELETE FROM channels WHERE id = ?", values: [id] },
    next ? moveWaiting(id, next.id) : giveUpWaiting(id, REMOVED, now),
  ];
}
