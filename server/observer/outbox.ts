/** Sends what is in the outbox, and retries what was not accepted. */
import type { TransactionStep } from "../store/engine.ts";
import { dropHeld, insertDelivery } from "../store/observer/deliveries.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import type { Delivery } from "../store/observer/types.ts";
import type { OutletEvent } from "./event.ts";
import { LONGEST_SEND_MS, type Message, type Outlet, OutletError } from "./outlets/outlet.ts";

/** The waits between attempts, in milliseconds; the last one repeats. */
const WAITS_MS = [10, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * 1000);
/** The longest wait, including the random part. */
export const LONGEST_WAIT_MS = 1.1 * WAITS_MS.at(-1)!;
/** How long a delivery is retried. */
export const TRIED_FOR_MS = 48 * 3_600_000;
/** How long one attempt may take before another instance takes it over. */
const LEASE_MS = 60_000;
/** How many messages of an outlet are claimed at a time. */
const MOST_CLAIMED = 100;
/** No message is started later than this in a lease, since it may take the longest time. */
const STARTED_WITHIN_MS = LEASE_MS - LONGEST_SEND_MS;

/** A new message id. */
export function newDeliveryId(): string {
  return `msg_${crypto.randomUUID().replaceAll("-", "")}`;
}

/** An outlet for which messages are queued. */
export interface Route extends Pick<Outlet, "name" | "collectMs"> {
  /** Until when its owner's quiet hours hold a message; null or nothing if they don't. */
  readonly heldUntil?: number | null;
}

/** The steps that put an event into the outbox of every outlet. */
export function deliverySteps(
  event: OutletEvent,
  routes: readonly Route[],
  { incidentId, now }: { readonly incidentId: string | null; readonly now: number },
): TransactionStep[] {
  return routes.flatMap(({ name, collectMs, heldUntil = null }) => [
    ...incidentId === null ? [] : [dropHeld(name, incidentId, now)],
    insertDelivery({
      id: newDeliveryId(),
      outlet: name,
      incidentId,
      event: JSON.stringify(event),
      created: now,
      heldUntil,
    }, heldUntil ?? now + collectMs),
  ]);
}

/** When to retry after this many attempts; null if it was tried long enough. */
export function nextAttempt(
  { attempts, created }: Pick<Delivery, "attempts" | "created">,
  { now, random, retryAfterMs = 0 }: {
    readonly now: number;
    /** From 0 to 1, to spread retries of messages that failed together. */
    readonly random: number;
    readonly retryAfterMs?: number;
  },
): number | null {
  const wait = WAITS_MS[Math.min(Math.max(attempts, 1), WAITS_MS.length) - 1];
  const next = now +
    Math.max(wait * (0.9 + 0.2 * random), Math.min(retryAfterMs, WAITS_MS.at(-1)!));
  return next - created > TRIED_FOR_MS ? null : Math.round(next);
}

/** The outbox of one instance. */
export interface Outbox {
  /** Sends what is due by an outlet, once; returns how many messages were tried. */
  sendDue(outlet: Outlet): Promise<number>;
}

/** Creates the outbox that is stored in `records`. */
export function createOutbox(
  { records: { deliveries, values }, holder, now, earlyMs = 0, random = Math.random, onProblem }: {
    readonly records: ObserverRecords;
    /** Names this instance. */
    readonly holder: string;
    readonly now: () => number;
    /** How early messages are sent, in milliseconds. */
    readonly earlyMs?: number;
    readonly random?: () => number;
    /** Called when an attempt failed, or did not reach everybody. */
    readonly onProblem: (what: string, reason: string) => void;
  },
): Outbox {
  /** What to send: if the outlet keeps a state, always the incident's latest change. */
  async function messageOf(
    outlet: Outlet,
    { id, incidentId, event, heldUntil }: Delivery,
  ): Promise<Message> {
    const latest = outlet.keepsState && incidentId !== null
      ? (await deliveries.list({ outlet: outlet.name, incidentId, limit: 1 })).items[0]
      : undefined;
    return { id, event: JSON.parse(latest?.event ?? event), isHeld: heldUntil !== null };
  }

  /** Sends events as one message, for which the rows `tried` were claimed. */
  async function attempt(
    outlet: Outlet,
    tried: readonly Delivery[],
    events: readonly Delivery[],
  ): Promise<void> {
    const ids = tried.map(({ id }) => id);
    let outcome: string;
    try {
      const messages = await Promise.all(events.map((each) => messageOf(outlet, each)));
      const unreached = await outlet.send(messages, now()) ?? null;
      const sent = { due: null, sent: now(), givenUp: null, error: unreached };
      await deliveries.finish(ids, holder, sent);
      if (unreached) onProblem(`A delivery by ${outlet.name} did not reach everybody`, unreached);
      outcome = "sent";
    } catch (error) {
      if (!(error instanceof OutletError)) throw error;
      const { message, retryAfterMs } = error;
      const at = now();
      const chance = random();
      const dues = tried.map((each) =>
        nextAttempt(each, { now: at, random: chance, retryAfterMs })
      );
      for (const [index, due] of dues.entries()) {
        const failed = { due, sent: null, givenUp: due === null ? at : null, error: message };
        await deliveries.finish([ids[index]], holder, failed);
      }
      outcome = dues.includes(null) ? "given_up" : "failed";
      onProblem(`A delivery by ${outlet.name} failed`, message);
    }
    await values.add(new Map([[`count/deliveries/${outlet.name}/${outcome}`, events.length]]));
  }

  /** Sends each group as one message, which has the same events at each attempt. */
  async function sendGrouped(
    outlet: Outlet,
    groupOf: (event: OutletEvent) => string,
    claimed: readonly Delivery[],
    at: number,
  ): Promise<void> {
    const groups = [
      ...Map.groupBy(
        claimed,
        ({ id, attempts, event, heldUntil }) =>
          attempts > 1
            ? id
            : heldUntil !== null
            ? "held"
            : `first attempt of ${groupOf(JSON.parse(event))}`,
      ).values(),
    ];
    const messages = groups.flatMap((group) => pieces(group, outlet.mostAtOnce));
    for (const [place, [carrier, ...others]] of messages.entries()) {
      if (now() - at > STARTED_WITHIN_MS) {
        await deliveries.release(messages.slice(place).flat().map(({ id }) => id), holder);
        return;
      }
      if (others.length > 0) {
        const ids = others.map(({ id }) => id);
        // If the lease was lost, another instance groups them.
        if (!await deliveries.carry(carrier.id, ids, holder)) continue;
      }
      const carried = await deliveries.carriedBy(carrier.id);
      await attempt(outlet, [carrier], [carrier, ...carried]);
    }
  }

  return {
    async sendDue(outlet) {
      const at = now();
      const dueBy = at + earlyMs;
      const claim = { outlet: outlet.name, holder, now: at, dueBy, leaseUntil: at + LEASE_MS };
      const claimed = await deliveries.claim({ ...claim, most: MOST_CLAIMED });
      if (outlet.groupOf) {
        await sendGrouped(outlet, outlet.groupOf, claimed, at);
      } else {
        for (const piece of pieces(claimed, outlet.mostAtOnce)) await attempt(outlet, piece, piece);
      }
      return claimed.length;
    },
  };
}

function pieces<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}
