import { assertEquals, assertMatch, assertObjectMatch } from "@std/assert";
import {
  incidentLines,
  incidentTitle,
  linkWords,
  momentText,
  nextStep,
  toSummary,
  toTitle,
} from "../../../server/observer/words.ts";
import { toEvent } from "../../../server/observer/event.ts";
import type { StoredIncident } from "../../../server/store/records/incidents.ts";
import { incident as incidentWith } from "../store/records/stored_rows.ts";
import { event } from "./events.ts";
import { CODES, sampleReason } from "../../sample_reasons.ts";

const reason = sampleReason("unknown-status", { since: null, statuses: ["ada@example.com"] });
const { code, severity } = reason;
const incident = incidentWith("1-unknown-status-0", { scheduleId: 1, code, severity, reason });

Deno.test("toSummary, toTitle: say as pages do what an incident is", () => {
  const failing = "Schedule 101 (Sales <b>): failing for 2 runs";
  const since = ", since Tue 10 Mar 06:00 UTC";
  const ending = "it went out Wed 18 Nov 08:58, 1 h 58 min late";
  const { reason } = event().data;
  // A service's clock that is ahead: what it says has not come yet.
  const later = { reason: { ...reason, since: "2027-03-10T06:00:00.000Z" } };
  const lastSent = "2026-03-09T06:00:00.000Z";
  const last = "last sent Mon 9 Mar 06:00 UTC";
  const waits = `${failing}${since}; 1 person waits for the report, ${last}`;
  const lost = `${failing}; a later one ran; 2 people did not get the report`;
  const empty = `${failing}${since}; 2 people got it`;
  // Of a report that goes out once a year.
  const yearly = { lastSent: "2025-03-10T06:00:00.000Z" };
  const ofNone = { schedule: null };
  /** What happened, members of the incident, those of the event's data, and the sentence. */
  const rows = [
    ["opened", {}, {}, failing + since],
    ["opened", { code: "missed" }, {}, failing],
    ["opened", { code: "sent-twice" }, { people: 2, lastSent }, failing],
    ["opened", {}, later, failing],
    ["opened", {}, { people: 1, lastSent }, waits],
    ["opened", { code: "missed" }, { lastSent }, `${failing}; ${last}`],
    ["grew", {}, {}, `More: ${failing}${since}`],
    ["passed", { code: "missed" }, { people: 2 }, lost],
    ["opened", { code: "empty-delivery" }, { people: 2, lastSent }, empty],
    ["acknowledged", { acknowledgedBy: "Ada" }, {}, `Acknowledged by Ada: ${failing}${since}`],
    ["resolved", { ending }, { lastSent }, `Resolved: ${failing}; ${ending}`],
    ["resolved", {}, { lastSent }, `Resolved: ${failing}; ${last}`],
    ["resolved", {}, yearly, `Resolved: ${failing}; last sent Mon 10 Mar 2025 06:00 UTC`],
    ["resolved", { code: "slower" }, { lastSent }, `Resolved: ${failing}`],
    ["resolved", { resolvedBy: "Ada" }, {}, `Resolved by Ada: ${failing}`],
    ["resolved", { code: "unreadable" }, ofNone, "Resolved: The service: failing for 2 runs"],
    ["resolved", { code: "behind" }, ofNone, "Resolved: Docket: failing for 2 runs"],
  ] as const;
  for (const [type, incident, more, sentence] of rows) {
    const { data, ...rest } = event(`incident.${type}`, incident);
    assertEquals(toSummary({ ...rest, data: { ...data, ...more } }), sentence);
  }
  // Of several changes, the most urgent is named.
  const seen = event("incident.opened", { severity: "warning", acknowledgedBy: "Ada" });
  const all = [event("incident.resolved"), seen, event()].map((event) => ({ id: "msg_1", event }));
  assertEquals(toTitle(all), `3 changes of incidents, such as ${failing}${since}`);
});

Deno.test("incidentLines: the next step that each code has while open, and its severity", () => {
  const step = "Find out why the latest run failed, and run the report again.";
  for (const type of ["opened", "grew", "resolved"] as const) {
    const steps = type === "resolved" ? [] : [step];
    assertEquals(incidentLines(event(`incident.${type}`)), [...steps, "Severity: critical"]);
  }
  assertEquals([incidentLines(event("test")), linkWords(event("test"))], [
    [],
    "Open all incidents",
  ]);
  for (const code of CODES) assertMatch(nextStep(code), /^[A-Z][^[(]*\.$/, code);
  assertEquals(nextStep("later-problem"), "");
});

Deno.test("incidentTitle, toEvent: what is wrong and how it ended, without an address", () => {
  const zone = "Europe/Berlin";
  const title = (more: Partial<StoredIncident>, names: ReadonlyMap<number, string> | null = null) =>
    incidentTitle({ ...incident, ...more }, names, { zone });
  const wrong = "1 run ended with a…@example.com, so the result is unknown";
  assertEquals(title({}, new Map([[1, "Sales"]])), `Schedule 1 (Sales): ${wrong}`);
  const due = Date.UTC(2026, 10, 24, 14);
  const ending = { how: "listed", due, at: due, isGood: true } as const;
  const several = sampleReason("overdue", { count: 2 });
  const endings = [
    [
      { ending, resolved: due + 8_000_000 },
      /went out Tue 24 Nov 15:00, .* listed Tue 24 Nov 17:13$/,
    ],
    [{ ending: { how: "past" }, resolved: due }, /; it is over, or usual by now$/],
    [{ ending: { how: "unwatched" }, resolved: due }, /; it is no longer watched$/],
    [{ ending, resolved: due, reason: several }, /2 runs .*; the first went out/],
  ] as const;
  for (const [more, words] of endings) assertMatch(title(more), words);
  const origin = "https://docket.example.com";
  const dataOf = (reason: StoredIncident["reason"]) =>
    toEvent({ ...incident, reason }, { type: "incident.opened", at: 0, facts: {}, origin }).data;
  assertEquals(dataOf(reason).reason.text, wrong);
  // A status of the service adds no line to a message, and no half of a character.
  const statuses = ["X\nOpen: \ud83d https://evil.example"];
  const { text } = dataOf(sampleReason("unknown-status", { statuses })).reason;
  assertMatch(text, /^1 run ended with X\ufffdOpen: \ufffd https:\/\/evil.example, so/);
  const failing = dataOf(sampleReason("failing", { since: 0, lastGood: null }));
  assertEquals(failing.url, `${origin}/incidents/${incident.id}`);
  assertObjectMatch(failing.reason, {
    since: "1970-01-01T00:00:00.000Z",
    lastGood: null,
    count: 2,
  });
  for (const code of CODES) {
    const sent = JSON.stringify(dataOf(sampleReason(code)).reason);
    assertEquals(sent.match(/"\w+":\d{13}/g), null, "a time that TIMES does not name");
  }
  // A time to the minute, and a dash for none.
  assertEquals([0, null].map(momentText), ["1970-01-01T00:00Z", "-"]);
});
