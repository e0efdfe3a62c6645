/** One instance of the observer: polls, sends, and does duties that are due in the shared database. */
import { MINUTE } from "../../lib/time_units.ts";
import { continueScan, type ScanServices } from "../schedules/scan.ts";
import { type LeasedWatch, MAX_POLLS, TOLERANCE_MS } from "../store/records/polls.ts";
import { doDueDuties, type DutyServices } from "./duties.ts";
import { createOutbox } from "./outbox.ts";
import { registerOutlets } from "./routing.ts";
import type { Outlet } from "./outlets/outlet.ts";
import type { createChannels } from "./outlets/outlets.ts";
import { pollSchedule } from "./poll.ts";
import { LONGEST_PAUSE_MS } from "./service_access.ts";

export interface ObserverServices extends Omit<DutyServices, "onEvent"> {
  /** Whether these outlets also send critical incidents of schedules with an owner. */
  readonly takesCritical?: boolean;
  /** Opens the channels of owners; without it, this instance uses none. */
  readonly channels?: Pick<ReturnType<typeof createChannels>, "open">;
  readonly onEvent: (level: "info" | "warn" | "error", message: string, reason?: string) => void;
}

export type Observer = ReturnType<typeof createObserver>;

const TICK_MS = 1000;
/** After this time without a renewal, other instances take over an instance's polls. */
const LEASE_MS = 12_000;
const RENEWAL_MS = 3000;

export function createObserver(services: ObserverServices) {
  const { records, access, outlets, channels, now, onEvent } = services;
  const instance = crypto.randomUUID();
  let claims = 0;
  /** The polls that are not yet counted in the database. */
  let counts = new Map<string, number>();
  let sharedOffsets: readonly number[] = [];
  let registered = -Infinity;
  const outbox = createOutbox({
    records,
    holder: instance,
    now,
    onProblem: (message, reason) => onEvent("warn", message, reason),
  });

  async function register(): Promise<void> {
    const at = now();
    if (Math.abs(at - registered) < MINUTE) return;
    await registerOutlets(services, at);
    registered = at;
  }

  async function claim(): Promise<readonly LeasedWatch[]> {
    const at = now();
    if (!await records.polls.anyDue(at)) return [];
    const { clockOffsets, pausedUntil } = await records.service.get();
    access.clock?.startWith(clockOffsets ?? []);
    // A pause that the service demanded from another instance also applies to this one.
    const paused = pausedUntil ?? 0;
    // A time in the future was stored before the clock was set back.
    const latest = at + LONGEST_PAUSE_MS + TOLERANCE_MS;
    const isPaused = (until: number) => until > at && until <= latest;
    if (isPaused(paused) || isPaused(access.pausedUntil())) return [];
    // Each claim has its own name, so that an expired lease is not mistaken for a new one.
    return await records.polls.claim(`${instance}/${++claims}`, at, at + LEASE_MS);
  }

  async function poll(watch: LeasedWatch): Promise<void> {
    const pausedBefore = access.pausedUntil();
    const outcome = await pollSchedule(watch, services);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const paused = access.pausedUntil();
    if (paused > pausedBefore) await records.service.store({ pausedUntil: paused });
  }

  /** Stores this instance's outlets, its counts of polls, and the service's clock for other instances. */
  async function share(): Promise<void> {
    await register();
    const counted = counts;
    counts = new Map();
    await records.counters.add(
      [...counted].map(([outcome, count]) => ({ counted: "polls", outlet: "", outcome, count })),
    );
    const offsets = access.clock?.latest() ?? [];
    if (offsets.length === 0 || offsets === sharedOffsets) return;
    await records.service.store({ clockOffsets: offsets });
    sharedOffsets = offsets;
  }

  async function dueOutlets(): Promise<readonly Outlet[]> {
    const names = await records.messages.dueOutlets(now());
    const found = names.map((name) =>
      outlets.find((outlet) => outlet.name === name) ?? channels?.open(name) ?? null
    );
    return (await Promise.all(found)).filter((outlet) => outlet !== null);
  }

  return {
    share,
    /** Polls everything that is due now or becomes due meanwhile; returns the number of polls. */
    async pollDue(signal?: AbortSignal): Promise<number> {
      await register();
      const inFlight = new Map<Promise<void>, string>();
      // The first error ends the loop, after the polls in progress have ended and are counted.
      const errors: unknown[] = [];
      const addError = (error: unknown): undefined => void errors.push(error);
      const renewal = setInterval(() => {
        // If this fails, a poll may lose its lease and then records nothing.
        records.polls.renew([...new Set(inFlight.values())], now() + LEASE_MS).catch(() => {});
      }, RENEWAL_MS);
      let polls = 0;
      while (!signal?.aborted && errors.length === 0) {
        const claimed = inFlight.size < MAX_POLLS ? await claim().catch(addError) ?? [] : [];
        polls += claimed.length;
        for (const watch of claimed) {
          const polling = poll(watch)
            .catch(addError)
            .finally(() => inFlight.delete(polling));
          inFlight.set(polling, watch.lease);
        }
        if (inFlight.size === 0) break;
        // Schedules that become due meanwhile must not wait for a slow poll.
        const { promise: nextTick, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, TICK_MS);
        await Promise.race([...inFlight.keys(), nextTick]);
        clearTimeout(timer);
      }
      await Promise.all(inFlight.keys());
      clearInterval(renewal);
      await share();
      if (errors.length > 0) throw errors[0];
      return polls;
    },
    dueOutlets,
    async sendDue(outlet?: Outlet): Promise<number> {
      const due = outlet ? [outlet] : await dueOutlets();
      const counts = await Promise.all(due.map(outbox.sendDue));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    doDuties: () => doDueDuties(services),
    async findSchedules(sleep: ScanServices["sleep"], signal?: AbortSignal): Promise<void> {
      await continueScan({ records, access, now, sleep }, signal);
    },
  };
}

/** The names of sending by outlets begin so. */
const SENDING = "sending by ";

/** Observes until the signal aborts. Failures are retried, because the database may come back. */
export async function observeUntil(
  observer: Observer,
  { signal, sleep, onEvent }: {
    readonly signal: AbortSignal;
    readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
    readonly onEvent: ObserverServices["onEvent"];
  },
): Promise<void> {
  /** Why work fails. What several fail for, such as a database that is away, is reported once. */
  const failures = new Map<string, string>();
  function recover(name: string): void {
    const isLast = failures.delete(name) && failures.size === 0;
    if (isLast) onEvent("info", "The observer has recovered");
  }
  async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      recover(name);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isKnown = failures.has(name) || [...failures.values()].includes(reason);
      if (!isKnown) onEvent("error", "The observer failed", reason);
      failures.set(name, reason);
    }
  }
  async function repeat(name: string, work: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      await attempt(name, work);
      await sleep(TICK_MS, signal).catch(() => {});
    }
  }
  const sending = new Map<string, Promise<void>>();
  async function startSending(): Promise<void> {
    const due = await observer.dueOutlets();
    const current = [...due.map(({ name }) => name), ...sending.keys()].map((name) =>
      SENDING + name
    );
    for (const name of [...failures.keys()]) {
      // What this instance could not send, another one has sent.
      if (name.startsWith(SENDING) && !current.includes(name)) recover(name);
    }
    for (const outlet of due) {
      const { name } = outlet;
      if (sending.has(name)) continue;
      const sent = attempt(SENDING + name, () => observer.sendDue(outlet));
      sending.set(name, sent.then(() => void sending.delete(name)));
    }
  }
  // Independent of each other: a receiver that hangs must not delay polls or other outlets.
  await Promise.all([
    repeat("polls", () => observer.pollDue(signal)),
    // Separate from polls, which never pause while more is due than can be polled.
    repeat("sharing", () => observer.share()),
    repeat("sending", startSending),
    repeat("duties", () => observer.doDuties()),
    repeat("scans", () => observer.findSchedules(sleep, signal)),
  ]);
  await Promise.all(sending.values());
}
