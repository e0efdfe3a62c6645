/** What people do with incidents. Each action records who did it, and can be undone. */
import type { Actor } from "../../lib/judgement/actor.ts";
import { isMutedAt } from "../../lib/judgement/incident.ts";
import type { TransactionStep } from "../store/engine.ts";
import { insertEvent, updateIncident } from "../store/observer/incidents.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import type { IncidentEventKind, StoredIncident, StoredWatch } from "../store/observer/types.ts";
import { dueNow } from "../store/observer/polls.ts";
import { type EventType, testEvent } from "./event.ts";
import { messageSteps } from "./message_steps.ts";
import { deliverySteps } from "./outbox.ts";
import type { Outlet } from "./outlets/outlet.ts";
import { MAX_COMMITS } from "./polling/record_failure.ts";

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
    const isMuted = [before, watch].some((each) => each !== undefined && isMutedAt(each, now));
    const reopens = action.kind === "reopen";
    const others = reopens ? await records.incidents.open(before.scheduleId) : [];
    const after = changed(before, action, { actor, now, isMuted, others });
    if (!after) return "impossible";
    if (reopens && !await isPolled(records, before, watch)) return "unwatched";
    // A poll sends held messages after unmuting, and plans the next poll for the end of a muting.
    const isMuting = action.kind === "mute" || action.kind === "unmute";
    const isPolledNow = reopens || isMuting && await isPolled(records, before, watch);
    const [kind, type] = ACTIONS[action.kind];
    const steps: TransactionStep[] = [
      // A poll finds out whether its reason still holds. First, because polls also lock the watch first.
      ...(isPolledNow ? [dueNow(before.scheduleId, now)] : []),
      updateIncident(after),
      insertEvent({ incidentId: id, at: now, kind, actor, note: note || null }),
    ];
    if (type && before.notified !== null && after.notified !== null) {
      const messages = [{ incident: after, type }];
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

/** The event in the timeline and the message of each action. */
const ACTIONS: Readonly<Record<Action["kind"], readonly [IncidentEventKind, EventType?]>> = {
  acknowledge: ["acknowledged", "incident.acknowledged"],
  unacknowledge: ["unacknowledged"],
  mute: ["muted"],
  unmute: ["unmuted"],
  resolve: ["resolved", "incident.resolved"],
  // Receivers were sent that it is resolved.
  reopen: ["reopened", "incident.opened"],
  note: ["noted"],
};

/** Whether polls can resolve an incident: its schedule, or for one of the service any, is watched. */
export async function isPolled(
  { watches }: Pick<ObserverRecords, "watches">,
  { scheduleId }: StoredIncident,
  watch: StoredWatch | undefined,
): Promise<boolean> {
  return scheduleId === null ? await watches.any() : watch !== undefined;
}

/** Whether a person resolved an incident, and no other one with its code is open. */
export function isReopenable(
  { resolved, resolvedBy, code }: StoredIncident,
  open: readonly StoredIncident[],
): boolean {
  return resolved !== null && resolvedBy !== null && !open.some((other) => other.code === code);
}

function changed(
  before: StoredIncident,
  action: Action,
  { actor, now, isMuted, others }: {
    readonly actor: Actor;
    readonly now: number;
    readonly isMuted: boolean;
    /** The open incidents of its schedule; only needed for reopening. */
    readonly others: readonly StoredIncident[];
  },
): StoredIncident | null {
  if (action.kind === "note") return before;
  if (action.kind === "reopen") {
    // A muted incident is sent when the muting ends.
    const notified = isMuted || before.notified === null ? null : now;
    return isReopenable(before, others)
      // Earlier flapping is over, and a new outage must not count as flapping.
      ? { ...before, resolved: null, resolvedBy: null, notified, flaps: 0, reasonEnded: null }
      : null;
  }
  if (before.resolved !== null) return null;
  switch (action.kind) {
    case "acknowledge":
      return before.acknowledged === null
        ? { ...before, acknowledged: now, acknowledgedBy: actor }
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
      return { ...before, resolved: now, resolvedBy: actor };
  }
}
