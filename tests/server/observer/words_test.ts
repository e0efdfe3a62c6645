import { assertEquals, assertMatch } from "@std/assert";
import {
  incidentLines,
  incidentTitle,
  nextStep,
  summaryOf,
} from "../../../server/observer/words.ts";
import { eventOf } from "../../../server/observer/event.ts";
import type { StoredIncident } from "../../../server/store/records/incidents.ts";
import { incident as incidentWith } from "../store/records/records_contract.ts";
import { event } from "./events.ts";
import { sampleReason } from "../../sample_reasons.ts";

const reason = sampleReason("unknown-status", { since: null, status: "ada@example.com" });
const { code, severity } = reason;
const more = { scheduleId: 1, code, severity, reason, opened: 0, notified: null };
const incident = incidentWith("1-unknown-status-0", more);

Deno.test("summaryOf: says as pages do what an incident is", () => {
  assertEquals(
    summaryOf(event()),
    "Schedule 101 (Sales <b>): failing for 2 runs, since 2026-03-10 06:00 UTC",
  );
  assertEquals(
    summaryOf(event("incident.acknowledged", { acknowledgedBy: "Ada" })),
    "Acknowledged by Ada: Schedule 101 (Sales <b>): failing for 2 runs, since 2026-03-10 06:00 UTC",
  );
  assertEquals(
    summaryOf(event("incident.grew")),
    "More: Schedule 101 (Sales <b>): failing for 2 runs, since 2026-03-10 06:00 UTC",
  );
  assertEquals(
    summaryOf(event("incident.passed", { code: "missed" })),
    "Schedule 101 (Sales <b>): failing for 2 runs; a later one ran",
  );
  const ending = "it went out on 18 Nov, 08:58, 1 h 58 min late";
  assertEquals(
    summaryOf(event("incident.resolved", { ending })),
    `Resolved: Schedule 101 (Sales <b>): failing for 2 runs; ${ending}`,
  );
  // The text says when.
  assertEquals(
    summaryOf(event("incident.opened", { code: "missed" })),
    "Schedule 101 (Sales <b>): failing for 2 runs",
  );
  assertEquals(
    summaryOf(event("incident.resolved", { resolvedBy: "Ada" })),
    "Resolved by Ada: Schedule 101 (Sales <b>): failing for 2 runs",
  );
  // A service's clock that is ahead: what it says has not come yet.
  const { data: ahead, ...opened } = event();
  const later = { ...ahead.reason, since: ahead.incident.opened.replace("2026", "2027") };
  assertEquals(
    summaryOf({ ...opened, data: { ...ahead, reason: later } }),
    "Schedule 101 (Sales <b>): failing for 2 runs",
  );
  const { data, ...rest } = event("incident.resolved", { code: "unreadable" });
  assertEquals(
    summaryOf({ ...rest, data: { ...data, schedule: null } }),
    "Resolved: The service: failing for 2 runs",
  );
  const behind = { ...data.incident, code: "behind" };
  assertEquals(
    summaryOf({ ...rest, data: { ...data, incident: behind, schedule: null } }),
    "Resolved: Docket: failing for 2 runs",
  );
});

Deno.test("incidentLines: what to do and how severe it is; no ids of runs", () => {
  assertEquals(incidentLines(event("incident.resolved")), ["Severity: critical"]);
  assertEquals(incidentLines(event("incident.opened")), [
    "Find out why the latest run failed, and run the report again.",
    "Severity: critical",
  ]);
});

Deno.test("nextStep: every code that opens an incident has one", () => {
  const codes = "failing overdue missed late stuck started-by-hand unknown-status flaky clock " +
    "outside-recipient leaver-recipient recipients-dropped sent-to-nobody empty-delivery slower " +
    "size-jump sent-twice never-ran unreadable stale behind channel-failing";
  for (const code of codes.split(" ")) assertMatch(nextStep(code), /^[A-Z][^[]*\.$/, code);
  assertEquals(nextStep("later-problem"), "");
});

Deno.test("incidentTitle: says what is wrong, and how it ended if that is known", () => {
  const due = Date.UTC(2026, 10, 24, 14);
  const came = { due, at: due + 7_080_000, isGood: true };
  const resolved = due + 8_000_000;
  const titleOf = (some: Partial<StoredIncident>, zone = "UTC") =>
    incidentTitle({ ...incident, ...some }, new Map([[1, "Sales"]]), { zone });
  assertEquals(
    titleOf({}),
    "Schedule 1 (Sales): 1 run ended with a…@example.com, so the result is unknown",
  );
  assertMatch(incidentTitle(incident, null, { zone: "UTC" }), /^1 run ended with/);
  const late = titleOf({ resolved, ending: { how: "started", ...came } });
  assertMatch(late, /; it went out on 24 Nov, 15:58 UTC, 1 h 58 min late$/);
  const listed = titleOf(
    { resolved, ending: { how: "listed", ...came, at: due } },
    "Europe/Berlin",
  );
  assertMatch(listed, /; it went out on 24 Nov, 15:00, and was listed on 24 Nov, 17:13$/);
  const failed = titleOf({ resolved, ending: { how: "started", ...came, isGood: false } });
  assertMatch(failed, /; it started on 24 Nov, 15:58 UTC, 1 h 58 min late$/);
  const unplanned = titleOf({ resolved, ending: { how: "unplanned" } });
  assertMatch(unplanned, /; no run is planned for then any more$/);
});

Deno.test("eventOf: what is wrong in words, without an address", () => {
  const options = { type: "incident.opened", at: 0, facts: { name: "" }, origin: "" } as const;
  assertEquals(
    eventOf(incident, options).data.reason.text,
    "1 run ended with a…@example.com, so the result is unknown",
  );
});
