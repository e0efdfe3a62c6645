/** Texts about incidents, for emails, alerts and pages. */
import { adviceParts, DATED, endingText, reasonText } from "../../lib/judgement/reason_text.ts";
import { momentsIn } from "../../lib/moments.ts";
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { withoutDirections } from "../../lib/terminal.ts";
import { formatCountOf } from "../../lib/format.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { EventData, OutletEvent } from "./event.ts";
import type { Message } from "./outlets/outlet.ts";

/** Codes of incidents in which people wait for a report. */
const AWAITED: readonly string[] = ["failing", "overdue", "stuck"];

/**
 * A complete sentence, such as `Schedule 101 (Sales): failing for 2 runs, since
 * Tue 10 Mar 06:00 UTC; 14 people wait for the report, last sent Mon 9 Mar 06:00 UTC`.
 * Its subject may be left out, where it stands beside.
 */
export function toSummary(
  { type, timestamp, data }: OutletEvent,
  subject = `${aboutWords(data.schedule, data.incident.code)}: `,
): string {
  const { incident, reason } = data;
  const people = affectedWords(data, timestamp);
  if (type === "test") return "This is a test of Docket";
  // By a clock that is ahead, it begins later than it is noticed.
  const isDated = reason.since === null || DATED.includes(incident.code) ||
    reason.since > incident.opened;
  const since = isDated ? "" : `, since ${shortMoment(reason.since!, timestamp)}`;
  const summary = subject + reason.text;
  switch (type) {
    case "incident.opened":
      return summary + since + people +
        (incident.acknowledgedBy === null ? "" : `; acknowledged by ${incident.acknowledgedBy}`);
    case "incident.grew":
      return `More: ${summary}${since}`;
    case "incident.passed":
      return `${summary}; a later one ran${people}`;
    case "incident.acknowledged":
      return `Acknowledged by ${incident.acknowledgedBy ?? "somebody"}: ${summary}${since}`;
    case "incident.resolved": {
      const isSent = AWAITED.includes(incident.code) && data.lastSent !== null;
      const end = incident.ending ??
        (isSent ? `last sent ${shortMoment(data.lastSent!, timestamp)}` : null);
      return `Resolved${incident.resolvedBy ? ` by ${incident.resolvedBy}` : ""}: ${summary}` +
        (end === null ? "" : `; ${end}`);
    }
  }
}

function affectedWords(
  { incident: { code }, people, lastSent }: EventData,
  timestamp: string,
): string {
  const who = people ? `; ${formatCountOf(people, "person", "people")}` : "";
  // The run with less content is the last that was sent.
  if (code === "empty-delivery") return who && `${who} got it`;
  const isAwaited = AWAITED.includes(code);
  if (!isAwaited && code !== "missed") return "";
  const wait = people === 1 ? "waits" : "wait";
  const predicate = isAwaited ? `${wait} for the report` : "did not get the report";
  return (who && `${who} ${predicate}`) +
    (lastSent ? `${who ? "," : ";"} last sent ${shortMoment(lastSent, timestamp)}` : "");
}

export function toTitle(messages: readonly Message[]): string {
  if (messages.length === 1) return toSummary(messages[0].event);
  const during = messages[0].isHeld ? " during quiet hours" : "";
  const rank = ({ event: { type, data } }: Message) =>
    type !== "incident.opened" ? 2 : data.incident.severity === "critical" ? 0 : 1;
  const [{ event }] = messages.toSorted((a, b) => rank(a) - rank(b));
  return `${messages.length} changes of incidents${during}, such as ${toSummary(event)}`;
}

/** What an incident is about, such as `Schedule 101 (Sales)`; by its code if it has no schedule. */
export function aboutWords(
  schedule: { readonly id: number; readonly name: string } | null,
  code: string,
): string {
  if (!schedule) return ["channel-failing", "behind"].includes(code) ? "Docket" : "The service";
  return `Schedule ${schedule.id}${schedule.name ? ` (${schedule.name})` : ""}`;
}

/** Since when an incident's reason holds; null if its latest cause began after it was found. */
export function knownSince({ opened, reason: { since } }: StoredIncident): number | null {
  return since !== null && since <= opened ? since : null;
}

/**
 * The title of an incident. Without names, it does not name the schedule, and has no capital letter
 * but that of a name.
 */
export function incidentTitle(
  incident: StoredIncident,
  names: ReadonlyMap<number, string> | null,
  moment: Parameters<typeof reasonText>[1],
): string {
  const { reason, scheduleId, ending, resolved } = incident;
  const words = reasonText(reason, moment) +
    (ending && resolved !== null ? `; ${endingText(ending, resolved, reason, moment)}` : "");
  const safe = (text: string) => withoutDirections(maskAddresses(text));
  if (!names) return safe(words);
  const schedule = scheduleId === null
    ? null
    : { id: scheduleId, name: names.get(scheduleId) ?? "" };
  return safe(`${aboutWords(schedule, incident.code)}: ${words}`);
}

/** What to do about an incident; empty for a code of another version of Docket. */
export function nextStep(code: string): string {
  const [before, linked = "", , after = ""] = adviceParts(code);
  return before + linked + after;
}

/** What to do, if a message says that something is wrong. */
export function nextSteps({ type, data }: OutletEvent): readonly string[] {
  const isWrong = type === "incident.opened" || type === "incident.grew";
  const step = isWrong && nextStep(data.incident.code);
  return step ? [step] : [];
}

export function incidentLines(event: OutletEvent): string[] {
  if (event.type === "test") return [];
  return [...nextSteps(event), `Severity: ${event.data.incident.severity}`];
}

/** The words of the link in a message. A test is about no incident. */
export function linkWords({ type }: OutletEvent): string {
  return type === "test" ? "Open all incidents" : "Open the incident";
}

/** A time to the minute, such as `2026-03-10T06:00Z`; a dash for null. */
export function momentText(time: number | null): string {
  return time === null ? "-" : `${new Date(time).toISOString().slice(0, 16)}Z`;
}

/** A time such as `Mon 9 Mar 06:00 UTC`, with the year if that of the message is another one. */
function shortMoment(isoText: string, timestamp: string): string {
  return momentsIn("UTC", undefined, undefined, Date.parse(timestamp))(Date.parse(isoText));
}
