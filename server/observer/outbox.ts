/**
 * The outbox. What changes an incident queues the messages about it in the same transaction; a process
 * with the outlet sends them, and retries those that were not accepted.
 */
import { type Change, isLastSent } from "../../lib/judgement/incidents/transition.ts";
import { HOUR, MINUTE } from "../../lib/time_units.ts";
import { incidentEvent } from "../store/records/events.ts";
import { insertIncident, type StoredIncident, updateIncident } from "../store/records/incidents.ts";
import {
  dropHeld,
  dropWaiting,
  queueMessage,
  type StoredMessage,
} from "../store/records/messages.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { MessageFacts } from "../store/records/overview.ts";
import { requireChannel } from "../store/records/owners.ts";
import type { TransactionStep } from "../store/records/transaction_step.ts";
import { type EventType, type OutletEvent, toEvent, withReason } from "./event.ts";
import { LONGEST_SEND_MS, type Message, type Outlet, OutletError } from "./outlets/outlet.ts";
import { loadRouting, type Route } from "./routing.ts";

/** The pauses between attempts, in milliseconds; the last one repeats. */
const WAITS_MS = [10, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * 1000);
export const LONGEST_WAIT_MS = 1.1 * WAITS_MS.at(-1)!;
export const TRIED_FOR_MS = 48 * HOUR;
/** How long one attempt may take before another instance takes it over. */
const LEASE_MS = MINUTE;
/** The most messages that become one. */
const MAX_CLAIMED = 1000;
/** Later in a lease, no attempt is started, because it could outlast the lease. */
const STARTED_WITHIN_MS = LEASE_MS - LONGEST_SEND_MS;

/** The messages that say that an incident is over. */
const ENDS: readonly string[] = ["incident.passed", "incident.resolved"] satisfies EventType[];

export interface IncidentServices {
  readonly records: ObserverRecords;
  readonly origin: string;
}

/** How often a transaction is tried while others change the same incidents. */
export const MAX_COMMITS = 5;

/** Commits steps. Makes them again if incidents changed meanwhile; false if that does not help. */
export async function record(
  { records }: Pick<IncidentServices, "records">,
  makeSteps: () => Promise<readonly TransactionStep[]>,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    if (await records.commit(await makeSteps())) return true;
  }
  return false;
}

/** The steps that record changes of incidents, and queue the messages about them. */
export async function changeSteps(
  services: IncidentServices,
  changes: readonly Change<StoredIncident>[],
  { at, facts }: {
    readonly at: number;
    /** What is known of the schedule; read if it is missing. */
    readonly facts?: MessageFacts;
  },
): Promise<TransactionStep[]> {
  const changed = changes.map(({ before, incident, ...change }) => ({
    ...change,
    isNew: before === null,
    isFirst: before === null || before.said === "nothing",
    incident: { ...incident, version: before?.version ?? 1 },
  }));
  const messages = changed.flatMap(({ incident, send, isFirst }) =>
    send === null ? [] : [{ incident, type: `incident.${send}` as const, isFirst }]
  );
  return [
    ...changed.flatMap(({ isNew, incident, event, send }) => {
      const kind = event ?? (send === null ? null : "notified" as const);
      const happened = { incidentId: incident.id, at, actor: null, note: null };
      return [
        isNew ? insertIncident(incident) : updateIncident(incident),
        ...kind === null ? [] : [incidentEvent({ ...happened, kind })],
      ];
    }),
    ...await messageSteps(services, messages, { at, ...(facts && { facts }) }),
  ];
}

export async function messageSteps(
  { records, origin }: IncidentServices,
  messages: readonly {
    readonly incident: StoredIncident;
    readonly type: EventType;
    /** Whether it is the first message about the incident, such as that a gap has passed already. */
    readonly isFirst?: boolean;
  }[],
  { at, facts, isUnsentOnly = false }: {
    readonly at: number;
    readonly facts?: MessageFacts;
    /** Whether outlets that were sent an incident already are left out. */
    readonly isUnsentOnly?: boolean;
  },
): Promise<TransactionStep[]> {
  if (messages.length === 0) return [];
  const routing = await loadRouting(records, at);
  const known = facts
    ? null
    : await records.overview.facts(messages.map(({ incident }) => incident.scheduleId));
  const incidentIds = messages.map(({ incident }) => incident.id);
  // After the routing: what moves to another channel meanwhile would be sent twice.
  const queued = await records.messages.about(incidentIds);
  const byIncident = Map.groupBy(queued, ({ incidentId }) => incidentId);
  const steps: TransactionStep[] = [];
  for (const { incident, type, isFirst = false } of messages) {
    const about = facts ?? known?.get(incident.scheduleId ?? NaN);
    // Receivers of an incident's start get its end once, even if its owner has changed, and no others.
    const isStart = isFirst || type === "incident.opened" || type === "incident.grew";
    const over = type === "incident.acknowledged" ? ENDS : [type];
    const before = byIncident.get(incident.id) ?? [];
    const last = new Map(before.toReversed().map(({ outlet, event }) => [outlet, event]));
    const reached = [...last].filter(([, event]) => !over.includes(JSON.parse(event).type));
    const sentBy = isStart ? undefined : new Set(reached.map(([outlet]) => outlet));
    const sent = isUnsentOnly ? outletsSent(incident, before) : new Set();
    const routes = routing(incident, about?.owner ?? "", sentBy)
      .filter(({ name }) => !sent.has(name));
    if (routes.length === 0) continue;
    const event = toEvent(incident, { type, at, facts: about, origin });
    // The clock of the instance that notified others last may be ahead.
    const created = Math.max(at, incident.notified ?? at);
    steps.push(...queueSteps(event, routes, { incidentId: incident.id, now: at, created }));
  }
  return steps;
}

/** The outlets that were sent an incident since it was last notified, of the messages about it. */
export function outletsSent(
  { notified }: StoredIncident,
  about: readonly Pick<StoredMessage, "outlet" | "created">[] = [],
): ReadonlySet<string> {
  const sent = about.filter(({ created }) => notified !== null && created >= notified);
  return new Set(sent.map(({ outlet }) => outlet));
}

export function newMessageId(): string {
  return `msg_${crypto.randomUUID().replaceAll("-", "")}`;
}

export function queueSteps(
  event: OutletEvent,
  routes: readonly Route[],
  { incidentId, now, created = now }: {
    readonly incidentId: string | null;
    readonly now: number;
    readonly created?: number;
  },
): TransactionStep[] {
  return routes.flatMap(({ name, heldUntil = null, ownerChanged }) => [
    ...ownerChanged === undefined ? [] : [requireChannel(name, ownerChanged)],
    ...incidentId === null ? [] : [dropHeld(name, incidentId, now)],
    queueMessage({
      id: newMessageId(),
      outlet: name,
      incidentId,
      event: JSON.stringify(event),
      created,
      heldUntil,
    }, heldUntil ?? now),
  ]);
}

/** When to retry after this many attempts; null to give up. What was held is tried as long as others. */
function nextAttempt(
  { attempts, created, heldUntil }: Pick<StoredMessage, "attempts" | "created" | "heldUntil">,
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
  return next - (heldUntil ?? created) > TRIED_FOR_MS ? null : Math.round(next);
}

export function createOutbox(
  { records, holder, now, random = Math.random, onProblem }: {
    readonly records: ObserverRecords;
    readonly holder: string;
    readonly now: () => number;
    readonly random?: () => number;
    readonly onProblem: (message: string, reason: string) => void;
  },
) {
  const { messages, counters } = records;

  /**
   * Holds back what is due about muted incidents until the muting ends. A state that no outlet has sent
   * yet counts as not sent, so that only what then differs from the last message is sent.
   */
  async function withholdMuted(outlet: string, at: number): Promise<void> {
    for (const incident of await records.incidents.mutedWithDue(outlet, at)) {
      const last = (await messages.about([incident.id])).find(({ sent }) => sent !== null);
      const said = !last ? "nothing" : ENDS.includes(JSON.parse(last.event).type) ? "over" : "open";
      const isOver = said === "nothing" && incident.resolved !== null;
      const { notified } = incident;
      const before = { said, notified: said === "nothing" ? null : notified } as const;
      const withheld = { ...incident, ...before, notifyAt: isOver ? null : at };
      const isDone = said !== incident.said &&
        await records.commit([updateIncident(withheld), dropWaiting(incident.id, at)]);
      await messages.hold(outlet, incident.id, at);
      if (isDone && incident.scheduleId !== null) {
        await records.polls.makeDue(incident.scheduleId, at);
      }
    }
  }

  /**
   * The message to send. An outlet that repeats incidents always sends the latest change of one. What was
   * held says how things are now.
   */
  async function readMessage(
    outlet: Outlet,
    { id, incidentId, event, heldUntil }: StoredMessage,
  ): Promise<Message> {
    const latest = outlet.repeat && incidentId !== null
      ? (await messages.list({ outlet: outlet.name, incidentId, limit: 1 })).items[0]
      : undefined;
    const said: OutletEvent = JSON.parse(latest?.event ?? event);
    const isHeld = heldUntil !== null;
    const incident = isHeld && incidentId && await records.incidents.get(incidentId);
    return { id, event: incident ? withReason(said, incident.reason) : said, isHeld };
  }

  /** Sends a claimed message, and those that are merged into it, as one. */
  async function attempt(outlet: Outlet, stored: StoredMessage): Promise<void> {
    const events = [stored, ...await messages.mergedInto(stored.id)];
    let outcome: string;
    try {
      const sent = await Promise.all(events.map((each) => readMessage(outlet, each)));
      const unreached = await outlet.send(sent, now()) ?? null;
      const finished = { due: null, sent: now(), givenUp: null, error: unreached };
      await messages.finish(stored.id, holder, finished);
      if (unreached) onProblem(`A delivery by ${outlet.name} did not reach everybody`, unreached);
      outcome = "sent";
    } catch (error) {
      if (!(error instanceof OutletError)) throw error;
      const { message, retryAfterMs } = error;
      const at = now();
      const due = nextAttempt(stored, { now: at, random: random(), retryAfterMs });
      const failed = { due, sent: null, givenUp: due === null ? at : null, error: message };
      await messages.finish(stored.id, holder, failed);
      outcome = due === null ? "given_up" : "failed";
      onProblem(`A delivery by ${outlet.name} failed`, message);
    }
    const count = events.length;
    await counters.add([{ counted: "messages", outlet: outlet.name, outcome, count }]);
  }

  return {
    /** Tries each due message of an outlet once; returns how many were tried. */
    async sendDue(outlet: Outlet): Promise<number> {
      const due = now();
      await withholdMuted(outlet.name, due);
      // With many muted ones, some time later: the lease begins now.
      const at = now();
      const claimed = await messages.claim({
        outlet: outlet.name,
        holder,
        now: due,
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
            : `first attempt of ${outlet.groupOf?.(JSON.parse(event))}`,
      );
      for (const [first, ...others] of groups.values()) {
        const ids = others.map(({ id }) => id);
        if (now() - at > STARTED_WITHIN_MS) {
          await messages.release([first.id, ...ids], holder);
          continue;
        }
        // If the lease was lost, another instance groups them.
        const isLost = ids.length > 0 && !await messages.merge(first.id, ids, holder);
        if (!isLost) await attempt(outlet, first);
      }
      return claimed.length;
    },
  };
}

/** Incidents per transaction, few enough to take only milliseconds. */
const INCIDENT_BATCH = 50;

/**
 * Queues what was last sent as open for each outlet that would get it now, and the end for those that
 * were sent the start, unless they were sent that. What is muted follows when that ends.
 */
export async function queueUnsent(services: IncidentServices, at: number): Promise<void> {
  const { incidents, commit } = services.records;
  const { items: muted } = await incidents.attention("muted", at, Number.MAX_SAFE_INTEGER);
  const mutedIds = new Set(muted.map(({ id }) => id));
  const open = (await incidents.allOpen())
    .filter(({ id, said }) => said === "open" && !mutedIds.has(id));
  const all = [...open, ...await incidents.overSince(at - TRIED_FOR_MS)];
  for (let from = 0; from < all.length; from += INCIDENT_BATCH) {
    const batch = all.slice(from, from + INCIDENT_BATCH);
    const steps = await messageSteps(
      services,
      batch.map((incident) => ({ incident, type: lastType(incident) })),
      { at, isUnsentOnly: true },
    );
    // Nothing is queued if one of them changed, or another process was faster.
    if (steps.length > 0) await commit([...batch.map(updateIncident), ...steps]);
  }
}

function lastType(incident: StoredIncident) {
  if (incident.said === "open") return "incident.opened";
  return incident.resolved === null || isLastSent(incident, "missed")
    ? "incident.passed"
    : "incident.resolved";
}
