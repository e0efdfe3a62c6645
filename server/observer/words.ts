/** Incidents in a few words, for emails, alerts and pages. */
import { reasonText } from "../../lib/judgement/reason_text.ts";
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { withoutDirections } from "../../lib/terminal.ts";
import { formatCountOf } from "../../lib/format.ts";
import type { StoredIncident } from "../store/observer/types.ts";
import type { EventData, OutletEvent } from "./event.ts";
import type { Message } from "./outlets/outlet.ts";

/** Codes of reasons whose text says when. */
const DATED: readonly string[] = ["overdue", "missed"];
/** Codes of incidents in which people still wait for a report, and in which they did not get it. */
const AWAITED: readonly string[] = ["failing", "overdue", "stuck"];
const WITHOUT: readonly string[] = ["missed", "empty-delivery"];

/**
 * A complete sentence, such as `Schedule 101 (Sales): failing for 2 runs, since
 * 2026-03-10 06:00 UTC; 14 people wait for the report, last sent 2026-03-09 06:00 UTC`.
 */
export function summaryOf({ type, data }: OutletEvent): string {
  const { incident, schedule, reason } = data;
  if (type === "test") return "This is a test of Docket";
  // By a clock that is ahead, it begins later than it is noticed.
  const isDated = reason.since === null || DATED.includes(incident.code) ||
    reason.since > incident.opened;
  const since = isDated ? "" : `, since ${shortMoment(reason.since!)}`;
  const summary = `${aboutWords(schedule, incident.code)}: ${reason.text}`;
  switch (type) {
    case "incident.opened":
      return summary + since + peopleWords(data);
    case "incident.acknowledged":
      return `Acknowledged by ${incident.acknowledgedBy ?? "somebody"}: ${summary}${since}`;
    case "incident.resolved":
      return `Resolved${incident.resolvedBy ? ` by ${incident.resolvedBy}` : ""}: ${summary}`;
  }
}

function peopleWords({ incident: { code }, people, lastSent }: EventData): string {
  const isAwaited = AWAITED.includes(code);
  if (!isAwaited && !WITHOUT.includes(code)) return "";
  const wait = people === 1 ? "waits" : "wait";
  const what = isAwaited ? `${wait} for the report` : "did not get the report";
  return (people ? `; ${formatCountOf(people, "person", "people")} ${what}` : "") +
    (lastSent ? `${people ? "," : ";"} last sent ${shortMoment(lastSent)}` : "");
}

export function titleOf(messages: readonly Message[]): string {
  if (messages.length === 1) return summaryOf(messages[0].event);
  const during = messages[0].isHeld ? " during quiet hours" : "";
  return `${messages.length} changes of incidents${during}`;
}

function aboutWords(
  schedule: { readonly id: number; readonly name: string } | null,
  code: string,
): string {
  if (!schedule) return ["channel-failing", "behind"].includes(code) ? "Docket" : "The service";
  return `Schedule ${schedule.id}${schedule.name ? ` (${schedule.name})` : ""}`;
}

/** What an incident says; without its schedule where the names are null. */
export function incidentTitle(
  incident: StoredIncident,
  names: ReadonlyMap<number, string> | null,
  zone: string,
): string {
  const { reason, scheduleId } = incident;
  const words = reasonText(reason, { zone });
  const shown = (text: string) => withoutDirections(maskAddresses(text));
  if (!names) return shown(words[0].toUpperCase() + words.slice(1));
  const schedule = scheduleId === null
    ? null
    : { id: scheduleId, name: names.get(scheduleId) ?? "" };
  return shown(`${aboutWords(schedule, incident.code)}: ${words}`);
}

/** Its severity, and how often it came back, one per line. Its page names the runs by their time. */
export function incidentLines({ data: { incident } }: OutletEvent): string[] {
  const { severity, flaps } = incident;
  return [
    `Severity: ${severity}`,
    ...(flaps > 0 ? [`Came back: ${formatCountOf(flaps, "time", "times")}`] : []),
  ];
}

/** A time to the minute, such as `2026-03-10T06:00Z`; a dash if there is none. */
export function momentText(moment: number | null): string {
  return moment === null ? "-" : `${new Date(moment).toISOString().slice(0, 16)}Z`;
}

function shortMoment(isoText: string): string {
  return `${isoText.slice(0, 16).replace("T", " ")} UTC`;
}
