/** What people do with incidents. Each action records who did it, and can be undone. */
import { isMutedAt } from "../../lib/judgement/incidents/incident.ts";
import { hasLevel } from "../../lib/judgement/reason.ts";
import { isLastSent, OPEN, sending } from "../../lib/judgement/incidents/transition.ts";
import {
  isProblemError,
  ProblemError,
  throwIfInvalid,
  type ValidationIssue,
} from "../http/problem.ts";
import { textIssue } from "../http/shape.ts";
import { type IncidentServices, MAX_COMMITS, messageSteps } from "../observer/outbox.ts";
import { type Acting, incidentEvent } from "../store/records/events.ts";
import { type StoredIncident, updateIncident } from "../store/records/incidents.ts";
import { dueNow } from "../store/records/polls.ts";
import type { TransactionStep } from "../store/records/transaction_step.ts";
import { judgeAgainStep } from "../store/records/verdicts.ts";
import { MAX_CHARACTERS } from "../store/text.ts";
import { yieldToEventLoop } from "../workers/yield_to_event_loop.ts";

export const INCIDENT_ACTIONS = [
  "acknowledged",
  "unacknowledged",
  "muted",
  "unmuted",
  "resolved",
  "reopened",
  "noted",
  "expected",
  "unexpected",
] as const;

export interface IncidentAction {
  readonly incidentId: string;
  /** The event that it adds to the incident. */
  readonly kind: typeof INCIDENT_ACTIONS[number];
  readonly note?: string | undefined;
  /** Until when to mute it, in milliseconds since 1970. */
  readonly until?: number | undefined;
}

/**
 * Does one thing with an incident, and returns it as it is then.
 *
 * @throws {ProblemError} With status 400 and the pointers `/note` and `/until`, 404 if there is no such
 * incident, or 409 if its state does not allow this
 */
export async function actOnIncident(
  { records, origin }: IncidentServices,
  { incidentId, note = "", ...action }: IncidentAction,
  { actor, now }: Acting,
): Promise<StoredIncident> {
  throwIfInvalid(findIssues({ note, ...action }, now));
  const { kind } = action;
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    const before = await records.incidents.get(incidentId);
    if (!before) throw new ProblemError(404, "There is no such incident");
    const watch = before.scheduleId === null
      ? undefined
      : await records.watches.get(before.scheduleId);
    const acted = changed(before, action, { actor, now });
    if (!acted) throw new ProblemError(409, IMPOSSIBLE);
    const mutedUntil = watch?.mutedUntil ?? null;
    const { incident, send } = sending({ before, incident: acted, event: null }, {
      now,
      mutedUntil,
    });
    const after = { ...incident, version: before.version };
    // A poll sends held messages after unmuting, and plans the next poll for the end of a muting.
    const isPolledNow = kind === "reopened" || kind === "muted" || kind === "unmuted";
    const isMuted = [before, { mutedUntil }].some((each) => isMutedAt(each, now));
    const isNotified = kind === "acknowledged" && before.said === "open" && !isMuted;
    const type = send === null ? isNotified && "acknowledged" : send;
    const isExpectation = kind === "expected" || kind === "unexpected";
    const steps: TransactionStep[] = [
      ...(isExpectation ? [judgeAgainStep(before.scheduleId, now)] : []),
      // A poll finds out whether its reason still holds; of what is not watched, none would. First,
      // because polls also lock the watch first.
      ...(isPolledNow ? [dueNow(before.scheduleId, now)] : []),
      updateIncident(after),
      incidentEvent({ incidentId, at: now, kind, actor, note: note.trim() || null }),
    ];
    if (type) {
      const isFirst = before.said === "nothing";
      const messages = [{ incident: after, type: `incident.${type}` as const, isFirst }];
      steps.push(...await messageSteps({ records, origin }, messages, { at: now }));
    }
    if (await records.commit(steps)) return after;
  }
  throw new ProblemError(409, IMPOSSIBLE);
}

/**
 * Acknowledges the incidents of a code that need somebody and had opened by then, all or those of
 * schedules.
 */
export async function acknowledgeIncidents(
  services: IncidentServices,
  { code, until, isOfSchedules = false }: {
    readonly code: string;
    readonly until: number;
    readonly isOfSchedules?: boolean;
  },
  acting: Acting,
): Promise<void> {
  const { items } = await services.records.incidents.attention("needed", acting.now, ALL);
  const meant = items.filter((incident) =>
    incident.code === code && incident.opened <= until &&
    (!isOfSchedules || incident.scheduleId !== null)
  );
  await actOnEach(services, meant, "acknowledged", acting);
}

/** Undoes what `acknowledgeIncidents` did at a time. */
export async function unacknowledgeIncidents(
  services: IncidentServices,
  acknowledged: number,
  acting: Acting,
): Promise<void> {
  const { items } = await services.records.incidents.attention("acknowledged", acting.now, ALL);
  const meant = items.filter((incident) => incident.acknowledged === acknowledged);
  await actOnEach(services, meant, "unacknowledged", acting);
}

const ALL = Number.MAX_SAFE_INTEGER;

/** Acts on each. Those that somebody else changes meanwhile are left to them. */
async function actOnEach(
  services: IncidentServices,
  incidents: readonly Pick<StoredIncident, "id">[],
  kind: "acknowledged" | "unacknowledged",
  acting: Acting,
): Promise<void> {
  for (const { id: incidentId } of incidents) {
    try {
      await actOnIncident(services, { incidentId, kind }, acting);
    } catch (error) {
      if (!isProblemError(error) || error.problem.status !== 409) throw error;
    }
    await yieldToEventLoop();
  }
}

const IMPOSSIBLE =
  "That is not possible: the incident's state does not allow it, its schedule is no longer " +
  "watched, or somebody else has changed the incident";

type Change = Pick<IncidentAction, "kind" | "until">;

function findIssues({ kind, note, until }: Change & { readonly note: string }, now: number) {
  const issues: ValidationIssue[] = [];
  const issue = textIssue(note, MAX_CHARACTERS.note) ??
    (kind === "noted" && note.trim() === "" ? "must not be empty" : undefined);
  if (issue) issues.push({ pointer: "/note", detail: issue });
  if (kind === "muted" && !(until !== undefined && until > now)) {
    issues.push({ pointer: "/until", detail: "must be a time in the future" });
  }
  if (kind !== "muted" && until !== undefined) {
    issues.push({ pointer: "/until", detail: "is only for muted" });
  }
  return issues;
}

/** Whether a person resolved an incident. Of one subject, one incident is open: the records see to it. */
export function isReopenable({ resolved, resolvedBy }: StoredIncident): boolean {
  return resolved !== null && resolvedBy !== null;
}

function changed(
  before: StoredIncident,
  { kind, until }: Change,
  { actor, now }: Acting,
): StoredIncident | null {
  if (kind === "noted") return before;
  // The next poll resolves it.
  if (kind === "expected") return hasLevel(before) && before.resolved === null ? before : null;
  if (kind === "unexpected") return hasLevel(before) ? before : null;
  if (kind === "reopened") {
    // Receivers were sent something else, such as that it is resolved.
    const notifyAt = before.said !== "nothing" && !isLastSent(before, before.code) ? now : null;
    return isReopenable(before) ? { ...before, ...OPEN, notifyAt } : null;
  }
  if (before.resolved !== null) return null;
  switch (kind) {
    case "acknowledged":
      return before.acknowledged === null
        ? { ...before, acknowledged: now, acknowledgedBy: actor }
        : null;
    case "unacknowledged":
      return before.acknowledged === null
        ? null
        : { ...before, acknowledged: null, acknowledgedBy: null };
    case "muted":
      return { ...before, mutedUntil: until! };
    case "unmuted":
      return before.mutedUntil === null ? null : { ...before, mutedUntil: null };
    case "resolved":
      return {
        ...before,
        resolved: now,
        resolvedBy: actor,
        notifyAt: before.said === "open" ? now : null,
      };
  }
}
