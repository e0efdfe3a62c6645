/** Events that outlets send: each is one change of an incident. */
import { actorText } from "../../lib/actor.ts";
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { terminalText } from "../../lib/terminal.ts";
import { type Reason, TIMES } from "../../lib/judgement/reason.ts";
import { endingText, reasonText } from "../../lib/judgement/reason_text.ts";
import type { MessageFacts } from "../store/records/overview.ts";
import type { StoredIncident } from "../store/records/incidents.ts";

export type EventType =
  | "incident.opened"
  | "incident.grew"
  | "incident.passed"
  | "incident.acknowledged"
  | "incident.resolved"
  | "test";

/** The body of a webhook without its sentence; all outlets use it. Times are ISO 8601 in UTC. */
export interface OutletEvent {
  readonly type: EventType;
  readonly timestamp: string;
  readonly data: EventData;
}

export type EventData = ReturnType<typeof toData>;

function toData(incident: StoredIncident, about: Omit<Parameters<typeof toEvent>[1], "type">) {
  const { at, facts = {}, origin } = about;
  const { id, code, severity, reason, scheduleId, acknowledgedBy, resolved, ending } = incident;
  const { resolvedBy } = incident;
  return {
    incident: {
      id,
      code: code as string,
      severity,
      opened: isoText(incident.opened),
      resolved: isoOrNull(resolved),
      acknowledgedBy: acknowledgedBy && actorText(acknowledgedBy),
      resolvedBy: resolvedBy && actorText(resolvedBy),
      /** How it ended, if more is known than that it is over. */
      ending: ending && resolved !== null
        ? endingText(ending, resolved, reason, { written: at })
        : null,
    },
    /** Null for an incident of the service. */
    schedule: scheduleId === null ? null : { id: scheduleId, name: facts.name ?? "" },
    reason: shownReason(reason, at),
    /** How many people received the last good run; null if unknown. `lastSent` is its start. */
    people: facts.people ?? null,
    lastSent: isoOrNull(facts.lastSuccess ?? null),
    /** The incident's page, which requires signing in. */
    url: `${origin}/incidents/${encodeURIComponent(id)}`,
  };
}

/** The event of an incident's current state. It never contains an email address or a line break. */
export function toEvent(
  incident: StoredIncident,
  about: {
    readonly type: EventType;
    readonly at: number;
    readonly facts: Partial<MessageFacts> | undefined;
    readonly origin: string;
  },
): OutletEvent {
  const { type, at } = about;
  return masked({ type, timestamp: isoText(at), data: toData(incident, about) });
}

/** An event that was held, with its reason as it was last found. */
export function withReason({ data, ...event }: OutletEvent, reason: Reason): OutletEvent {
  const shown = shownReason(reason, Date.parse(event.timestamp));
  return masked({ ...event, data: { ...data, reason: shown } });
}

function masked(event: OutletEvent): OutletEvent {
  return JSON.parse(
    JSON.stringify(event),
    (_, value) =>
      // Strict readers of JSON refuse half a character.
      typeof value === "string" ? terminalText(maskAddresses(value)).toWellFormed() : value,
  );
}

export function testEvent(at: number, origin: string): OutletEvent {
  return {
    type: "test",
    timestamp: isoText(at),
    data: {
      incident: {
        id: "test",
        code: "test",
        severity: "info",
        opened: isoText(at),
        resolved: null,
        acknowledgedBy: null,
        resolvedBy: null,
        ending: null,
      },
      schedule: null,
      reason: { text: "", since: null, runs: [] },
      people: null,
      lastSent: null,
      url: `${origin}/incidents`,
    },
  };
}

/** A reason with its text, and with times in ISO 8601. */
function shownReason(reason: Reason, written: number) {
  const members = Object.entries(reason).map(([name, value]) => [
    name,
    typeof value === "number" && TIMES.includes(name) ? isoText(value) : value,
  ]);
  const { since, runs }: { readonly since: string | null; readonly runs: readonly number[] } =
    Object.fromEntries(members);
  return { text: reasonText(reason, { written }), ...Object.fromEntries(members), since, runs };
}

export function isoText(time: number): string {
  return new Date(time).toISOString();
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : isoText(time);
}
