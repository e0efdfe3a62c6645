/** Incidents in a few words, for emails and alerts. */
import { evidenceFacts } from "../../lib/judgement/evidence_words.ts";
import type { ReasonCode } from "../../lib/judgement/reason.ts";
import { reasonWords } from "../../lib/judgement/reason_words.ts";
import { formatCountOf } from "../../lib/format.ts";
import type { StoredIncident } from "../store/observer/types.ts";
import { eventOf, isoText, type OutletEvent } from "./event.ts";

/** One line, such as `Schedule 101 (Sales): failing for 2 runs, since 2026-03-10 06:00 UTC`. */
export function summaryOf(event: OutletEvent): string {
  const { type, data: { incident, reason } } = event;
  if (type === "test") return "This is a test of Docket";
  const since = reason.since ? `, since ${shortMoment(reason.since)}` : "";
  const summary = titleOf(event);
  switch (type) {
    case "incident.opened":
      return summary + since;
    case "incident.acknowledged":
      return `Acknowledged by ${incident.acknowledgedBy ?? "somebody"}: ${summary}${since}`;
    case "incident.resolved":
      return `Resolved: ${summary}`;
  }
}

/** What is wrong and where, without since when. */
function titleOf({ data: { incident, schedule, reason } }: OutletEvent): string {
  const name = schedule?.name ? ` (${schedule.name})` : "";
  const who = schedule ? `Schedule ${schedule.id}${name}` : "The service";
  return `${who}: ${incidentWords(incident.code, reason.evidence)}`;
}

/** What an incident says and since when, for a terminal: in UTC. */
export function incidentSummary(
  incident: StoredIncident,
  names: ReadonlyMap<number, string>,
): string {
  return summaryOf(openedEvent(incident, names));
}

/**
 * What an incident says, for a page, which shows since when in the reader's zone; without its
 * schedule where the names are null.
 */
export function incidentTitle(
  incident: StoredIncident,
  names: ReadonlyMap<number, string> | null,
): string {
  const title = titleOf(openedEvent(incident, names));
  if (names) return title;
  const words = title.slice(title.indexOf(": ") + 2);
  return words[0].toUpperCase() + words.slice(1);
}

function openedEvent(
  incident: StoredIncident,
  names: ReadonlyMap<number, string> | null,
): OutletEvent {
  return eventOf(incident, {
    type: "incident.opened",
    at: incident.seen,
    scheduleName: names?.get(incident.scheduleId ?? NaN) ?? "",
    origin: "",
  });
}

function incidentWords(
  code: string,
  evidence: OutletEvent["data"]["reason"]["evidence"],
): string {
  if (code === "unreadable") return "can't be read";
  if (code === "stale") return "gives stale answers";
  if (code === "clock" && evidence.serviceIsAheadBySeconds) return "its clock is off";
  // Incidents are stored as they were written; all other codes come from `judgeSchedule`.
  return reasonWords({ code: code as ReasonCode, evidence }) ?? `incident ${code}`;
}

/** The numbers and runs behind a reason, one per line. */
export function evidenceLines({ data: { incident, reason } }: OutletEvent): string[] {
  const { runs, evidence } = reason;
  const known = Object.fromEntries(
    Object.entries(evidence).filter(([name, value]) =>
      value !== null && (value !== false || name === "confirmed")
    ),
  );
  return [
    `Severity: ${incident.severity}`,
    ...(incident.flaps > 0
      ? [`Opened again: ${formatCountOf(incident.flaps, "time", "times")}`]
      : []),
    ...(runs.length > 0 ? [`Runs: ${runs.join(", ")}`] : []),
    ...evidenceFacts({ code: incident.code, evidence: known }).map(({ name, value }) =>
      `${name}: ${typeof value === "string" ? value : shortMoment(isoText(value.at))}`
    ),
  ];
}

/** A time to the minute, such as `2026-03-10T06:00Z`; a dash if there is none. */
export function momentText(moment: number | null): string {
  return moment === null ? "-" : `${new Date(moment).toISOString().slice(0, 16)}Z`;
}

function shortMoment(isoText: string): string {
  return `${isoText.slice(0, 16).replace("T", " ")} UTC`;
}
