/** Events for the tests of outlets. */
import type { OutletEvent } from "../../../server/observer/event.ts";

export const OPENED = "2026-03-10T06:00:00.000Z";

/** An event of an incident of schedule 101. */
export function event(
  type: OutletEvent["type"] = "incident.opened",
  incident: Partial<OutletEvent["data"]["incident"]> = {},
): OutletEvent {
  return {
    type,
    timestamp: OPENED,
    data: {
      incident: {
        id: "101-failing-1",
        code: "failing",
        severity: "critical",
        opened: OPENED,
        resolved: null,
        acknowledgedBy: null,
        resolvedBy: null,
        ending: null,
        ...incident,
      },
      schedule: { id: 101, name: "Sales <b>" },
      reason: { text: "failing for 2 runs", since: OPENED, runs: [4, 5] },
      people: null,
      lastSent: null,
      url: "https://docket.example.com/incidents/101-failing-1",
    },
  };
}
