/** Sends the messages in the outbox, and retries those that were not accepted. */
import { HOUR, MINUTE } from "../../lib/time_units.ts";
import type { TransactionStep } from "../store/records/transaction_step.ts";
import { dropHeld, queueMessage, type StoredMessage } from "../store/records/messages.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { OutletEvent } from "./event.ts";
import { LONGEST_SEND_MS, type Message, type Outlet, OutletError } from "./outlets/outlet.ts";

/** The pauses between attempts, in milliseconds; the last one repeats. */
const WAITS_MS = [10, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * 1000);
export const LONGEST_WAIT_MS = 1.1 * WAITS_MS.at(-1)!;
export const TRIED_FOR_MS = 48 * HOUR;
/** How long one attempt may take before another instance takes it over. */
const LEASE_MS = MINUTE;
const MAX_CLAIMED = 100;
/** Later in a lease, no attempt is started, because it could outlast the lease. */
const STARTED_WITHIN_MS = LEASE_MS - LONGEST_SEND_MS;

export function newDeliveryId(): string {
  return `msg_${crypto.randomUUID().replaceAll("-", "")}`;
}

export interface Route extends Pick<Outlet, "name" | "collectMs"> {
  /** Until when the owner's quiet hours hold a message. */
  readonly heldUntil?: number | null;
}

export function deliverySteps(
  event: OutletEvent,
  routes: readonly Route[],
  { incidentId, now }: { readonly incidentId: string | null; readonly now: number },
): TransactionStep[] {
  return routes.flatMap(({ name, collectMs, heldUntil = null }) => [
    ...incidentId === null ? [] : [dropHeld(name, incidentId, now)],
    queueMessage({
      id: newDeliveryId(),
      outlet: name,
      incidentId,
      event: JSON.stringify(event),
      created: now,
      heldUntil,
    }, heldUntil ?? now + collectMs),
  ]);
}

/** When to retry after this many attempts; null to give up. */
export function nextAttempt(
  { attempts, created }: Pick<StoredMessage, "attempts" | "created">,
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

export function createOutbox(
  { records: { messages, counters }, holder, now, earlyMs = 0, random = Math.random, onProblem }: {
    readonly records: ObserverRecords;
    readonly holder: string;
    readonly now: () => number;
    readonly earlyMs?: number;
    readonly random?: () => number;
    readonly onProblem: (message: string, reason: string) => void;
  },
) {
  /** The message to send. An outlet that repeats incidents always sends the latest change of one. */
  async function messageOf(
    outlet: Outlet,
    { id, incidentId, event, heldUntil }: StoredMessage,
  ): Promise<Message> {
    const latest = outlet.repeat && incidentId !== null
      ? (await messages.list({ outlet: outlet.name, incidentId, limit: 1 })).items[0]
      : undefined;
    return { id, event: JSON.parse(latest?.event ?? event), isHeld: heldUntil !== null };
  }

  /** Sends a claimed delivery, and those that are merged into it, as one message. */
  async function attempt(outlet: Outlet, delivery: StoredMessage): Promise<void> {
    const events = [delivery, ...await messages.mergedInto(delivery.id)];
    let outcome: string;
    try {
      const sent = await Promise.all(events.map((each) => messageOf(outlet, each)));
      const unreached = await outlet.send(sent, now()) ?? null;
      const finished = { due: null, sent: now(), givenUp: null, error: unreached };
      await messages.finish(delivery.id, holder, finished);
      if (unreached) onProblem(`A delivery by ${outlet.name} did not reach everybody`, unreached);
      outcome = "sent";
    } catch (error) {
      if (!(error instanceof OutletError)) throw error;
      const { message, retryAfterMs } = error;
      const at = now();
      const due = nextAttempt(delivery, { now: at, random: random(), retryAfterMs });
      const failed = { due, sent: null, givenUp: due === null ? at : null, error: message };
      await messages.finish(delivery.id, holder, failed);
      outcome = due === null ? "given_up" : "failed";
      onProblem(`A delivery by ${outlet.name} failed`, message);
    }
    const count = events.length;
    await counters.add([{ counted: "messages", outlet: outlet.name, outcome, count }]);
  }

  return {
    /** Tries each due delivery of an outlet once; returns how many were tried. */
    async sendDue(outlet: Outlet): Promise<number> {
      const at = now();
      const claimed = await messages.claim({
        outlet: outlet.name,
        holder,
        now: at,
        dueBy: at + earlyMs,
        leaseUntil: at + LEASE_MS,
        max: MAX_CLAIMED,
      });
      // A group becomes one message, which has the same events in each attempt.
      const groups = Map.groupBy(
        claimed,
        ({ id, attempts, event, heldUntil }) =>
          attempts > 1
            ? id
            : heldUntil !== null
            ? "held"
            : `first attempt of ${outlet.groupOf(JSON.parse(event))}`,
      );
      for (const [delivery, ...others] of groups.values()) {
        const ids = others.map(({ id }) => id);
        if (now() - at > STARTED_WITHIN_MS) {
          await messages.release([delivery.id, ...ids], holder);
          continue;
        }
        // If the lease was lost, another instance groups them.
        const isLost = ids.length > 0 && !await messages.merge(delivery.id, ids, holder);
        if (!isLost) await attempt(outlet, delivery);
      }
      return claimed.length;
    },
  };
}
