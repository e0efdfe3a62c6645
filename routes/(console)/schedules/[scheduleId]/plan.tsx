import { PlanBacktest } from "../../../../components/runs/plan/plan_backtest.tsx";
import { PLAN_FORM, PlanForm, planHref } from "../../../../components/runs/plan/plan_form.tsx";
import { PlanMonth } from "../../../../components/runs/plan/plan_month.tsx";
import { type PlanSlot, PlanSlots } from "../../../../components/runs/plan/plan_slots.tsx";
import { type PlanSource, PlanWords } from "../../../../components/runs/plan/plan_words.tsx";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { PlanPreview } from "../../../../islands/PlanPreview.tsx";
import { formatCountOf } from "../../../../lib/format.ts";
import { latestSlots } from "../../../../lib/runs/judge/latest_slots.ts";
import { isInPause, type JudgedSlot, type Pause } from "../../../../lib/runs/judge/slots.ts";
import { cutGrace, type Plan, planSlots } from "../../../../lib/runs/plans/plan.ts";
import type { StatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { scheduleIdOf } from "../../../../server/http/schedule_id.ts";
import { judgeLoaded } from "../../../../server/schedules/judge_loaded.ts";
import {
  PLAN_FIELDS,
  planFieldsIn,
  planFieldsOf,
  type PlanIssues,
  readPlanFields,
} from "../../../../server/schedules/plan_fields.ts";
import { misfit, planFit } from "../../../../server/schedules/plan_fit.ts";
import { statusesToWatchBy } from "../../../../server/schedules/status_dictionary.ts";
import type { Records } from "../../../../server/store/observer/records.ts";
import type { ConfirmedPlan, WatchSettings } from "../../../../server/store/observer/types.ts";
import { loadPage } from "../../../_errors.ts";
import { recordsOf, whyNotLooked } from "../../incidents/_incidents.ts";
import { judgingOf, loadSchedule, loadScheduleSettings, type ScheduleContext } from "../_runs.ts";
import { handler, page } from "./$plan.ts";

/** How many slots are compared with the runs. */
const SLOTS = 20;
const DAY = 86_400_000;
/** A page replays at most this many runs: a year of failures takes seconds. */
const REPLAYED_RUNS = 500;
const COMING_MS = 31 * DAY;

/** What is updated while somebody types: the plan in words, its slots and the coming month. */
const WORDS = "plan-words";
const SLOTS_PART = "plan-slots";
const PARTS = [WORDS, SLOTS_PART];

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadPlan(ctx, ctx.url.searchParams)),

  async POST(ctx) {
    const scheduleId = scheduleIdOf(ctx.params);
    const form = await readFormBody(ctx.req);
    const records = recordsOf(ctx.state.services);
    const now = Date.now();
    if (form.has("mark") || form.has("unmark")) {
      await mark(records, scheduleId, form, now);
      // Return to the same plan, which may not be saved.
      return ctx.redirect(`${planHref(scheduleId)}${ctx.url.search}`, 303);
    }
    switch (form.get("action")) {
      case "infer":
        await records.watches.change(scheduleId, { plan: null }, now);
        return ctx.redirect(`${planHref(scheduleId)}?saved=inferred`, 303);
      case "confirm": {
        const read = readPlanFields(planFieldsIn(form), now);
        if (read.issues) {
          const result = await loadPage(ctx, () => loadPlan(ctx, form));
          return result.data.shown ? { ...result, status: 400 } : result;
        }
        const { plan, pauses } = read;
        const { statuses } = ctx.state.preferences;
        const settings = { plan: { ...plan, confirmed: now }, pauses };
        await keep(records, scheduleId, settings, { now, statuses });
        return ctx.redirect(`${planHref(scheduleId)}?saved=plan`, 303);
      }
      default:
        throw new ProblemError(400, "There is no such action");
    }
  },
});

/**
 * Saves the confirmed plan, and watches the schedule if it was not watched: with the reader's
 * meanings of statuses.
 */
async function keep(
  { watches }: Records,
  scheduleId: number,
  settings: Partial<WatchSettings>,
  { now, statuses }: { readonly now: number; readonly statuses: StatusDictionary },
): Promise<void> {
  const whole = { statuses: statusesToWatchBy(statuses), ...settings };
  const [added] = await watches.add([scheduleId], now, whole);
  if (added === undefined) await watches.change(scheduleId, settings, now);
}

/** At most this many marks are kept; the oldest are dropped first. */
const MOST_MARKS = 500;

/** Marks an incident of a backtest as false, or unmarks it. */
async function mark(
  { watches }: Records,
  scheduleId: number,
  form: URLSearchParams,
  now: number,
): Promise<void> {
  const watch = await watches.get(scheduleId);
  if (!watch) throw new ProblemError(409, "The schedule is not watched, so nothing can be marked");
  const key = form.get("mark") ?? form.get("unmark")!;
  if (!/^[a-z-]{1,40}-\d{1,16}$/.test(key)) {
    throw new ProblemError(400, "mark and unmark must be the key of an incident");
  }
  const others = watch.falseIncidents.filter((other) => other !== key);
  const falseIncidents = form.has("mark") ? [...others, key].slice(-MOST_MARKS) : others;
  await watches.change(scheduleId, { falseIncidents }, now);
}

/** The current plan, or the one that a form describes. */
async function loadPlan(ctx: ScheduleContext, form: URLSearchParams) {
  const { services, preferences: { statuses, zone } } = ctx.state;
  const schedule = await loadSchedule(ctx);
  const { runs } = schedule.loaded;
  const settings = await loadScheduleSettings(ctx.state, schedule.scheduleId);
  const now = Date.now();
  const standing = settings.plan ??
    (await judgeLoaded(schedule.loaded, { ...judgingOf(ctx), now })).schedule?.plan ?? null;
  const present = planFieldsOf(standing, settings.pauses, { now, zone });
  const fields = form.has("cron") ? planFieldsIn(form) : present;
  const isChanged = PLAN_FIELDS.some((name) => fields[name] !== present[name]);
  const read = isChanged ? readPlanFields(fields, now) : null;
  const isPreview = read !== null && read.issues === null;
  const plan = isPreview ? read.plan : standing;
  const pauses = isPreview ? read.pauses : settings.pauses;
  const issues: PlanIssues = read?.issues ?? {};
  const coming = plan ? planSlots(plan, now, now + COMING_MS) : [];
  const replayed = runs.slice(0, REPLAYED_RUNS);
  const incidentsOf = async (of: Plan | null, during: readonly Pause[]) => {
    const options = { now, plan: of, pauses: during, statuses };
    return (await services.judging.backtest(replayed, options, ctx.req.signal)).incidents;
  };
  return {
    ...schedule,
    backtest: form.has("backtest") && plan && Object.keys(issues).length === 0
      ? {
        runs: replayed.length,
        fit: planFit(plan, runs),
        incidents: await incidentsOf(plan, pauses),
        standing: isPreview ? await incidentsOf(standing, settings.pauses) : null,
        falseIncidents: settings.falseIncidents,
        href: `${planHref(schedule.scheduleId)}${ctx.url.search}`,
        mutedUntil: (settings.mutedUntil ?? 0) > now ? settings.mutedUntil : null,
      }
      : null,
    plan: plan && {
      plan,
      source: isPreview ? PREVIEW : sourceOf(settings.plan, runs.length),
      cutMs: cutGrace(plan, coming),
      misfit: isPreview || settings.plan ? misfit(plan, runs, now) : null,
      slots: latestSlots(runs, plan, { now, statuses, count: SLOTS })
        .map((slot) => planSlot(slot, plan, pauses)),
      month: {
        zone: plan.zone,
        from: now,
        to: now + COMING_MS,
        slots: coming,
        pauses,
      },
    },
    form: {
      fields,
      issues,
      isConfirmed: settings.plan !== null,
      whyNotKept: services.records ? null : whyNotLooked(services),
    },
  };
}

const PREVIEW: PlanSource = { kind: "preview" };

function sourceOf(confirmed: ConfirmedPlan | null, runs: number): PlanSource {
  if (!confirmed) return { kind: "inferred", runs };
  return { kind: "confirmed", at: confirmed.confirmed ?? confirmed.since };
}

function planSlot(
  { at, outcome, occurrence }: JudgedSlot<ReportRun>,
  { since }: Plan,
  pauses: readonly Pause[],
): PlanSlot {
  const [run] = occurrence?.runs ?? [];
  return {
    at,
    outcome,
    run: run ?? null,
    lateMs: occurrence ? occurrence.time - at : null,
    exempt: isInPause(at, pauses) ? "paused" : at < since ? "before" : null,
  };
}

export default page(({ data, params, state }) => {
  const { shown } = data;
  return (
    <>
      <ScheduleHeader current="plan" data={data} params={params} state={state} />
      {shown && (
        <>
          <div id={WORDS}>
            {shown.plan ? <PlanWords {...shown.plan} /> : (
              <p class="notice">
                No plan can be seen in{" "}
                {formatCountOf(shown.loaded.runs.length, "run", "runs")}. Write one below if you
                know it.
              </p>
            )}
          </div>
          <PlanForm scheduleId={shown.scheduleId} {...shown.form} />
          <PlanPreview form={PLAN_FORM} parts={PARTS} />
          {shown.backtest && <PlanBacktest backtest={shown.backtest} />}
          <div id={SLOTS_PART}>
            {shown.plan && (
              <>
                <PlanSlots slots={shown.plan.slots} scheduleId={shown.scheduleId} />
                <PlanMonth {...shown.plan.month} />
              </>
            )}
          </div>
        </>
      )}
    </>
  );
});
