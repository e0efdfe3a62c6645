import { assertEquals, assertMatch, assertObjectMatch } from "@std/assert";
import {
  incidentLines,
  incidentTitle,
  momentText,
  nextStep,
  toSummary,
} from "../../../server/observer/words.ts";
import { type OutletEvent, toEvent } from "../../../server/observer/event.ts";
import type { StoredIncident } from "../../../server/store/records/incidents.ts";
import { incident as incidentWith } from "../store/records/incident.ts";
import { event } from "./events.ts";
import { CODES, sampleReason } from "../../sample_reasons.ts";

const reason = sampleReason("unknown-status", { since: null, status: "ada@example.com" });
const { code, severity } = reason;
const more = { scheduleId: 1, code, severity, reason, opened: 0, notified: null };
const incident = incidentWith("1-unknown-status-0", more);

Deno.test("toSummary: says as pages do what an incident is", () => {
  const about = (
    type: OutletEvent["type"],
    incident: Parameters<typeof event>[1] = {},
    more: Partial<OutletEvent["data"]> = {},
  ) => {
    const { data, ...rest } = event(type, incident);
    return toSummary({ ...rest, data: { ...data, ...more } });
  };
  const failing = "Schedule 101 (Sales <b>): failing for 2 runs";
  const since = ", since Tue 10 Mar 06:00 UTC";
  const ending = "it went out Wed 18 Nov 08:58, 1 h 58 min late";
  const { data } = event();
  // A service's clock that is ahead: what it says has not come yet.
  const later = { ...data.reason, since: "2027-03-10T06:00:00.000Z" };
  const [people, lastSent] = [1, "2026-03-09T06:00:00.000Z"];
  const last = "last sent Mon 9 Mar 06:00 UTC";
  const said = [
    [about("incident.opened"), failing + since],
    [about("incident.opened", { code: "missed" }), failing],
    [about("incident.opened", { code: "sent-twice" }), failing],
    [about("incident.opened", {}, { reason: later }), failing],
    [
      about("incident.opened", {}, { people, lastSent }),
      `${failing}${since}; 1 person waits for the report, ${last}`,
    ],
    [about("incident.opened", { code: "missed" }, { lastSent }), `${failing}; ${last}`],
    [about("incident.grew"), `More: ${failing}${since}`],
    [
      about("incident.passed", { code: "missed" }, { people: 2 }),
      `${failing}; a later one ran; 2 people did not get the report`,
    ],
    [
      about("incident.opened", { code: "empty-delivery" }, { people: 2, lastSent }),
      `${failing}${since}; 2 people got a report without its content`,
    ],
    [
      about("incident.acknowledged", { acknowledgedBy: "Ada" }),
      `Acknowledged by Ada: ${failing}${since}`,
    ],
    [about("incident.resolved", { ending }, { lastSent }), `Resolved: ${failing}; ${ending}`],
    [about("incident.resolved", {}, { lastSent }), `Resolved: ${failing}; ${last}`],
    // Of a report that goes out once a year.
    [
      about("incident.resolved", {}, { lastSent: "2025-03-10T06:00:00.000Z" }),
      `Resolved: ${failing}; last sent Mon 10 Mar 2025 06:00 UTC`,
    ],
    [about("incident.resolved", { code: "slower" }, { lastSent }), `Resolved: ${failing}`],
    [about("incident.resolved", { resolvedBy: "Ada" }), `Resolved by Ada: ${failing}`],
    [
      about("incident.resolved", { code: "unreadable" }, { schedule: null }),
      "Resolved: The service: failing for 2 runs",
    ],
    [
      about("incident.resolved", { code: "behind" }, { schedule: null }),
      "Resolved: Docket: failing for 2 runs",
    ],
  ];
  assertEquals(said.map(([text]) => text), said.map(([, expected]) => expected));
});

Deno.test("incidentLines: what to do and how severe it is; no ids of runs", () => {
  assertEquals(incidentLines(event("incident.resolved")), ["Severity: critical"]);
  assertEquals(incidentLines(event("incident.opened")), [
    "Find out why the latest run failed, and run the report again.",
    "Severity: critical",
  ]);
});

Deno.test("nextStep: every code that opens an incident has one", () => {
  for (const code of CODES) assertMatch(nextStep(code), /^[A-Z][^[]*\.$/, code);
  assertEquals(nextStep("later-problem"), "");
});

Deno.test("incidentTitle: says what is wrong, and how it ended if that is known", () => {
  const titleOf = (some: Partial<StoredIncident>) =>
    incidentTitle({ ...incident, ...some }, new Map([[1, "Sales"]]), { zone: "Europe/Berlin" });
  const wrong = "1 run ended with a…@example.com, so the result is unknown";
  assertEquals(titleOf({}), `Schedule 1 (Sales): ${wrong}`);
  assertEquals(incidentTitle(incident, null, { zone: "UTC" }), wrong);
  const due = Date.UTC(2026, 10, 24, 14);
  const resolved = due + 8_000_000;
  const listed = titleOf({ resolved, ending: { how: "listed", due, at: due, isGood: true } });
  assertMatch(listed, /; it went out Tue 24 Nov 15:00, and was listed Tue 24 Nov 17:13$/);
});

Deno.test("toEvent: what is wrong in words, without an address, and with times as texts", () => {
  const options = { type: "incident.opened", at: 0, facts: { name: "" }, origin: "" } as const;
  const { text } = toEvent(incident, options).data.reason;
  assertEquals(text, "1 run ended with a…@example.com, so the result is unknown");
  const failing = sampleReason("failing", { since: 0, lastGood: null });
  const origin = "https://docket.example.com";
  const { reason: shown, url } =
    toEvent({ ...incident, reason: failing }, { ...options, origin }).data;
  assertEquals(url, `${origin}/incidents/${incident.id}`);
  assertObjectMatch(shown, { since: "1970-01-01T00:00:00.000Z", lastGood: null, count: 2 });
});

Deno.test("momentText: a time to the minute, and a dash for none", () => {
  assertEquals([0, null].map(momentText), ["1970-01-01T00:00Z", "-"]);
});
