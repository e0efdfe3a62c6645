/**
 * Decides how incidents change when reasons are found. This is the only place that does: polls,
 * replays, people's actions and the service's own incidents use it. Each step is a rule of
 * docs/observer.md, by whose numbers the tests are named.
 */
import { HOUR } from "../../time_units.ts";
import type { Ending } from "../planned_runs.ts";
import { hasLevel, type Reason, type ReasonCode } from "../reason.ts";
import { familyName, type Incident, isMutedAt } from "./incident.ts";

/** What reopens within this time is the same incident, and what grows is sent this often. */
export const AGAIN_MS: number = HOUR;
/** Levels within this factor are the same. */
const SAME_LEVEL = 1.5;
/** Known by their subject alone, since several can hold at once; others also by their start. */
const BY_SUBJECT: readonly ReasonCode[] = ["outside-recipient", "stuck"];
/** Reasons that are one incident of the service, and never one of each schedule. */
const OF_SERVICE: readonly ReasonCode[] = ["clock", "unknown-status"];

/** Open, and nobody has done anything yet. */
export const OPEN = {
  resolved: null,
  resolvedBy: null,
  reasonEnded: null,
  ending: null,
  acknowledged: null,
  acknowledgedBy: null,
} as const;

/** What else decides. Times are milliseconds since 1970. */
export interface Moment {
  readonly now: number;
  /** Whose incidents these are; null for the service. */
  readonly scheduleId: number | null;
  /** Until when the whole schedule is muted. */
  readonly mutedUntil?: number | null;
  /** Whether this is the first verdict of a watch: only what is critical is sent then. */
  readonly isFirst?: boolean;
  /** Until when a single failure may still be repaired, if most were before. */
  readonly repairedBy?: number | undefined;
  /** The start of the oldest run that was judged. */
  readonly oldest?: number;
  /** How the gap ended whose first planned run was due then; null if nothing is known of it. */
  readonly endingOf?: (due: number) => Ending | null;
  /** The codes to decide about; all others stay as they are. All by default. */
  readonly only?: readonly ReasonCode[];
}

/** How an incident changes; `before` is null for a new one. */
export interface Change<Known extends Incident> {
  readonly before: Known | null;
  readonly incident: Incident;
  /** What happened; null if its reason was just renewed, or a message is sent. */
  readonly event: "opened" | "grew" | "passed" | "resolved" | "reopened" | null;
  /** What is sent now; null for nothing. */
  readonly send: "opened" | "grew" | "passed" | "resolved" | null;
}

export type Step<Known extends Incident> = Omit<Change<Known>, "send">;

/**
 * The changed incidents, given those of a schedule or of the service that are open (passed ones too),
 * and those that were resolved, latest first: at least those of the last hour, those of which a message
 * is due, and those that a person resolved and whose reason held since then.
 */
export function transition<Known extends Incident>(
  open: readonly Known[],
  recent: readonly Known[],
  reasons: readonly Reason[],
  moment: Moment,
): Change<Known>[] {
  const { now, scheduleId, only } = moment;
  const isAsked = (code: ReasonCode) =>
    !only || only.some((each) => familyName(each) === familyName(code));
  const found = new Set(
    reasons.filter(({ code, severity }) =>
      severity !== "info" && isAsked(code) && !(scheduleId !== null && OF_SERVICE.includes(code))
    ),
  );
  const isFailing = [...found].some(({ code }) => code === "failing");
  const take = (incident: Known) => {
    const reason = [...found].find((each) => isSame(incident, each, moment));
    if (reason) found.delete(reason);
    return reason;
  };
  const unchanged = (before: Known): Step<Known> => ({ before, incident: before, event: null });
  const ofOpen = open.map((before) => {
    if (!isAsked(before.code)) return unchanged(before);
    const reason = take(before);
    if (reason) return holding(before, reason, moment);
    // While runs fail, nobody knows whether they fail only now and then.
    if (before.code === "flaky" && isFailing) return unchanged(before);
    return ended(before, moment);
  });
  const ofResolved = recent.map((before): Step<Known> => {
    // A person resolved it, and its reason has held since: as long as it does, it opens nothing.
    const isByHand = before.resolvedBy !== null && before.reasonEnded === null;
    const isPast = !isByHand && now - before.resolved! >= AGAIN_MS;
    if (isPast || !isAsked(before.code)) return unchanged(before);
    const reason = take(before);
    if (!isByHand) return reason ? reopened(before, reason, moment) : unchanged(before);
    return reason
      ? unchanged(before)
      : { before, incident: { ...before, reasonEnded: now }, event: null };
  });
  const ofNew = [...found].map((reason) => opened(reason, moment));
  return [...ofOpen, ...ofResolved, ...ofNew].map((step) => sending(step, moment))
    .filter(({ before, incident }) => incident !== before);
}

/** When incidents change next though no reason does: a message is due, or a muting ends. */
export function nextChange(
  incidents: readonly Incident[],
  { now, mutedUntil = null }: Pick<Moment, "now" | "mutedUntil">,
): number | null {
  const moments = incidents.filter(({ notifyAt }) => notifyAt !== null)
    .map((each) => Math.max(each.notifyAt!, each.mutedUntil ?? 0, mutedUntil ?? 0))
    .filter((at) => at > now);
  return moments.length === 0 ? null : Math.min(...moments);
}

/**
 * Whether a reason is that of an incident. Where 06:00 to 08:00 were missed and 06:00 is listed late,
 * it is not: that gap resolves, and the one from 07:00 on opens.
 */
function isSame(
  { family, subject, since, reason: before }: Incident,
  reason: Reason,
  { oldest = -Infinity }: Moment,
): boolean {
  if (family !== familyName(reason.code)) return false;
  if (reason.code === "size-jump" && before.code === "size-jump") {
    const factor = Number(subject) / reason.after;
    return reason.field === before.field && factor < SAME_LEVEL && factor > 1 / SAME_LEVEL;
  }
  if (subject === reason.subject) return true;
  if (since === null || reason.since === null || BY_SUBJECT.includes(reason.code)) return false;
  // What reaches back to the oldest run that was judged may have started before.
  if (reason.since <= oldest && since <= reason.since) return true;
  const isGap = reason.code === "overdue" || reason.code === "missed";
  // Where an earlier run was listed late, it begins with that.
  return reason.since <= since && since <= (isGap ? reason.latest : Infinity);
}

/** Row 1. */
function opened(
  reason: Reason,
  { now, scheduleId, isFirst = false, repairedBy = -Infinity }: Moment,
): Step<never> {
  const { code, severity, subject, since } = reason;
  const isAwaited = reason.code === "failing" && reason.count === 1 && repairedBy > now;
  const incident: Incident = {
    id: [scheduleId ?? "service", code, plain(subject), now].filter(Boolean).join("-"),
    ...{ scheduleId, subject, family: familyName(code), code, severity, reason, since },
    ...OPEN,
    opened: now,
    mutedUntil: null,
    notifyAt: isFirst && severity !== "critical" ? null : isAwaited ? repairedBy : now,
    said: "nothing",
    notified: null,
  };
  return { before: null, incident, event: "opened" };
}

/** A text that stays as it is in a URL. */
function plain(text: string): string {
  return text.replaceAll(":", "").replace(/[^\w.-]/gu, (each) => each.codePointAt(0)!.toString(16));
}

/** Rows 2, 3 and 5: an open incident whose reason holds. */
function holding<Known extends Incident>(
  before: Known,
  reason: Reason,
  { now }: Moment,
): Step<Known> {
  const { code, severity } = reason;
  const isRenewed = JSON.stringify(reason) !== JSON.stringify(before.reason);
  const incident: Incident = isRenewed ? { ...before, reason, code, severity } : before;
  if (code === "missed" && before.code === "overdue") {
    const isNotified = before.said === "open" || before.notifyAt !== null;
    const notifyAt = isNotified ? now : null;
    return { before, incident: { ...incident, notifyAt }, event: "passed" };
  }
  // The later run that seemed to have come is gone.
  if (code === "overdue" && before.code === "missed") {
    const notifyAt = before.said === "open" ? null : now;
    return { before, incident: { ...incident, notifyAt }, event: "reopened" };
  }
  if (grew(before.reason, reason)) {
    const notifyAt = Math.min(before.notifyAt ?? Infinity, anHourAfter(before, now));
    return { before, incident: { ...incident, ...OPEN, notifyAt }, event: "grew" };
  }
  // A second failure in a row is not repaired.
  const isHurried = code === "failing" && reason.count > 1 && (before.notifyAt ?? 0) > now;
  return { before, incident: isHurried ? { ...incident, notifyAt: now } : incident, event: null };
}

/** Whether a reason has something new to notify people of. */
function grew(before: Reason, now: Reason): boolean {
  const isMore = (all: readonly string[], known: readonly string[]) =>
    all.some((each) => !known.includes(each));
  switch (now.code) {
    case "outside-recipient":
    case "leaver-recipient":
      return before.code === now.code && (now.count > before.count || now.newest > before.newest);
    case "channel-failing":
      return before.code === now.code && isMore(now.channels, before.channels);
    case "unknown-status":
      return before.code === now.code && isMore(now.statuses, before.statuses);
  }
  return false;
}

function anHourAfter({ notified }: Incident, now: number): number {
  return Math.max(now, (notified ?? -Infinity) + AGAIN_MS);
}

/** Rows 4, 5 and 6: an open incident whose reason is gone. */
function ended<Known extends Incident>(before: Known, { now, endingOf }: Moment): Step<Known> {
  const { code, said, since } = before;
  const endingOfGap = before.family === "gap" && since !== null ? endingOf?.(since) ?? null : null;
  // Sending twice becomes usual, too.
  const isLevel = hasLevel(before) || code === "sent-twice";
  const ending = isLevel ? { how: "past" } as const : endingOfGap;
  const hasCome = ending?.how === "started" || ending?.how === "listed";
  // A gap that was sent as passed is closed in silence, unless its own run was listed after all.
  const isSent = said === "open" || code === "missed" && hasCome && said === "over";
  const over = { ending: code === "missed" && !hasCome ? null : ending, resolved: now };
  const notifyAt = isSent ? now : null;
  return {
    before,
    incident: { ...before, ...over, reasonEnded: now, notifyAt },
    event: "resolved",
  };
}

/** Row 7. */
function reopened<Known extends Incident>(
  before: Known,
  reason: Reason,
  { now }: Moment,
): Step<Known> {
  const { code, severity } = reason;
  const again = severity === "critical" ? now : anHourAfter(before, now);
  const notifyAt = isLastSent(before, code) ? null : again;
  const incident = { ...before, ...OPEN, reason, code, severity, notifyAt };
  return { before, incident, event: "reopened" };
}

/** Whether a resolved incident that holds again, with a code, was last sent so: nothing differs. */
export function isLastSent(
  { code: before, said, notified, resolved }: Incident,
  code: ReasonCode,
): boolean {
  if (code !== "missed") return said === "open";
  // A gap that was sent as passed is resolved in silence.
  return before === "missed" && said === "over" && notified! < resolved!;
}

/** Rows 8, 9 and 10: sends what is due, unless it is muted. */
export function sending<Known extends Incident>(
  { before, incident, event }: Step<Known>,
  { now, mutedUntil = null }: Pick<Moment, "now" | "mutedUntil">,
): Change<Known> {
  const { notifyAt } = incident;
  const isMuted = isMutedAt(incident, now) || isMutedAt({ mutedUntil }, now);
  if (notifyAt === null || notifyAt > now || isMuted) {
    return { before, incident, event, send: null };
  }
  const isPassed = incident.code === "missed";
  const said = incident.resolved !== null || isPassed ? "over" : "open";
  const news = isPassed ? "passed" : incident.said === "open" ? "grew" : "opened";
  const send = incident.resolved !== null ? "resolved" : news;
  return { before, incident: { ...incident, notifyAt: null, said, notified: now }, event, send };
}
