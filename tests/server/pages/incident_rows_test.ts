import { assertEquals } from "@std/assert";
import { transition } from "../../../lib/judgement/incidents/transition.ts";
import { incidentRow } from "../../../server/pages/incident_rows.ts";
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
