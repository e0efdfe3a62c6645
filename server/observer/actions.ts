/** What people do with incidents. Each action records who did it, and can be undone. */
import type { Actor } from "../../lib/judgement/actor.ts";
import { isMutedAt } from "../../lib/judgement/incidents/incident.ts";
import { OPEN, sending } from "../../lib/judgement/incidents/transition.ts";
import type { TransactionStep } from "../store/records/transaction_step.ts";
import { incidentEvent, type IncidentEventKind } from "../store/records/events.ts";
import { type StoredIncident, updateIncident } from "../store/records/incidents.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { StoredWatch } from "../store/records/watches.ts";
import { dueNow } from "../store/records/polls.ts";
import { testEvent } from "./event.ts";
import { messageSteps } from "./outbox.ts";
import { deliverySteps } from "./outbox.ts";
import type { Outlet } from "./outlets/outlet.ts";
import { MAX_COMMITS } from "./outbox.ts";

export type Action =
  | { readonly kind: "acknowledge" | "unacknowledge" | "unmute" | "resolve" | "note" }
  | { readonly kind: "mute"; readonly until: number }
  /** Undoes that a person resolved it. */
  | { readonly kind: "reopen" };

export type ActionResult =
  | "done"
  | "missing"
  /** It can't be reopened: no poll would ever resolve it again. */
  | "unwatched"
  | "impossible";

export async function actOn(
  { records, origin, now }: {
    readonly records: ObserverRecords;
    readonly origin: string;
    readonly now: number;
  },
  id: string,
  action: Action,
  { actor, note }: { readonly actor: Actor; readonly note: string },
): Promise<ActionResult> {
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    const before = await records.incidents.get(id);
    if (!before) return "missing";
    const watch = before.scheduleId === null
      ? undefined
      : await records.watches.get(before.scheduleId);
    const reopens = action.kind === "reopen";
    const others = reopens ? await records.incidents.open(before.scheduleId) : [];
    const acted = changed(before, action, { actor, now, others });
    if (!acted) return "impossible";
    const mutedUntil = watch?.mutedUntil ?? null;
    const { incident, send } = sending({ before, incident: acted, event: null }, {
      now,
      mutedUntil,
    });
    const after = { ...incident, version: before.version };
    if (reopens && !await isPolled(records, before, watch)) return "unwatched";
    // A poll sends held messages after unmuting, and plans the next poll for the end of a muting.
    const isMuting = action.kind === "mute" || action.kind === "unmute";
    const isPolledNow = reopens || isMuting && await isPolled(records, before, watch);
    const isMuted = [before, { mutedUntil }].some((each) => isMutedAt(each, now));
    const isTold = action.kind === "acknowledge" && before.said === "open" && !isMuted;
    const type = send === null ? isTold && "acknowledged" : send;
    const steps: TransactionStep[] = [
      // A poll finds out whether its reason still holds. First, because polls also lock the watch first.
      ...(isPolledNow ? [dueNow(before.scheduleId, now)] : []),
      updateIncident(after),
      incidentEvent({
        incidentId: id,
        at: now,
        kind: EVENTS[action.kind],
        actor,
        note: note || null,
      }),
    ];
    if (type) {
      const messages = [{ incident: after, type: `incident.${type}` as const }];
      steps.push(...await messageSteps({ records, origin }, messages, { at: now }));
    }
    if (await records.commit(steps)) return "done";
  }
  return "impossible";
}

export async function sendTest(
  records: ObserverRecords,
  outlet: Pick<Outlet, "name">,
  { origin, now }: { readonly origin: string; readonly now: number },
): Promise<void> {
  const event = testEvent(now, origin);
  const steps = deliverySteps(event, [{ ...outlet, collectMs: 0 }], { incidentId: null, now });
  await records.commit(steps);
}

/** The event in the timeline of each action. */
const EVENTS: Readonly<Record<Action["kind"], IncidentEventKind>> = {
  acknowledge: "acknowledged",
  unacknowledge: "unacknowledged",
  mute: "muted",
  unmute: "unmuted",
  resolve: "resolved",
  reopen: "reopened",
  note: "noted",
};

/** Whether polls can resolve an incident: its schedule, or for one of the service any, is watched. */
export async function isPolled(
  { watches }: Pick<ObserverRecords, "watches">,
  { scheduleId }: StoredIncident,
  watch: StoredWatch | undefined,
): Promise<boolean> {
  return scheduleId === null ? await watches.any() : watch !== undefined;
}

/** Whether a person resolved an incident, and no other one about the same is open. */
export function isReopenable(
  { resolved, resolvedBy, family, subject }: StoredIncident,
  open: readonly StoredIncident[],
): boolean {
  return resolved !== null && resolvedBy !== null &&
    !open.some((other) => other.family === family && other.subject === subject);
}

function changed(
  before: StoredIncident,
  action: Action,
  { actor, now, others }: {
    readonly actor: Actor;
    readonly now: number;
    /** The open incidents of its schedule; only needed for reopening. */
    readonly others: readonly StoredIncident[];
  },
): StoredIncident | null {
  if (action.kind === "note") return before;
  if (action.kind === "reopen") {
    // Receivers were sent that it is resolved.
    const notifyAt = before.said === "over" ? now : null;
    return isReopenable(before, others) ? { ...before, ...OPEN, notifyAt } : null;
  }
  if (before.resolved !== null) return null;
  switch (action.kind) {
    case "acknowledge":
      return before.acknowledged === null
        ? { ...before, acknowledged: now, acknowledgedBy: actor, notifyAt: null }
        : null;
    case "unacknowledge":
      return before.acknowledged === null
        ? null
        : { ...before, acknowledged: null, acknowledgedBy: null };
    case "mute":
      return { ...before, mutedUntil: action.until };
    case "unmute":
      return before.mutedUntil === null ? null : { ...before, mutedUntil: null };
    case "resolve":
      return {
        ...before,
        resolved: now,
        resolvedBy: actor,
        notifyAt: before.said === "open" ? now : null,
      };
  }
}
