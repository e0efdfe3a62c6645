/** Plays reasons through the table of incidents, as an observer would, and says what happened. */
import type { Actor } from "../../../../lib/actor.ts";
import type { Incident } from "../../../../lib/judgement/incidents/incident.ts";
import {
  type Moment,
  nextChange,
  OPEN,
  sending,
  transition,
} from "../../../../lib/judgement/incidents/transition.ts";
import type { Reason, ReasonOf } from "../../../../lib/judgement/reason.ts";
import { MINUTE } from "../../../../lib/time_units.ts";
import { sampleReason } from "../../../sample_reasons.ts";

/** Minute 0 of what is played. */
export const START = Date.UTC(2026, 2, 10, 6);
const ADA: Actor = { name: "Ada", known: "oidc" };

/** The time of a minute. */
export function at(minutes: number): number {
  return START + minutes * MINUTE;
}

/** Keeps incidents, while reasons come and go and people act. */
export class Desk {
  incidents: Incident[] = [];
  readonly #moment: Partial<Moment>;

  constructor(moment: Partial<Moment> = {}) {
    this.#moment = { scheduleId: 7, ...moment };
  }

  /** What happens at a minute where these reasons hold: `event>send code subject` of each change. */
  see(minutes: number, reasons: readonly Reason[], moment: Partial<Moment> = {}): string[] {
    const now = at(minutes);
    const open = this.incidents.filter(({ resolved }) => resolved === null);
    const recent = this.incidents.filter(({ resolved }) => resolved !== null)
      .sort((a, b) => b.resolved! - a.resolved!);
    const known = { scheduleId: null, ...this.#moment, ...moment, now };
    const changes = transition(open, recent, reasons, known);
    for (const { before, incident } of changes) {
      this.incidents = [...this.incidents.filter((each) => each !== before), incident];
    }
    return changes.filter(({ event, send }) => event !== null || send !== null)
      .map(({ incident: { code, subject }, event, send }) =>
        `${event ?? ""}>${send ?? ""} ${code} ${subject}`.trim()
      );
  }

  /** When something changes next, in minutes, though no reason does; null for never. */
  next(minutes: number, mutedUntil: number | null = null): number | null {
    const next = nextChange(this.incidents, { now: at(minutes), mutedUntil });
    return next === null ? null : (next - START) / MINUTE;
  }

  /** A person changes the newest incident. */
  act(minutes: number, kind: "acknowledge" | "resolve" | "mute", until = 0): string | null {
    const now = at(minutes);
    const before = this.incidents.at(-1)!;
    const notifyAt = before.said === "open" ? now : null;
    const changes = {
      acknowledge: { acknowledged: now, acknowledgedBy: ADA },
      mute: { mutedUntil: at(until) },
      resolve: { ...OPEN, resolved: now, resolvedBy: ADA, notifyAt },
    };
    const step = { before, incident: { ...before, ...changes[kind] }, event: null };
    const { incident, send } = sending(step, { now });
    this.incidents = [...this.incidents.filter((each) => each !== before), incident];
    return send;
  }

  get last(): Incident {
    return this.incidents.at(-1)!;
  }
}

/** The planned runs from a minute on, an hour apart, are overdue or missed. */
export function gap<Code extends "overdue" | "missed">(
  code: Code,
  first: number,
  count = 1,
): ReasonOf<Code> {
  const [due, latest] = [at(first), at(first + (count - 1) * 60)];
  const severity = code === "overdue" ? "critical" : "warning";
  const subject = new Date(due).toISOString().slice(0, 16) + "Z";
  const more: unknown = { severity, subject, since: due, runs: [], due, latest, count };
  return sampleReason(code, more as Partial<ReasonOf<Code>>);
}

/** Runs failed in a row, the first of them at a minute. */
export function failing(first: number, count = 1): Reason {
  const since = at(first);
  return sampleReason("failing", { severity: "critical", subject: `${first}`, since, count });
}

/** `count` addresses at a domain outside receive it; `newest` is the minute of the latest one. */
export function outside(domain: string, count = 1, newest = 0): Reason {
  return sampleReason("outside-recipient", {
    severity: "critical",
    subject: domain,
    domain,
    since: START,
    count,
    newest: at(newest),
  });
}

/** The size of attachments went from 100 to another, at a minute. */
export function level(after: number, first = 0, severity: Reason["severity"] = "warning"): Reason {
  const since = at(first);
  return sampleReason("size-jump", { severity, subject: `${after}`, since, before: 100, after });
}
