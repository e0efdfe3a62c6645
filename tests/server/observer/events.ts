/** Events for the tests of outlets. */
import { type OutletEvent, toEvent } from "../../../server/observer/event.ts";
import { sampleReason } from "../../sample_reasons.ts";
import { incident as incidentWith } from "../store/records/stored_rows.ts";

export const OPENED = "2026-03-10T06:00:00.000Z";

/** An event of an incident of schedule 101. */
export function event(
  type: OutletEvent["type"] = "incident.opened",
  incident: Partial<OutletEvent["data"]["incident"]> = {},
): OutletEvent {
  const at = Date.parse(OPENED);
  const reason = sampleReason("failing", { severity: "critical", since: at, runs: [4, 5] });
  const failing = incidentWith("101-failing-1", { scheduleId: 101, reason, opened: at });
  const options = { type, at, facts: { name: "Sales <b>" }, origin: "https://docket.example.com" };
  const { data, ...rest } = toEvent(failing, options);
  return { ...rest, data: { ...data, incident: { ...data.incident, ...incident } } };
}
