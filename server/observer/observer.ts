/**
 * The observer of one instance: it claims what is due, looks, sends what the outbox holds, and does
 * its share of the duties. What is due stands in the database, so any number of instances share it.
 */
import type { LeasedWatch } from "../store/observer/types.ts";
import { MOST_LOOKS } from "../store/observer/watches.ts";
import { createDuties, type Duties } from "./duties.ts";
import { look, type LookServices } from "./looking/look.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import type { Outlet } from "./outlets/outlet.ts";

/** What the observer needs. */
export interface ObserverServices extends LookServices {
  readonly outlets: readonly Outlet[];
  readonly heartbeatUrl: string | null;
  /** Called with what is worth a line of the log. */
  readonly onEvent: (level: "info" | "warn" | "error", message: string, reason?: string) => void;
}

/** The observer of one instance. */
export interface Observer {
  /** Looks at everything that is due, and at what becomes due meanwhile; gives how many looks. */
  lookAtDue(signal?: AbortSignal): Promise<number>;
  /** Sends what is due; gives how many messages were tried. */
  sendDue(): Promise<number>;
  /** Does the duties that are due: heartbeat, repeated alerts, tidying. */
  doDuties(): Promise<void>;
}

const PAUSE = "service/paused-until";

/** How long the loop rests: what is due within this time is done within this time. */
const TICK_MS = 1000;

/**
 * How long after the last sign of an instance another one takes its looks over. An instance that is
 * killed also keeps as many places among the looks at once.
 */
const LEASE_MS = 12_000;
/** How often leases are renewed while looks go on. */
const RENEWAL_MS = 3000;

/** The observer that works on those records. */
export function createObserver(services: ObserverServices): Observer {
  const { records, access, outlets, now, onEvent } = services;
  const instance = crypto.randomUUID();
  let claims = 0;
  const outbox: Outbox = createOutbox({
    records,
    outlets,
    holder: instance,
    now,
    onError: (outlet, reason) => onEvent("warn", `A delivery by ${outlet} failed`, reason),
  });
  const duties: Duties = createDuties(services);

  async function claim(): Promise<readonly LeasedWatch[]> {
    const at = now();
    if (!await records.watches.anyDue(at)) return [];
    // What the service asked of another instance counts for this one too.
    const paused = await records.values.number(PAUSE) ?? 0;
    if (Math.max(paused, access.pausedUntil()) > at) return [];
    // A name of its own for each claim: a lease that ran out must not be taken for a new one.
    return await records.watches.claim(`${instance}/${++claims}`, at, at + LEASE_MS);
  }

  async function lookAt(watch: LeasedWatch, counts: Map<string, number>): Promise<void> {
    const pausedBefore = access.pausedUntil();
    const outcome = await look(watch, services);
    const name = `count/looks/${outcome}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const paused = access.pausedUntil();
    if (paused > pausedBefore) await records.values.setNumber(PAUSE, paused);
  }

  return {
    async lookAtDue(signal) {
      /** Looks that go on, and their leases. */
      const inFlight = new Map<Promise<void>, string>();
      const counts = new Map<string, number>();
      // The first one ends the loop, but only after the looks that go on: they are counted as well.
      const errors: unknown[] = [];
      const noteError = (error: unknown): undefined => void errors.push(error);
      const renewal = setInterval(() => {
        // A look whose lease is lost all the same records nothing.
        records.watches.renew([...new Set(inFlight.values())], now() + LEASE_MS).catch(() => {});
      }, RENEWAL_MS);
      let looks = 0;
      while (!signal?.aborted && errors.length === 0) {
        const claimed = inFlight.size < MOST_LOOKS ? await claim().catch(noteError) ?? [] : [];
        looks += claimed.length;
        for (const watch of claimed) {
          const looking = lookAt(watch, counts)
            .catch(noteError)
            .finally(() => inFlight.delete(looking));
          inFlight.set(looking, watch.lease);
        }
        if (inFlight.size === 0) break;
        // What becomes due meanwhile must not wait for a slow look.
        const { promise: rested, resolve: rest } = Promise.withResolvers<void>();
        const timer = setTimeout(rest, TICK_MS);
        await Promise.race([...inFlight.keys(), rested]);
        clearTimeout(timer);
      }
      await Promise.all(inFlight.keys());
      clearInterval(renewal);
      await records.values.add(counts);
      if (errors.length > 0) throw errors[0];
      return looks;
    },
    sendDue: () => outbox.sendDue(),
    doDuties: () => duties.doDue(),
  };
}

/** Observes until the signal ends it. What fails is tried again: the database may come back. */
export async function observe(
  observer: Observer,
  { signal, sleep, onEvent }: {
    readonly signal: AbortSignal;
    readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
    readonly onEvent: ObserverServices["onEvent"];
  },
): Promise<void> {
  async function repeat(work: () => Promise<unknown>): Promise<void> {
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        await work();
        if (hasFailed) onEvent("info", "The observer has recovered");
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) onEvent("error", "The observer failed", wordsOf(error));
        hasFailed = true;
      }
      await sleep(TICK_MS, signal).catch(() => {});
    }
  }
  // Apart from each other: a receiver that hangs must not keep anything from being looked at.
  await Promise.all([
    repeat(() => observer.lookAtDue(signal)),
    repeat(() => observer.sendDue()),
    repeat(() => observer.doDuties()),
  ]);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
