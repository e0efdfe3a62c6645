/** Owners: who looks after schedules, and the channels by which they are notified. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { foldCase } from "../text.ts";
import { giveUpWaiting, moveWaiting } from "./deliveries.ts";
import { insertInto, recordsOf, select, update, upsert } from "./table.ts";
import { setNumber } from "./values.ts";
import { type Acting, watchEventForEach } from "./watch_events.ts";

/** The kinds of channels. Each owner has at most one of a kind. */
export const CHANNEL_KINDS = ["mail", "slack", "teams", "webhook"] as const;
export type ChannelKind = typeof CHANNEL_KINDS[number];

export interface QuietHours {
  /** Clock times such as `20:00`, in the zone; they may pass midnight. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** Whether critical messages are held too. */
  readonly holdsCritical: boolean;
}

export interface Channel {
  /** Its kind and something random: another secret makes another channel. */
  readonly id: string;
  readonly ownerKey: string;
  readonly kind: ChannelKind;
  /** The part of its secret that may be shown, such as a host. */
  readonly shown: string;
  readonly created: number;
}

/** A channel with its sealed secret, which only holders of `RECORDS_KEY` can open. */
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

/** The name of the value that says since when messages may have to go elsewhere. */
export const ROUTES = "routes/changed";
const OWNERS = recordsOf<StoredOwner>("owners", "key, name, quiet, changed, actor");
const OPEN = "id, owner_key, kind, shown, created";
const CHANNELS = recordsOf<Channel>("channels", OPEN);
const SEALED = recordsOf<SealedChannel>("channels", `${OPEN}, sealed`);

export function ownerKey(name: string): string {
  return foldCase(name.trim());
}

const REMOVED = "The channel was removed";

/** The steps that go with a change of schedules' owners: messages may have to go elsewhere. */
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
  /** For each way in which schedules write an owner's name: those schedules. */
  async function spellings(key: string) {
    const notes = await engine.rows("SELECT DISTINCT note FROM known_schedules") as [string][];
    return notes.filter(([note]) => ownerKey(note) === key)
      .map((values) => ({ text: "WHERE note = ?", values }));
  }
  return {
    list: () => find(""),
    get: async (name: string): Promise<Owner | undefined> =>
      (await find("WHERE key = ?", [ownerKey(name)]))[0],
    /** For each owner, also without channels, how many schedules and open incidents it has. */
    async schedules(sees: (scheduleId: number) => boolean = () => true) {
      const rows = await engine.rows(
        "SELECT w.note, w.schedule_id, (SELECT count(*) FROM incidents i " +
          "WHERE i.schedule_id = w.schedule_id AND i.resolved IS NULL) " +
          "FROM known_schedules w WHERE w.note <> '' ORDER BY w.schedule_id",
      ) as [string, number, number][];
      const byOwner = Map.groupBy(rows.filter(([, id]) => sees(id)), ([name]) => ownerKey(name));
      return new Map([...byOwner].map(([key, all]) => [key, {
        /** The owner's name as a schedule has it. */
        name: all[0][0],
        ids: all.map(([, id]) => id),
        open: all.reduce((sum, [, , open]) => sum + open, 0),
      }]));
    },
    channel: async (id: string): Promise<SealedChannel | undefined> =>
      (await select(engine, SEALED, "WHERE id = ?", [id]))[0],
    sealedChannels: (): Promise<readonly SealedChannel[]> => select(engine, SEALED, ""),
    /** Adds or changes an owner, and replaces channels; one that is null is removed. */
    async save(
      { name, ...owner }: Omit<StoredOwner, "key">,
      channels: Readonly<Partial<Record<ChannelKind, SealedChannel | null>>>,
    ): Promise<void> {
      const key = ownerKey(name);
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
    /** Renames an owner, with its schedules; false if there is none, or another has the name. */
    async rename(
      from: string,
      name: string,
      { actor, now }: Acting,
    ): Promise<boolean> {
      const [key, next] = [ownerKey(from), ownerKey(name)];
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
    /** Removes an owner: its schedules keep its name, and open incidents go to the default outlets. */
    async remove(name: string, { actor, now }: Acting): Promise<boolean> {
      const [owner] = await find("WHERE key = ?", [ownerKey(name)]);
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
