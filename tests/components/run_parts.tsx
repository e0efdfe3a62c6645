/** The parts of a schedule's pages and of a run in their states. */
import type { VNode } from "preact";
import { PlannedRuns } from "../../components/runs/plan/planned_runs.tsx";
import { AddressesShown } from "../../components/runs/recipients/address.tsx";
import { RecipientList } from "../../components/runs/recipients/recipient_list.tsx";
import type { RunView } from "../../components/runs/run_links.tsx";
import { RunVerdict } from "../../components/runs/verdict/run_verdict.tsx";
import { expectedSlots } from "../../lib/judgement/slots.ts";
import { ScheduleSide } from "../../components/runs/schedule_side.tsx";
import { ScheduleHeader } from "../../components/runs/schedule_header.tsx";
import { listRuns, RunResults, RunSegments } from "../../components/runs/search/run_table.tsx";
import { RUNS, shownRunColumns } from "../../components/runs/search/run_view.ts";
import { Facts } from "../../components/runs/verdict/facts.tsx";
import { VerdictLine } from "../../components/runs/verdict/verdict_line.tsx";
import { judgeSchedule, type Verdict } from "../../lib/judgement/judge_schedule.ts";
import type { Reason } from "../../lib/judgement/reason.ts";
import { makeRuns } from "../../lib/testing/make_rows.ts";
import { DAY, HOUR } from "../../lib/time_units.ts";
import type { ReportRun } from "../../lib/types.ts";
import {
  BacktestResult,
  PlanChanges,
  PlanForm,
} from "../../routes/(console)/schedules/[scheduleId]/_plan_parts.tsx";
import { sampleReason } from "../sample_reasons.ts";
import { shownAt } from "./rendered.ts";
import { daily, FIRST, GOOD, STATUSES } from "./runs/verdict/daily.ts";

const good = GOOD.slice(0, 20);

/** The verdict for runs, a minute before the run that is due `days` days after the first. */
function judged(runs: readonly ReportRun[], days = runs.length, newerUnread = false) {
  const now = FIRST + days * DAY - 60_000;
  return { now, verdict: judgeSchedule({ runs, newerUnread }, { statuses: STATUSES, now }) };
}

const common = { scheduleId: 9 };

function verdict(...args: Parameters<typeof judged>): VNode {
  const { now, verdict } = judged(...args);
  return shownAt(now, <VerdictLine {...common} verdict={verdict} />);
}

function facts(
  runs: readonly ReportRun[],
  days?: number,
  { olderUnread = false, ...more }: Partial<Verdict> & { readonly olderUnread?: boolean } = {},
): VNode {
  const { now, verdict } = judged(runs, days);
  return shownAt(now, <Facts {...{ ...common, olderUnread }} verdict={{ ...verdict, ...more }} />);
}

function side(runs: readonly ReportRun[], days: number): VNode {
  const { now, verdict } = judged(runs, days);
  const none = { watchedSince: null, owner: null };
  const { plan, next } = verdict.schedule!;
  const coming = expectedSlots(plan, next!, [], 3);
  return shownAt(now, <ScheduleSide {...common} {...none} {...{ verdict, coming }} />);
}

function reasons(...all: readonly Reason[]): VNode {
  const { now, verdict } = judged(daily(good));
  const shown: Verdict = { ...verdict, state: "down", reasons: all };
  return shownAt(now, <VerdictLine {...common} verdict={shown} />);
}

/** The runs with other recipients after the tenth or another, and the first ones started by hand. */
function changing(from: number, to: number, { byHand = 0, last = 10 } = {}): ReportRun[] {
  const people = (count: number) => Array.from({ length: count }, (_, at) => ({ userId: at + 1 }));
  return daily(good).map((run) => ({
    ...run,
    automated: run.id > byHand,
    recipients: people(run.id <= last ? from : to),
  }));
}

/** The verdict of a schedule with three failures. A person started the runs with these ids. */
function rerun(...ids: readonly number[]): VNode {
  const { now, verdict } = judged(daily(good));
  const failures = good.map((each, at) => [3, 7, 11].includes(at) ? "failure" : each);
  const runs = daily(failures).map((run) => ({ ...run, automated: !ids.includes(run.id) }));
  const lead = sampleReason("flaky", { since: null, failed: 3, of: 20, runs: [4, 8, 12] });
  const flaky = { ...verdict, runs: runs.reverse(), reasons: [lead] };
  return shownAt(now, <VerdictLine {...common} verdict={flaky} />);
}

const NOW = Date.parse("2026-02-01T00:00:00Z");
function results(runs: readonly ReportRun[], view: Partial<RunView> = {}): VNode {
  const shown: RunView = { body: {}, skip: 0, ...view };
  const columns = shownRunColumns(shown.columns, runs);
  const verdict = { schedule: null, planned: [] };
  const list = listRuns(runs, { view: shown, verdict, dictionary: STATUSES });
  return (
    <>
      <RunSegments {...{ view: shown, list }} />
      <RunResults {...{ scheduleId: 101, list, view: shown, columns }} />
    </>
  );
}
const conditions = { filters: [{ field: "status", operator: "EQUALS", value: ["x"] }] };
const many = Array.from({ length: 30 }, (_, id) => ({ id }));

const ann = { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" };
const ben = { userId: 2, displayName: "Ben", emailAddress: "ben@example.org" };
const cat = { userId: -9, displayName: "cat@example.com", emailAddress: "cat@example.com" };
const run: ReportRun = {
  ...{ ...makeRuns(1)[0], attachmentCount: 0, attachmentSize: 0 },
  ...{ recipients: [ann, ben, cat], recipientCount: 3 },
};
const twice = { ...run, recipients: [ann, ben, cat, cat] };
const before: ReportRun = {
  ...{ ...run, id: 11, status: "failure", reportId: 2, recipients: [ann] },
  ...{ attachmentCount: 2, attachmentSize: 9, endTime: null },
};
const moved = { ...run, recipients: [{ ...ann, emailAddress: "ann@private.example" }] };

const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: 0 };
const schedule = { plan, source: "inferred" as const };
type Shown = Parameters<typeof RunVerdict>[0];
function verdictOfRun(run: ReportRun, meaning: Shown["meaning"], more: Partial<Shown> = {}): VNode {
  return <RunVerdict {...common} {...{ run, meaning, due: null, compared: null }} {...more} />;
}
function started(lateMs: number, outcome: "met" | "late" | "by-hand"): VNode {
  const retry = { run, time: NOW + lateMs, ms: 0, meaning: "good" as const };
  const first = { ...retry, run: before, time: NOW };
  return verdictOfRun(run, "good", {
    due: { slot: { at: NOW, outcome, runs: [first, retry] }, schedule } as never,
  });
}
function compared(...runs: [ReportRun, ReportRun]): VNode {
  return verdictOfRun(run, "bad", { compared: { runs, names: ["Last success", "This run"] } });
}

type ShownSlot = Parameters<typeof PlannedRuns>[0]["planned"][number];
/** A planned run and how its runs ended, if there were any. */
function slot(outcome: ShownSlot["outcome"], ...meanings: Shown["meaning"][]): ShownSlot {
  const status = { good: "success", bad: "failure", unknown: "ARCHIVED", pending: "running" };
  const runs = meanings.map((meaning) => (
    { run: { id: 5, status: status[meaning] }, time: NOW + HOUR, ms: 0, meaning }
  ));
  return { at: NOW, outcome, runs, isPaused: false };
}

type ShownSchedule = NonNullable<Parameters<typeof ScheduleHeader>[0]["data"]["shown"]>;
const shownSchedule: ShownSchedule = {
  ...{ scheduleId: 101, name: "Open claims", reportTitle: "", headline: "failing", plan },
  ...{ planSource: "inferred", nextDue: NOW + 30 * HOUR },
  settings: { name: "", title: "Claims 7", owner: "" },
  confirm: { cron: "x" },
};
function header(shown: Partial<ShownSchedule> | null, isWatched: boolean | null = null): VNode {
  const error = shown ? null : { title: "Not found", detail: "No.", issues: [] };
  return (
    <ScheduleHeader
      current="plan"
      data={{ shown: shown && { ...shownSchedule, ...shown }, error }}
      params={{ scheduleId: "101" }}
      state={{ isWatched }}
    />
  );
}
const titled = {
  ...{ plan: null, confirm: null, nextDue: null, reportTitle: "Claims 7" },
  settings: { ...shownSchedule.settings, owner: "Claims" },
};

function planForm(changes: Partial<Parameters<typeof PlanForm>[0]["form"]>): VNode {
  const fields = { cron: "x", zone: "UTC", grace: "10", weeks: "1", weeksFrom: "" };
  const form = {
    ...{ fields: { ...fields, pauses: "" }, issues: {}, person: "Ada" },
    ...{ seen: "v1", isConfirmed: false, whyNotSaved: null },
  };
  return <PlanForm scheduleId={101} form={{ ...form, ...changes }} fitsNone={false} />;
}

const backtest = (length: number) => ({
  incidents: Array(length).fill({ opened: NOW, reason: sampleReason("missed") }) as never,
  ...{ runs: 1, present: null, failure: null },
});

const ALL: Readonly<Record<string, VNode>> = {
  "verdict: healthy, without a list of recipients": verdict(
    daily(good).map((run) => ({ ...run, recipients: null })),
  ),
  "verdict: healthy, a run missed long ago": verdict(daily(GOOD).filter(({ id }) => id !== 12)),
  "verdict: failing": verdict(daily([...good, "failure", "failure"])),
  "verdict: unknown": verdict(daily([...good, "ARCHIVED"])),
  "verdict: failing from the start": verdict(daily(["failure", "failure"])),
  "verdict: overdue after a failure": verdict(daily([...good, "failure"]), 21.1),
  "verdict: sent to nobody": verdict(
    daily(good).map((run) => ({ ...run, recipients: run.id < 20 ? run.recipients : [] })),
  ),
  "verdict: no run is over": verdict(daily(["running"]).map((run) => ({ ...run, endTime: null }))),
  "verdict: no run has a start": verdict([{ id: 1, status: "success" }], 1),
  "verdict: never ran": verdict([], 1),
  "verdict: newer runs are missing": verdict(daily(good), 22, true),
  "verdict: not read since a run was due": shownAt(
    FIRST + 21 * DAY,
    <VerdictLine {...common} verdict={judged(daily(good)).verdict} />,
  ),
  "verdict: more recipients": verdict(changing(2, 3)),
  "verdict: fewer recipients": verdict(changing(3, 2)),
  "verdict: fewer recipients of one run": verdict(changing(3, 2, { last: 19 })),
  "verdict: one more of ten recipients": verdict(changing(10, 11)),
  "verdict: started by hand": verdict(changing(1, 1, { byHand: 4 })),
  "verdict: hardly started by hand": verdict(changing(1, 1, { byHand: 3 })),
  "verdict: the headline's reason first": reasons(
    sampleReason("outside-recipient", { severity: "critical" }),
    sampleReason("overdue", { severity: "critical" }),
  ),
  "verdict: unknown before missed": reasons(sampleReason("missed"), sampleReason("unknown-status")),
  "verdict: none was rerun by hand": rerun(),
  "verdict: some were rerun by hand": rerun(5, 9),
  "verdict: each was rerun by hand": rerun(5, 9, 13),
  "verdict: stuck": reasons(sampleReason("stuck")),
  "verdict: slower": reasons(sampleReason("slower", { runs: [] })),
  "verdict: late": reasons(sampleReason("late", { due: 1 })),
  "facts: healthy, one run took long": facts(
    daily(GOOD).map((run) => run.id === 9 ? { ...run, endTime: "2026-01-14" } : run),
  ),
  "facts: newest runs alone": facts(daily(good), 20, { olderUnread: true }),
  "facts: unknown": facts(daily(["ARCHIVED"])),
  "facts: failed, unknown, missed and overdue": facts(
    daily([...GOOD, "failure", "ARCHIVED"]).filter(({ id }) => id !== 30),
    43.6,
  ),
  "facts: many times larger": facts(
    daily(GOOD).map((run) => run.id > 20 ? { ...run, attachmentSize: 40_000 } : run),
  ),
  "facts: the email is larger": facts(daily(GOOD), 40, {
    reasons: [sampleReason("size-jump", { field: "emailSize" })],
  }),
  "facts: an outside recipient": facts(daily(GOOD), 40, {
    ...{ newcomers: [{}] as never, recipients: { first: 2.5, last: 1 } as never },
  }),
  "beside the runs: failed, missed and overdue": side(
    daily([...GOOD, "failure", "failure", "success", "ARCHIVED"]).filter(({ id }) => id !== 42),
    45.6,
  ),
  "runs: usual columns": results([run, { id: 13, status: "", automated: false }]),
  "runs: every column": results([run], { columns: RUNS.columns as RunView["columns"] }),
  "runs: none match": results([], { body: conditions, limit: 50 }),
  "runs: past the end": results(many, { skip: 100 }),
  "runs: none failed": results(many, { show: "failed", skip: 5 }),
  "runs: a page": results(many, { limit: 2, skip: 10 }),
  "recipients": <RecipientList meaning="good" run={run} />,
  "recipients: with addresses": (
    <AddressesShown.Provider value>
      <RecipientList meaning="good" run={{ ...twice, recipientCount: 5 }} />
      {compared(run, moved)}
    </AddressesShown.Provider>
  ),
  "recipients: not listed": <RecipientList meaning="good" run={{ id: 1, recipients: null }} />,
  "a run: on time": started(-5000, "met"),
  "a run: late": started(600_000, "late"),
  "a run: by hand": started(600_000, "by-hand"),
  "a run: to nobody": verdictOfRun({ ...run, recipients: [] }, "good"),
  "a run: of an unknown status": verdictOfRun({ ...run, status: "ARCHIVED" }, "unknown"),
  "a run: other recipients": compared(before, run),
  "a run: recipients are not listed": compared({ id: 1 }, { id: 2 }),
  "planned runs: what became of them": (
    <PlannedRuns
      {...{ ...common, name: "Latest planned runs" }}
      planned={[
        slot("met", "good"),
        slot("met", "bad"),
        slot("met", "bad", "good"),
        slot("late", "good"),
        slot("late", "bad"),
        slot("by-hand", "good"),
        slot("met", "unknown"),
        slot("missed"),
        { ...slot("overdue"), isCounted: false },
        { ...slot("missed"), isPaused: true },
      ]}
    />
  ),
  "schedule": header({}, true),
  "schedule: not watched": header(titled, false),
  "schedule: nothing can be watched": header({}),
  "schedule: can't be shown": header(null, true),
  "schedule: can't be shown, nor is it watched": header(null, false),
  "plan form, with a wrong field": planForm({ issues: { cron: "must have five fields" } }),
  "incidents that a plan would have opened": (
    <>
      <BacktestResult backtest={{ ...backtest(20), present: 4 }} />
      <BacktestResult backtest={{ ...backtest(21), runs: 400 }} />
      <BacktestResult backtest={{ ...backtest(0), present: 0, failure: "It failed" }} />
    </>
  ),
  "changes of a plan": (
    <PlanChanges
      changes={[{
        at: NOW,
        kind: "schedule muted",
        by: "Ada",
        note: "until 2026-11-24T09:00Z, see 2026-13-45T25:61Z",
      }]}
    />
  ),
  "plan form: nothing can be saved": planForm({ whyNotSaved: "Set DATABASE_URL" }),
};

/** Each part by its name and state. */
export const RUN_PARTS: Readonly<Record<string, VNode>> = Object.fromEntries(
  Object.entries(ALL).map(([name, part]) => [name, shownAt(NOW, part)]),
);
