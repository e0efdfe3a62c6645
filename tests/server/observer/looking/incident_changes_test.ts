import { assertEquals } from "@std/assert";
import {
  FLAPPING_MS,
  incidentChanges,
} from "../../../../server/observer/looking/incident_changes.ts";
import type { Incident, KeptReason } from "../../../../server/store/observer/types.ts";

const AT = Date.UTC(2026, 2, 10);

function reason(since: number | null, more: Partial<KeptReason> = {}): KeptReason {
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
  reasons: readonly KeptReason[],
  at: number,
  isMuted = false,
) {
  return incidentChanges({ scheduleId: 7, open, ended }, reasons, { at, isMuted })
    .map(({ incident, events, tell }) => [incident.id, events.map(({ kind }) => kind), tell]);
}

Deno.test("incidentChanges: named by schedule, code and beginning, and opened once", () => {
  const incident = opened(AT - 5);
  assertEquals(incident.id, `7-failing-${AT - 5}`);
  assertEquals(opened(null).id, "7-failing-3");
  assertEquals(changesOf([incident], [], [reason(AT - 5)], AT + 10), [[incident.id, [], null]]);
  // Information is no incident, and one code is one incident.
  const reasons = [reason(AT), reason(AT - 1), reason(AT, { code: "slower", severity: "info" })];
  assertEquals(changesOf([], [], reasons, AT).length, 1);
});

Deno.test("incidentChanges: a reason that began anew is another incident", () => {
  const incident = opened(AT - 5);
  assertEquals(changesOf([incident], [], [reason(AT + 5)], AT + 10), [
    [incident.id, ["resolved"], "incident.resolved"],
    [`7-failing-${AT + 5}`, ["opened"], "incident.opened"],
  ]);
});

Deno.test("incidentChanges: what comes back soon is the same incident, opened again", () => {
  const ended = { ...opened(AT - 5), resolved: AT };
  const soon = changesOf([], [ended], [reason(AT + 5)], AT + FLAPPING_MS);
  assertEquals(soon, [[ended.id, ["reopened"], "incident.opened"]]);
  const late = changesOf([], [ended], [reason(AT + 5)], AT + FLAPPING_MS + 1);
  assertEquals(late, [[`7-failing-${AT + 5}`, ["opened"], "incident.opened"]]);
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
  const [{ incident, tell }] = incidentChanges(state, [reason(AT)], { at: AT, isMuted: true });
  assertEquals([incident.told, tell], [null, null]);
  assertEquals(changesOf([incident], [], [reason(AT)], AT + 1, true), [[incident.id, [], null]]);
  assertEquals(changesOf([incident], [], [reason(AT)], AT + 2), [
    [incident.id, ["told"], "incident.opened"],
  ]);
  assertEquals(changesOf([incident], [], [], AT + 3), [[incident.id, ["resolved"], null]]);
  const mutedItself = { ...incident, mutedUntil: AT + 10 };
  assertEquals(changesOf([mutedItself], [], [reason(AT)], AT + 5), [[incident.id, [], null]]);
});
