import { assertEquals } from "@std/assert";
import {
  FLAPPING_MS,
  type Incident,
  incidentChanges,
  type IncidentReason,
} from "../../../lib/runs/judge/incidents.ts";

const AT = Date.UTC(2026, 2, 10);

function reason(since: number | null, more: Partial<IncidentReason> = {}): IncidentReason {
  return { code: "failing", severity: "critical", since, runs: [5, 3], evidence: {}, ...more };
}

/** Opens an incident, and gives it. */
function opened(since: number | null, at = AT): Incident {
  const state = { scheduleId: 7, open: [], ended: [] };
  const [change] = incidentChanges(state, [reason(since)], { at, isMuted: false });
  return change.incident;
}

function changesOf(
  open: readonly Incident[],
  ended: readonly Incident[],
  reasons: readonly IncidentReason[],
  at: number,
  isMuted = false,
) {
  return incidentChanges({ scheduleId: 7, open, ended }, reasons, { at, isMuted })
    .map(({ incident, event, notify }) => [incident.id, event, notify]);
}

Deno.test("incidentChanges: named by schedule, code and beginning, and opened once", () => {
  const incident = opened(AT - 5);
  assertEquals(incident.id, `7-failing-${AT - 5}`);
  assertEquals(opened(null).id, "7-failing-3");
  assertEquals(changesOf([incident], [], [reason(AT - 5)], AT + 10), [[incident.id, null, null]]);
  // Information is no incident, and one code is one incident.
  const reasons = [reason(AT), reason(AT - 1), reason(AT, { code: "slower", severity: "info" })];
  assertEquals(changesOf([], [], reasons, AT).length, 1);
});

Deno.test("incidentChanges: a reason that began anew is another incident", () => {
  const incident = opened(AT - 5);
  assertEquals(changesOf([incident], [], [reason(AT + 5)], AT + 10), [
    [incident.id, "resolved", "resolved"],
    [`7-failing-${AT + 5}`, "opened", "opened"],
  ]);
});

Deno.test("incidentChanges: what comes back soon is the same incident, opened again", () => {
  const ended = { ...opened(AT - 5), resolved: AT };
  const soon = changesOf([], [ended], [reason(AT + 5)], AT + FLAPPING_MS);
  assertEquals(soon, [[ended.id, "reopened", "opened"]]);
  const late = changesOf([], [ended], [reason(AT + 5)], AT + FLAPPING_MS + 1);
  assertEquals(late, [[`7-failing-${AT + 5}`, "opened", "opened"]]);
});

Deno.test("incidentChanges: what a person resolved stays so until something new happens", () => {
  const ended = { ...opened(AT - 5), resolved: AT, resolvedBy: "Ada" };
  assertEquals(changesOf([], [ended], [reason(AT - 5)], AT + 10), []);
  assertEquals(changesOf([], [ended], [reason(AT + 5)], AT + 10).length, 1);
  // Without a known beginning, it is told again after a day.
  const day = 24 * 3_600_000;
  assertEquals(changesOf([], [ended], [reason(null)], AT + day - 1), []);
  assertEquals(changesOf([], [ended], [reason(null)], AT + day).length, 1);
});

Deno.test("incidentChanges: what is muted is told later, and not resolved before it was told", () => {
  const state = { scheduleId: 7, open: [], ended: [] };
  const [{ incident, notify }] = incidentChanges(state, [reason(AT)], { at: AT, isMuted: true });
  assertEquals([incident.notified, notify], [null, null]);
  assertEquals(changesOf([incident], [], [reason(AT)], AT + 1, true), [[incident.id, null, null]]);
  assertEquals(changesOf([incident], [], [reason(AT)], AT + 2), [
    [incident.id, "notified", "opened"],
  ]);
  assertEquals(changesOf([incident], [], [], AT + 3), [[incident.id, "resolved", null]]);
  const mutedItself = { ...incident, mutedUntil: AT + 10 };
  assertEquals(changesOf([mutedItself], [], [reason(AT)], AT + 5), [[incident.id, null, null]]);
});

Deno.test("incidentChanges: runs that were told as overdue are not told again as missed", () => {
  const overdue = reason(AT - 5, { code: "overdue", runs: [] });
  const missed = reason(AT - 5, { code: "missed", severity: "warning", runs: [] });
  const state = { scheduleId: 7, open: [], ended: [] };
  const [{ incident }] = incidentChanges(state, [overdue], { at: AT, isMuted: false });
  const end = changesOf([incident], [], [missed], AT + 10);
  assertEquals(end, [[incident.id, "resolved", "resolved"]]);
  const ended = { ...incident, resolved: AT + 10 };
  assertEquals(changesOf([], [ended], [missed], AT + 20), []);
  // It came back for later runs: what it was opened for stays told.
  const again = { ...incident, reason: { ...overdue, since: AT + 15 }, seen: AT + 15, flaps: 1 };
  assertEquals(changesOf([again], [], [again.reason, missed], AT + 20), [[again.id, null, null]]);
  // A later gap, and one that nobody was told of, are told.
  const later = changesOf([], [ended], [{ ...missed, since: AT + 5 }], AT + 20);
  assertEquals(later, [[`7-missed-${AT + 5}`, "opened", "opened"]]);
  const untold = changesOf([], [{ ...ended, notified: null }], [missed], AT + 20);
  assertEquals(untold, [[`7-missed-${AT - 5}`, "opened", "opened"]]);
});
