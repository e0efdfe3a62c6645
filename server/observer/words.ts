/** Incidents in a few words, for mails and alerts. */
import type { OutletEvent } from "./event.ts";

/** What each reason says of a schedule. */
const PHRASES: Readonly<Record<string, string>> = {
  "failing": "is failing",
  "overdue": "has an overdue run",
  "missed": "missed a run",
  "late": "runs late",
  "stuck": "has a run that does not end",
  "made-up-by-hand": "fails, and people repair it by hand",
  "unknown-status": "has runs with an unknown status",
  "outside-recipient": "was sent to somebody outside",
  "recipients-dropped": "was sent to far fewer people",
  "sent-to-nobody": "was sent to nobody",
  "hollow-success": "succeeds without its content",
  "size-jump": "changed in size",
  "slower": "takes longer than usual",
  "flaky": "fails now and then",
  "clock": "has runs with impossible times",
  "inconsistent": "has runs that do not add up",
  "unread": "could not be read whole",
  "never-ran": "never ran",
  "blind": "cannot be watched",
  "test": "is a test of this outlet",
};

/** One line, such as `Schedule 101 (Sales) is failing since 2026-03-10 06:00 UTC`. */
export function summaryOf({ type, data: { incident, schedule, reason } }: OutletEvent): string {
  if (type === "test") return "This is a test of Docket";
  const name = schedule?.name ? ` (${schedule.name})` : "";
  const who = schedule ? `Schedule ${schedule.id}${name}` : "The service";
  const what = PHRASES[incident.code] ?? `has the incident ${incident.code}`;
  const since = reason.since ? ` since ${shortMoment(reason.since)}` : "";
  switch (type) {
    case "incident.opened":
      return `${who} ${what}${since}`;
    case "incident.acknowledged":
      return `Acknowledged: ${who} ${what}${since}`;
    case "incident.resolved":
      return `Resolved: ${who} ${what} no longer`;
  }
}

/** The numbers and runs behind a reason, a line each. */
export function evidenceLines({ data: { incident, reason } }: OutletEvent): string[] {
  const { runs, evidence } = reason;
  return [
    `Severity: ${incident.severity}`,
    ...(incident.flaps > 0 ? [`Opened again: ${incident.flaps} times`] : []),
    ...(runs.length > 0 ? [`Runs: ${runs.join(", ")}`] : []),
    ...Object.entries(evidence).map(([name, value]) => `${name}: ${value}`),
  ];
}

function shortMoment(isoText: string): string {
  return `${isoText.slice(0, 16).replace("T", " ")} UTC`;
}
