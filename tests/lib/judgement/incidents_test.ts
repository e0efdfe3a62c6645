import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { Incident } from "../../../lib/judgement/incident.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { FLAPPING_MS, incidentChanges, nextChange } from "../../../lib/judgement/incidents.ts";
import { NO_FAILURES } from "../../../lib/judgement/retries.ts";
import { ADA } from "../../actors.ts";

const AT = Date.UTC(2026, 2, 10);

function reason(since: number | null, more: Record<string, unknown> = {}): Reason {
  const whole = { code: "failing", severity: "critical", since, runs: [5, 3], ...more };
  return whole as unknown as Reason;
}

/** Opens an incident for a reason, and gives it. */
function openedFor(reason: Reason, at = AT, isMuted = false): Incident {
  const moment = { at, isMuted, failures: NO_FAILURES };
  return incidentChanges({ scheduleId: 7, open: [], ended: [] }, [reason], moment)[0].incident;
}

function opened(since: number | null): Incident {
  return openedFor(reason(since));
}

function changesOf(
  open: readonly Incident[],
  ended: readonly Incident[],
  reasons: readonly Reason[],
  at: number,
  isMuted = false,
  failures = NO_FAILURES,
) {
  return incidentChanges({ scheduleId: 7, open, ended }, reasons, { at, isMuted, failures })
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

Deno.test("incidentChanges: a reason that begins in the future goes on, as where a clock is ahead", () => {
  const incident = opened(AT + 500);
  assertEquals(changesOf([incident], [], [reason(AT + 500)], AT + 10), [[incident.id, null, null]]);
});

Deno.test("incidentChanges: what comes back soon is the same incident, opened again", () => {
  const ended = { ...opened(AT - 5), resolved: AT };
  const soon = changesOf([], [ended], [reason(AT + 5)], AT + FLAPPING_MS);
  assertEquals(soon, [[ended.id, "reopened", "opened"]]);
  const late = changesOf([], [ended], [reason(AT + 5)], AT + FLAPPING_MS + 1);
  assertEquals(late, [[`7-failing-${AT + 5}`, "opened", "opened"]]);
  // While it or its schedule is muted, that is not sent.
  const unsent = [[ended.id, "reopened", null]];
  const muted = { ...ended, mutedUntil: AT + 11 };
  assertEquals(changesOf([], [muted], [reason(AT + 5)], AT + 10), unsent);
  assertEquals(changesOf([], [ended], [reason(AT + 5)], AT + 10, true), unsent);
});

Deno.test("incidentChanges: what a person resolved stays so until something new happens", () => {
  const ended = { ...opened(AT - 5), resolved: AT, resolvedBy: ADA };
  assertEquals(changesOf([], [ended], [reason(AT - 5)], AT + 10), []);
  assertEquals(changesOf([], [ended], [reason(AT + 5)], AT + 10).length, 1);
  // Without a known beginning, another run shows that it is new.
  assertEquals(changesOf([], [ended], [reason(null)], AT + 10), []);
  assertEquals(changesOf([], [ended], [reason(null, { runs: [9, 5] })], AT + 10).length, 1);
});

Deno.test("incidentChanges: each new outside recipient is sent, whether the incident is open or a person resolved it", () => {
  const shown = (newest: number, code = "outside-recipient") => reason(AT, { code, newest });
  const first = openedFor(shown(AT));
  const open = { ...first, seen: AT + 48 * HOUR, acknowledged: AT, acknowledgedBy: ADA };
  const later = AT + 50 * HOUR;
  assertEquals(changesOf([open], [], [shown(AT)], later), [[first.id, null, null]]);
  // It was not listed yet at the last look.
  const told = [[first.id, "reopened", "opened"]];
  assertEquals(changesOf([open], [], [shown(AT + 47 * HOUR)], later), told);
  // What is judged begins later now, so that the old one seems to.
  assertEquals(changesOf([open], [], [shown(AT + HOUR)], later), [[first.id, null, null]]);
  const resolved = { ...open, resolved: AT + 48 * HOUR, resolvedBy: ADA };
  assertEquals(changesOf([], [resolved], [shown(AT)], later), []);
  assertEquals(changesOf([], [resolved], [shown(AT + HOUR)], later), []);
  assertEquals(changesOf([], [resolved], [shown(AT + 47 * HOUR)], later), told);
  // A run that is stuck beside another one is told only if nobody is told of that one.
  const stuck = { ...open, code: "stuck" };
  assertEquals(changesOf([stuck], [], [shown(later, "stuck")], later), [[first.id, null, null]]);
  const settled = { ...stuck, resolved: AT + HOUR, resolvedBy: ADA };
  assertEquals(changesOf([], [settled], [shown(AT, "stuck")], later), []);
  assertEquals(changesOf([], [settled], [shown(later, "stuck")], later).length, 1);
});

Deno.test("incidentChanges: a reason that is no longer shown is not new, nor is one that was sent before", () => {
  const shown = (code: string, evidence: object) => reason(AT, { code, ...evidence });
  const at = AT + 4 * HOUR;
  for (const code of ["outside-recipient", "stuck"]) {
    const earlier = shown(code, { newest: AT });
    const evidence: object[] = [{ newest: AT + HOUR }, {}];
    for (const told of evidence) {
      const open = openedFor(shown(code, told), AT + 2 * HOUR);
      const settled = { ...open, resolved: AT + 3 * HOUR, resolvedBy: ADA };
      assertEquals(changesOf([open], [], [earlier], at), [[open.id, null, null]]);
      assertEquals(changesOf([], [settled], [earlier], at), []);
    }
  }
});

Deno.test("incidentChanges: a new outside recipient is sent when the muting ends, and the end in any case", () => {
  const shown = (newest: number) => reason(AT, { code: "outside-recipient", newest });
  const told = openedFor(shown(AT));
  const at = AT + 2 * HOUR;
  const [{ incident: muted, notify }] = incidentChanges(
    { scheduleId: 7, open: [told], ended: [] },
    [shown(AT + HOUR)],
    { at, isMuted: true, failures: NO_FAILURES },
  );
  assertEquals(notify, null);
  assertEquals(changesOf([muted], [], [], at + HOUR, true), [[told.id, "resolved", "resolved"]]);
  assertEquals(changesOf([muted], [], [shown(AT + HOUR)], at + 48 * HOUR), [
    [told.id, "reopened", "opened"],
  ]);
});

Deno.test("incidentChanges: what is muted is sent later, and not resolved before it was sent", () => {
  assertEquals(changesOf([], [], [reason(AT)], AT, true), [[`7-failing-${AT}`, "opened", null]]);
  const incident = openedFor(reason(AT), AT, true);
  assertEquals(changesOf([incident], [], [reason(AT)], AT + 1, true), [[incident.id, null, null]]);
  const sent = changesOf([incident], [], [reason(AT)], AT + 2);
  assertEquals(sent, [[incident.id, "notified", "opened"]]);
  assertEquals(changesOf([incident], [], [], AT + 3), [[incident.id, "resolved", null]]);
  const mutedItself = { ...incident, mutedUntil: AT + 10 };
  assertEquals(changesOf([mutedItself], [], [reason(AT)], AT + 5), [[incident.id, null, null]]);
});

Deno.test("incidentChanges: when a muting ends, what was sent before it is sent again, unless somebody acknowledged it", () => {
  const muted = { ...opened(AT - 5), mutedUntil: AT + 10 };
  const eventAt = (at: number, more: Partial<Incident> = {}) =>
    changesOf([{ ...muted, ...more }], [], [reason(AT - 5)], at)[0].slice(1);
  assertEquals(eventAt(AT + 9), [null, null]);
  assertEquals(eventAt(AT + 10), ["notified", "opened"]);
  assertEquals(eventAt(AT + 20, { notified: AT + 10 }), [null, null]);
  assertEquals(eventAt(AT + 20, { acknowledged: AT + 1, acknowledgedBy: ADA }), [null, null]);
});

Deno.test("incidentChanges: runs that were sent as overdue are not sent again as missed", () => {
  const overdue = reason(AT - 5, { code: "overdue", runs: [] });
  const missed = reason(AT - 5, { code: "missed", severity: "warning", runs: [] });
  const incident = openedFor(overdue);
  const end = changesOf([incident], [], [missed], AT + 10);
  assertEquals(end, [[incident.id, "resolved", "resolved"]]);
  const ended = { ...incident, resolved: AT + 10 };
  assertEquals(changesOf([], [ended], [missed], AT + 20), []);
  // It came back twice: what it was opened for, and came back for first, stays told.
  const again = { ...incident, reason: { ...overdue, since: AT + 25 }, seen: AT + 30, flaps: 2 };
  for (const told of [missed, { ...missed, since: AT + 15 }]) {
    assertEquals(changesOf([again], [], [again.reason, told], AT + 40), [[again.id, null, null]]);
  }
  // A later gap, and one that nobody was told of, are told.
  const later = changesOf([], [ended], [{ ...missed, since: AT + 5 }], AT + 20);
  assertEquals(later, [[`7-missed-${AT + 5}`, "opened", "opened"]]);
  const untold = changesOf([], [{ ...ended, notified: null }], [missed], AT + 20);
  assertEquals(untold, [[`7-missed-${AT - 5}`, "opened", "opened"]]);
});

Deno.test("incidentChanges: what came back is sent once, and resolved only when it stayed away", () => {
  const ended = { ...opened(AT - 5), resolved: AT };
  const state = { scheduleId: 7, open: [], ended: [ended] };
  const moment = { at: AT + 10, isMuted: false, failures: NO_FAILURES };
  const [{ incident: again }] = incidentChanges(state, [reason(AT + 5)], moment);
  const gone = incidentChanges({ scheduleId: 7, open: [again], ended: [] }, [], {
    ...moment,
    at: AT + 20,
  });
  assertEquals([gone[0].event, gone[0].notify], [null, null]);
  const due = nextChange(gone, [], { at: AT + 20, failures: NO_FAILURES });
  assertEquals(due, AT + 20 + FLAPPING_MS);
  const calm = gone[0].incident;
  // It comes and goes: counted, and nobody is told.
  const back = incidentChanges({ scheduleId: 7, open: [calm], ended: [] }, [reason(AT + 25)], {
    ...moment,
    at: AT + 30,
  });
  assertEquals(back.map(({ incident: { flaps }, notify }) => [flaps, notify]), [[2, null]]);
  assertEquals(changesOf([calm], [], [], AT + 20 + FLAPPING_MS - 1), [[calm.id, null, null]]);
  assertEquals(changesOf([calm], [], [], AT + 20 + FLAPPING_MS), [
    [calm.id, "resolved", "resolved"],
  ]);
});

Deno.test("incidentChanges: a failure that a retry may repair is opened when the retry is over", () => {
  const failures = { retryUntil: AT + 100, failedLately: true, alternatesSince: null };
  assertEquals(changesOf([], [], [reason(AT)], AT + 99, false, failures), []);
  assertEquals(nextChange([], [reason(AT)], { at: AT + 99, failures }), AT + 100);
  const opening = [[`7-failing-${AT}`, "opened", "opened"]];
  assertEquals(changesOf([], [], [reason(AT)], AT + 100, false, failures), opening);
  assertEquals(changesOf([], [], [reason(AT)], AT, false), opening);
});

Deno.test("incidentChanges: what fails now and then stays open until nothing fails for a while", () => {
  const flaky = reason(AT - 50, { code: "flaky", severity: "warning" });
  const incident = openedFor(flaky);
  const silent = [[incident.id, null, null]];
  const lately = { retryUntil: null, failedLately: true, alternatesSince: null };
  assertEquals(changesOf([incident], [], [], AT + 10, false, lately), silent);
  // Its first failure that counts is a later one by and by.
  assertEquals(changesOf([incident], [], [{ ...flaky, since: AT + 5 }], AT + 10), silent);
  const failing = changesOf([incident], [], [reason(AT + 5)], AT + 10);
  assertEquals(failing, [...silent, [`7-failing-${AT + 5}`, "opened", "opened"]]);
  assertEquals(changesOf([incident], [], [], AT + 10), [[incident.id, "resolved", "resolved"]]);
});

/** Changes of one schedule's incidents from moment to moment: lines of the timeline, and messages. */
function story(
  moments: readonly (readonly [minutes: number, ...reasons: Reason[]])[],
): string[] {
  let all: readonly Incident[] = [];
  return moments.flatMap(([minutes, ...reasons]) => {
    const state = {
      scheduleId: 7,
      open: all.filter(({ resolved }) => resolved === null),
      ended: all.filter(({ resolved }) => resolved !== null),
    };
    const at = AT + minutes * MINUTE;
    const changes = incidentChanges(state, reasons, { at, isMuted: false, failures: NO_FAILURES });
    const changed = new Set(changes.map(({ incident: { id } }) => id));
    all = [...all.filter(({ id }) => !changed.has(id)), ...changes.map(({ incident }) => incident)];
    return changes.filter(({ event }) => event !== null)
      .map(({ incident: { code, flaps }, event, notify }) =>
        `${minutes}: ${code} ${event} ${notify === null ? "unsent" : "sent"} ${flaps}`
      );
  });
}

/** Runs that were planned at minutes and did not start. */
function unmet(code: string, ...minutes: number[]): Reason {
  const [since, latest] = [minutes[0], minutes.at(-1)!].map((each) => AT + each * MINUTE);
  return reason(since, { code, severity: "warning", runs: [], latest });
}

Deno.test("incidentChanges: a run that is overdue after another one was by mistake is sent, seen or not in between", () => {
  assertEquals(
    story([[10, unmet("overdue", 0)], [70, unmet("overdue", 0, 60)], [75, unmet("overdue", 60)]]),
    ["10: overdue opened sent 0"],
  );
  assertEquals(
    story([[70, unmet("overdue", 0, 60)], [75, unmet("overdue", 60)], [80, unmet("missed", 60)]]),
    ["70: overdue opened sent 0", "80: overdue resolved sent 0"],
  );
  assertEquals(
    story([[70, unmet("overdue", 0)], [75, unmet("overdue", 60)], [80, unmet("overdue", 60)]]),
    ["70: overdue opened sent 0", "75: overdue resolved sent 0", "75: overdue opened sent 0"],
  );
});

Deno.test("incidentChanges: another planned run under an incident that comes and goes is counted, dated and sent", () => {
  const overdue = [10, 20, 30, 40, 50].map((minutes) =>
    minutes === 20 || minutes === 40
      ? [minutes] as const
      : [minutes, unmet("overdue", minutes - 5)] as const
  );
  assertEquals(story(overdue), [
    "10: overdue opened sent 0",
    "20: overdue resolved sent 0",
    "30: overdue reopened sent 1",
    "50: overdue reopened sent 2",
  ]);
});

Deno.test("incidentChanges: another failure under an incident that comes and goes is a line, and sent once an hour", () => {
  const failing = Array.from({ length: 14 }, (_, at) => {
    const minutes = 10 * at;
    const lastGood = AT + (minutes - 10) * MINUTE;
    const failure = reason(AT + minutes * MINUTE, { lastGood });
    return at % 2 === 0 ? [minutes, failure] as const : [minutes] as const;
  });
  assertEquals(story(failing), [
    "0: failing opened sent 0",
    "10: failing resolved sent 0",
    "20: failing reopened sent 1",
    "40: failing reopened unsent 2",
    "60: failing reopened unsent 3",
    "80: failing reopened sent 4",
    "100: failing reopened unsent 5",
    "120: failing reopened unsent 6",
  ]);
});

Deno.test("incidentChanges: a failure after a good run is another incident, even if somebody has acknowledged the first", () => {
  const first = { ...opened(AT - HOUR), acknowledged: AT, acknowledgedBy: ADA, seen: AT + HOUR };
  const next = reason(AT + 30 * MINUTE, { lastGood: AT });
  assertEquals(changesOf([first], [], [next], AT + HOUR + 1), [
    [first.id, "resolved", "resolved"],
    [`7-failing-${AT + 30 * MINUTE}`, "opened", "opened"],
  ]);
});

Deno.test("incidentChanges: a later gap is reported although an earlier one is open or was resolved by a person, unless it was as overdue", () => {
  const first = unmet("missed", 0);
  const second = unmet("missed", 120);
  const seen: [number, Reason] = [150, first];
  assertEquals(story([[60, first], seen, [200, second]]), [
    "60: missed opened sent 0",
    "200: missed resolved sent 0",
    "200: missed opened sent 0",
  ]);
  assertEquals(
    story([[60, first], [130, first, unmet("overdue", 120)], seen, [200, second]]),
    ["60: missed opened sent 0", "130: overdue opened sent 0", "150: overdue resolved sent 0"],
  );
  const settled = { ...openedFor(first, AT + HOUR), resolved: AT + 3 * HOUR, resolvedBy: ADA };
  assertEquals(changesOf([], [settled], [first], AT + 4 * HOUR), []);
  assertEquals(changesOf([], [settled], [second], AT + 4 * HOUR).length, 1);
});
