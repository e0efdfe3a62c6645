/** A verdict as it is stored, for tests that need one. */
import { NO_LAG, type StoredVerdict } from "../../../../server/store/records/verdicts.ts";
import { NOW } from "./incident.ts";

/** A verdict on a healthy schedule, with these members. */
export function verdictOf(scheduleId: number, more: Partial<StoredVerdict> = {}): StoredVerdict {
  return {
    scheduleId,
    judged: NOW,
    holdsUntil: NOW + 60,
    state: "up",
    headline: "healthy",
    planSource: null,
    lastSuccess: null,
    nextDue: null,
    overdue: 0,
    failing: 0,
    strip: [],
    day: [],
    people: null,
    reached: "",
    details: {
      reasons: [],
      plan: null,
      missed: [],
      missedCount: 0,
      overdue: [{ at: NOW, id: "x" }],
      lag: NO_LAG,
      waitsMs: 0,
      repairedBy: null,
      oldest: null,
    },
    ...more,
  };
}
