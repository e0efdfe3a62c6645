import { assertEquals, assertMatch } from "@std/assert";
import { transition } from "../../../lib/judgement/incidents/transition.ts";
import { incidentRow, subjectOf } from "../../../server/pages/incident_rows.ts";
import type { StoredIncident } from "../../../server/store/records/incidents.ts";
import { OPENED } from "../../planted_incident.ts";
import { sampleReason } from "../../sample_reasons.ts";

Deno.test("incidentRow: says since when only of what began before it was found", () => {
  const sinceOf = (since: number) => {
    const [{ incident }] = transition<StoredIncident>(
      ...[[], [], [sampleReason("overdue", { since })]] as const,
      { now: OPENED, scheduleId: 101 },
    );
    return incidentRow({ ...incident, version: 1 }, { now: OPENED, zone: "UTC" }).since;
  };
  assertEquals([sinceOf(OPENED - 1), sinceOf(OPENED + 1)], [OPENED - 1, null]);
});

Deno.test("incidentRow: a summary that begins with a report's name keeps its capital letter", () => {
  const reason = sampleReason("unknown-status");
  const of = { scheduleId: 13, name: "Billing", schedules: 1 };
  const [{ incident }] = transition<StoredIncident>([], [], [{ ...reason, of }], {
    now: OPENED,
    scheduleId: null,
  });
  const { summary } = incidentRow({ ...incident, version: 1 }, { now: OPENED, zone: "UTC" });
  assertMatch(summary, /^Billing finished with /);
});

Deno.test("subjectOf: names the schedule, or who can't work without one", () => {
  const name = (scheduleId: number | null, code: StoredIncident["code"], known?: string) =>
    subjectOf({ scheduleId, code }, known);
  assertEquals(name(7, "failing", "Sales"), "Sales");
  assertEquals(name(7, "failing"), "Schedule 7");
  assertEquals(name(null, "unreadable"), "The service");
  assertEquals(name(null, "channel-failing"), "Docket");
});
