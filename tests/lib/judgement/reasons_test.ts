import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import type { Reason, ReportRun } from "../../../lib/mod.ts";
import type { ReasonOf } from "../../../lib/judgement/reason.ts";
import { randomFrom } from "./histories/random.ts";
import { judgeAt, runAt } from "./runs_at.ts";

const FIRST = Date.UTC(2026, 2, 2, 6);

type Change = (run: ReportRun, age: number) => Partial<ReportRun> | null;

/** A daily schedule of 200 days that is well, with changes by age: 0 is the newest run. */
function daily(change: Change = () => ({}), count = 200): { runs: ReportRun[]; now: number } {
  const random = randomFrom(count);
  const runs = Array.from({ length: count }, (_, day) => {
    const start = FIRST + day * DAY + random.between(0, 9) * 1000;
    const run = runAt(100 + day, start, {
      endTime: new Date(start + random.between(40, 50) * 1000).toISOString(),
      cardCount: 5,
      attachmentCount: 2,
      attachmentSize: Math.round(500_000 * Math.exp(0.1 * random.normal())),
      emailSize: Math.round(40_000 * Math.exp(0.1 * random.normal())),
      recipientCount: 5,
      recipients: [1, 2, 3, 4, 5].map((userId) => ({
        userId,
        displayName: `User ${userId}`,
        emailAddress: `user${userId}@example.com`,
      })),
    });
    const changes = change(run, count - 1 - day);
    return changes === null ? null : { ...run, ...changes };
  }).filter((run) => run !== null);
  return { runs, now: FIRST + (count - 1) * DAY + 3 * HOUR };
}

function reasonsOf(history: { runs: ReportRun[]; now: number }): readonly Reason[] {
  return judgeAt(history.now, history.runs).reasons;
}

function find<Code extends Reason["code"]>(
  code: Code,
  history: { runs: ReportRun[]; now: number },
): ReasonOf<Code> {
  const reasons = reasonsOf(history);
  const reason = reasons.find((reason) => reason.code === code);
  if (!reason) throw new Error(`${code}, but only ${reasons.map(({ code }) => code)}`);
  return reason as ReasonOf<Code>;
}

function ended(run: ReportRun, seconds: number): Partial<ReportRun> {
  return { endTime: new Date(Date.parse(run.startTime!) + seconds * 1000).toISOString() };
}

Deno.test("judgeSchedule: repaired by hand, at least two and half of the newest", () => {
  const repaired = (days: number, count: number, well = -1) => {
    const isBad = (age: number) => age < days && age !== well;
    const history = daily((_, age) => isBad(age) ? { status: "failure" } : {}, count);
    const repairs = history.runs.filter(({ status }) => status === "failure").map((run) => {
      const repair = runAt(run.id + 1000, Date.parse(run.startTime!) + 2 * HOUR);
      return { ...run, ...repair, automated: false, ...ended(repair, 45) };
    });
    return { ...history, runs: [...history.runs, ...repairs] };
  };
  const history = repaired(10, 200);
  const reason = find("started-by-hand", history);
  assertEquals([reason.count, Math.floor((history.now - reason.since!) / DAY)], [10, 9]);
  // They are counted among the newest twenty.
  const shown = [repaired(10, 200, 4), repaired(30, 200)].map((each) => {
    const { count, of } = find("started-by-hand", each);
    return [count, of];
  });
  assertEquals(shown, [[9, 20], [20, 20]]);
  const isReported = [[1, 2], [2, 4], [2, 5], [3, 9]].map(([days, count]) =>
    reasonsOf(repaired(days, count)).some(({ code }) => code === "started-by-hand")
  );
  assertEquals(isReported, [false, true, false, true]);
});

Deno.test("judgeSchedule: runs that never have an end are judged by their content and recipients", () => {
  for (const status of ["sent", null]) {
    const history = daily((run, age) => ({
      status,
      endTime: null,
      ...(age < 3 ? { recipientCount: 0, recipients: [] } : {}),
      ...(age < 5 ? { attachmentSize: Math.round(run.attachmentSize! / 100) } : {}),
    }), 40);
    const found = reasonsOf(history).map(({ code, severity, runs }) =>
      `${severity} ${code} of ${runs.length}`
    );
    const expected = ["critical sent-to-nobody of 3", "critical empty-delivery of 5"];
    assertEquals(found, status ? expected : [...expected, "warning unknown-status of 20"]);
  }
});

Deno.test("judgeSchedule: an unfinished run says nothing of content and recipients", () => {
  const nothing = { attachmentSize: 1, recipientCount: 0, recipients: [] };
  const open = { ...nothing, status: null, endTime: null };
  // A minute after it started: later it would be stuck.
  const soon = (change: Change, count: number) => {
    const { runs, now } = daily(change, count);
    return reasonsOf({ runs, now: now - 3 * HOUR + MINUTE });
  };
  for (const count of [1, 2, 10, 200]) {
    assertEquals(soon((_, age) => age < 1 ? open : {}, count), []);
  }
  // Good runs without an end don't make it one that has ended.
  assertEquals(soon((_, age) => age < 1 ? open : { endTime: null }, 40), []);
});

Deno.test("judgeSchedule: a missing end means nothing where several older runs lack it", () => {
  const endless = { status: "processing", endTime: null, recipientCount: 0, recipients: [] };
  const codes = (count: number) =>
    reasonsOf(daily((_, age) => age < count ? endless : {})).map(({ code }) => code);
  assert(!codes(26).includes("sent-to-nobody"));
  assert(codes(27).includes("sent-to-nobody"));
});

Deno.test("judgeSchedule: first recipients of other companies are one reason a domain", () => {
  const among = (...addresses: string[]) => {
    const others = addresses.map((emailAddress) => ({ emailAddress }));
    return reasonsOf(
      daily((run, age) => age < 1 ? { recipients: [...run.recipients!, ...others] } : {}),
    ).flatMap((reason) => reason.code === "outside-recipient" ? [reason] : []);
  };
  const [{ severity, subject, newest, since, resembles }] = among("nine@rival.example");
  assertEquals([severity, subject, newest, resembles], ["critical", "rival.example", since, null]);
  const several = among("nine@rival.example", "ten@rival.example", "nine@examp1e.com");
  assertEquals(several.map(({ domain, count, resembles }) => [domain, count, resembles]), [
    ["rival.example", 2, null],
    ["examp1e.com", 1, "example.com"],
  ]);
  const many = among(...Array.from({ length: 40 }, (_, at) => `nine@company${at}.example`));
  const [last, others] = many.slice(18);
  assertEquals([last.domain, others.domain], ["company18.example", "21 more domains"]);
  assertEquals([many.length, others.count], [20, 21]);
});

Deno.test("judgeSchedule: a run that is open for 6 h where 45 s are usual", () => {
  const open = { endTime: null, status: "running" };
  const history = daily((_, age) => age < 1 ? open : {});
  const late = { ...history, now: history.now + 3 * HOUR };
  const reason = find("stuck", late);
  assertEquals([reason.severity, reason.runs], ["warning", [299]]);
  const long = daily((run, age) => age < 1 ? { endTime: null } : ended(run, 4 * 3600));
  assertEquals(reasonsOf(long), []);
  // A run with a good status is over, even without an end.
  const older = daily((_, age) => age === 8 ? open : age < 1 ? { endTime: null } : {});
  assertEquals(reasonsOf(older).map(({ code, runs }) => [code, runs]), [["stuck", [291]]]);
  // Three runs that ended show how long they take.
  const young = [3, 4].map((count) => daily((_, age) => age < 1 ? open : {}, count));
  assertEquals(young.map(reasonsOf).map((all) => all.map(({ code }) => code)), [[], ["stuck"]]);
});

Deno.test("judgeSchedule: each gap is one reason, for 20 planned runs", () => {
  const gaps = (...ages: number[]) =>
    reasonsOf(daily((_, age) => ages.includes(age) ? null : {})).map((reason) =>
      reason.code === "missed" &&
      [reason.severity, ...[reason.due, reason.latest].map((at) => (at - FIRST) / DAY)]
    );
  assertEquals(gaps(30, 9, 4, 3), [["warning", 195, 196], ["warning", 190, 190]]);
  assertEquals(gaps(21, 20, 19), [["warning", 178, 180]]);
  // Older ones only inform.
  assertEquals(gaps(30, 20), [["info", 179, 179]]);
  const { subject } = find("missed", daily((_, age) => age === 4 ? null : {}));
  assertEquals(subject, "2026-09-13T06:00Z");
});

Deno.test("judgeSchedule: scattered failures are flaky, a past outage is not", () => {
  const flaky = find("flaky", daily((_, age) => age % 9 === 4 ? { status: "failure" } : {}));
  assertEquals([flaky.failed, flaky.of], [4, 40]);
  // Ages 4, 13, 22 and 31; the newest first.
  assertEquals(flaky.runs, [295, 286, 277, 268]);
  assertEquals(flaky.since !== null && Math.floor((flaky.since - FIRST) / DAY), 168);
  const failing = (...ages: number[]) => (_: ReportRun, age: number) =>
    ages.includes(age) ? { status: "failure" } : {};
  // Two failures are not yet a habit; four in a row are one outage.
  for (const ages of [[5, 20], [5, 20, 40], [11, 12, 13, 14]]) {
    assertEquals(reasonsOf(daily(failing(...ages))), [], `${ages}`);
  }
  const thrice = daily(failing(5, 20, 39));
  // A person runs the first of them again.
  const [first] = thrice.runs.filter(({ status }) => status === "failure");
  const rerun = { ...first, id: 9_999, status: "success", automated: false };
  assertEquals(find("flaky", { ...thrice, runs: [...thrice.runs, rerun] }).rerun, 1);
  // A run that has just started may fail, too, and pushes none out.
  const going = daily((run, age) =>
    age === 0 ? { status: null, endTime: null } : failing(5, 20, 40)(run, age)
  );
  find("flaky", { ...going, now: going.now - 3 * HOUR + MINUTE });
});

Deno.test("judgeSchedule: runs fail until a success, and are unknown until good or bad", () => {
  const counts = (...newest: readonly string[]) => {
    const history = daily((_, age) => {
      const status = newest.at(-1 - age);
      return status === undefined ? {} : { status, ...status === "running" && { endTime: null } };
    });
    const { reasons, state, headline } = judgeAt(history.now, history.runs);
    const counted = reasons.filter(({ code }) => /failing|unknown-status/.test(code));
    const texts = counted.map((reason) => `${"count" in reason && reason.count} ${reason.code}`);
    return state === "unknown" ? [...texts, state, headline] : texts;
  };
  assertEquals(counts("odd", "odd"), ["2 unknown-status", "unknown", "unknown"]);
  assertEquals(counts("odd", "failure"), ["1 failing"]);
  assertEquals(counts("failure", "odd", "failure", "odd"), ["2 failing", "1 unknown-status"]);
  assertEquals(counts("failure", "success"), []);
  // A run that is still going says nothing yet.
  assertEquals(counts("odd", "running"), ["1 unknown-status", "unknown", "unknown"]);
});
