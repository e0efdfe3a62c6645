/** Prometheus Alertmanager: alerts are sent again while an incident is open. */
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import { isoText, type OutletEvent } from "../event.ts";
import { toSummary } from "../words.ts";
import { type Outlet, postJson, type Send } from "./outlet.ts";

/** Long, so that alerts are not resolved when the observer stops. */
const EXPIRES_MS = DAY;
const TEST_MS = MINUTE;

export function alertmanagerOutlet(baseUrl: string, send?: Send): Outlet {
  const base = new URL(baseUrl);
  const headers = toAuthorization(base);
  base.username = base.password = "";
  const url = `${base.href.replace(/\/$/, "")}/api/v2/alerts`;
  const repeat = (events: readonly OutletEvent[], now: number): Promise<void> =>
    postJson(url, latestOfEach(events).map((event) => toAlert(event, now)), send, headers);
  return {
    name: "alertmanager",
    send: (messages, now) => repeat(messages.map(({ event }) => event), now),
    repeat,
  };
}

/** Basic authentication with the user and the password of a URL, if it has any. */
function toAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (!username && !password) return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${new TextEncoder().encode(text).toBase64()}` };
}

/** The last event of each alert: Alertmanager ignores the order within a request. */
function latestOfEach(events: readonly OutletEvent[]): OutletEvent[] {
  return [...new Map(events.map((event) => [JSON.stringify(toLabels(event)), event])).values()];
}

function toLabels({ type, data: { incident, schedule } }: OutletEvent): Record<string, string> {
  // What has passed ends the alert that was sent while it was overdue.
  const { code, severity } = type === "incident.passed"
    ? { code: "overdue", severity: "critical" }
    : incident;
  return {
    alertname: "DocketIncident",
    ...(schedule ? { schedule_id: String(schedule.id) } : {}),
    code,
    severity,
  };
}

function toAlert(event: OutletEvent, now: number) {
  const { type, data: { incident, schedule, url } } = event;
  const isTest = type === "test";
  const end = isTest ? now + TEST_MS : now + EXPIRES_MS;
  const { opened } = incident;
  const resolved = type === "incident.passed" ? event.timestamp : incident.resolved;
  return {
    labels: toLabels(event),
    annotations: {
      summary: toSummary(event),
      incident: incident.id,
      ...(schedule?.name ? { schedule: schedule.name } : {}),
    },
    startsAt: opened,
    // After a clock was set back, an alert could end before it starts, and would be refused.
    endsAt: resolved === null ? isoText(end) : resolved < opened ? opened : resolved,
    generatorURL: url,
  };
}
