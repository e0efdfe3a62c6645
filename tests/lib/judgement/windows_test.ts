import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { knownRuns } from "../../../lib/judgement/facts.ts";
import type { Incident } from "../../../lib/judgement/incident.ts";
import { incidentChanges } from "../../../lib/judgement/incidents.ts";
import { judgeToWatch } from "../../../lib/judgement/judge_schedule.ts";
import { failurePattern } from "../../../lib/judgement/retries.ts";
import { defaultStatusDictionary, type ReportRun } from "../../../lib/mod.ts";
import { type Random, randomFrom } from "./histories/random.ts";

const BEGIN = Date.UTC(2026, 0, 5, 6);
const statuses = defaultStatusDictionary();
const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 20 * MINUTE, since: 0 };
const leavers = [{ recipient: { userId: 1 }, left: BEGIN + 100 * DAY }];

/** All that are more than information where all runs were read. */
const CODES = [
  ..."failing,overdue,missed,stuck,started-by-hand,unknown-status,slower,flaky,clock".split(","),
  ..."outside-recipient,leaver-recipient,recipients-dropped,sent-to-nobody".split(","),
  ..."empty-delivery,size-jump".split(","),
];

interface Draft {
  readonly start: number;
  run: ReportRun;
  isGone?: boolean;
}

/** What may go wrong with a run, given how far a random number of its own is up. */
const FAULTS: Readonly<Record<string, (draft: Draft, chance: number) => void>> = {
  failing: ({ run }) => Object.assign(run, { status: "failure" }),
  flaky: ({ run }, chance) => chance < 0.2 && Object.assign(run, { status: "failure" }),
  missed: (draft) => draft.isGone = true,
  "by hand": ({ run }, chance) =>
    Object.assign(run, chance < 0.6 ? { status: "failure" } : { automated: false }),
  odd: ({ run }) => Object.assign(run, { status: "odd" }),
  "odd at times": ({ run }, chance) => chance < 0.3 && Object.assign(run, { status: "odd" }),
  open: ({ run }, chance) => chance < 0.1 && Object.assign(run, { endTime: null, status: null }),
  backwards: ({ run, start }, chance) =>
    chance < 0.1 && Object.assign(run, { endTime: new Date(start - HOUR).toISOString() }),
  long: ({ run, start }) =>
    Object.assign(run, { endTime: new Date(start + 30 * MINUTE).toISOString() }),
  large: ({ run }) => Object.assign(run, { attachmentSize: 9e6, emailSize: 9e6 }),
  empty: ({ run }) => Object.assign(run, { cardCount: 0 }),
  nobody: ({ run }) => Object.assign(run, { recipients: [], recipientCount: 0 }),
  few: ({ run }) => Object.assign(run, { recipients: run.recipients!.slice(0, 2) }),
  outsider: ({ run }) =>
    Object.assign(run, {
      recipients: [...run.recipients!, { userId: 99, emailAddress: "rowan@rival.example" }],
    }),
};

/** Daily runs with some faults, each for a while. */
function faultyRuns(random: Random, count: number, faults: readonly string[]): ReportRun[] {
  const drafts = Array.from({ length: count }, (_, id): Draft => {
    const start = BEGIN + id * DAY + random.between(0, 120) * 1000;
    const recipients = Array.from({ length: 8 }, (_, userId) => ({
      userId: userId + (id > 120 ? 1 : 0),
      emailAddress: `person${userId}@example.com`,
    }));
    const endTime = new Date(start + random.between(50, 70) * 1000).toISOString();
    const startTime = new Date(start).toISOString();
    const sizes = { attachmentSize: 500_000, emailSize: 40_000, cardCount: 4 };
    return {
      start,
      run: { id, status: "success", automated: true, startTime, endTime, recipients, ...sizes },
    };
  });
  for (const fault of faults) {
    const first = random.between(10, count - 30);
    const end = first + random.pick([2, 25, 90]);
    for (const draft of drafts.slice(first, end)) FAULTS[fault](draft, random.next());
  }
  return drafts.filter(({ isGone }) => !isGone).map(({ run }) => run);
}

/** What watching notices if each time the newest runs are judged, with what was carried. */
function watched(
  runs: readonly ReportRun[],
  { window, step, codes }: { window: number; step: number; codes: Set<string> },
) {
  const known = new Map<string, Incident>();
  const noticed: string[] = [];
  let carried = {};
  const days = Math.ceil((Date.parse(runs.at(-1)!.startTime!) - BEGIN) / DAY) + 2;
  for (let at = 0; at < 2 * days; at += step) {
    const now = BEGIN + at * DAY / 2 + 40 * MINUTE;
    const started = runs.filter(({ startTime }) => Date.parse(startTime!) <= now).slice(-window);
    const sorted = knownRuns({ runs: started }, { now, statuses });
    const judged = judgeToWatch(sorted, { now, statuses, plan, leavers, carried });
    carried = JSON.parse(JSON.stringify(judged.carried));
    for (const { code } of judged.reasons) codes.add(code);
    const incidents = [...known.values()];
    const open = incidents.filter(({ resolved }) => resolved === null);
    const ended = incidents.filter(({ resolved }) => resolved !== null);
    const failures = { ...failurePattern(sorted.timed), retryUntil: null };
    const moment = { at: now, isMuted: false, failures };
    const changes = incidentChanges({ scheduleId: 1, open, ended }, judged.reasons, moment);
    for (const { incident, event } of changes) {
      known.set(incident.id, incident);
      if (event) noticed.push(`${event} ${incident.code} ${new Date(now).toISOString()}`);
    }
    const failing = judged.reasons.find(({ code }) => code === "failing");
    if (failing) noticed.push(`failing ${failing.since} ${JSON.stringify(failing)}`);
  }
  return noticed;
}

Deno.test("judgeSchedule: newest runs and what was carried give the incidents that all runs give", () => {
  const codes = new Set<string>();
  for (let seed = 0; seed < 12; seed++) {
    const random = randomFrom(seed);
    const faults = Object.keys(FAULTS).filter((_, at) => (at + seed) % 5 === 0);
    const [count, window, step] = seed < 11 ? [160, seed % 2 ? 60 : 100, 1] : [1200, 1000, 60];
    const runs = faultyRuns(random, count, faults);
    const all = watched(runs, { window: Infinity, step, codes });
    assertEquals(watched(runs, { window, step, codes }), all, `${faults}, seed ${seed}`);
  }
  assertEquals(CODES.filter((code) => !codes.has(code)), []);
});

Deno.test("judgeSchedule: a run that goes on counts once it has failed, also in a row longer than what is judged", () => {
  const runs = faultyRuns(randomFrom(1), 40, [])
    .map((run) => run.id < 2 ? run : { ...run, status: "failure" });
  let carried = {};
  for (const [at, run] of runs.entries()) {
    const now = Date.parse(run.endTime!);
    const counts = [{ ...run, status: null, endTime: null }, run].map((newest) => {
      const shown = knownRuns({ runs: [...runs.slice(Math.max(0, at - 9), at), newest] }, {
        now,
        statuses,
      });
      const judged = judgeToWatch(shown, { now, statuses, plan, carried });
      carried = judged.carried;
      return judged.reasons.find((reason) => reason.code === "failing")?.count ?? 0;
    });
    assertEquals(counts, [Math.max(0, at - 2), Math.max(0, at - 1)]);
  }
});
