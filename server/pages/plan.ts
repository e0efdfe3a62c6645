/** The page of a schedule's plan: what it is, what became of its planned runs, and a preview of another. */
import { actorText } from "../../lib/actor.ts";
import type { Plan } from "../../lib/judgement/plans/plan.ts";
import { timeOf } from "../../lib/runs/times.ts";
import { excusedSpans, isInPause, type Pause } from "../../lib/judgement/slots.ts";
import { actionServices, type OpenedServices } from "../actions/action_services.ts";
import { savePlan } from "../actions/save_plan.ts";
import type { Acting } from "../store/records/events.ts";
import { invalidRequest, isProblemError, ProblemError } from "../http/problem.ts";
import { requireScheduleId } from "../http/request_query.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import {
  confirmFields,
  PLAN_FIELDS,
  planFieldsIn,
  planSummary,
  planVersion,
  readPlanFields,
  toPlanFields,
} from "../schedules/plan_fields.ts";
import type { PlanToCompare } from "../schedules/plan_fit.ts";
import { recipientFacts } from "../schedules/recipient_facts.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { PageState, ScheduleRequest } from "./page_request.ts";
import { judgeForPage, loadSchedule } from "./schedule.ts";

const CHANGES = 20;
/** The most runs that a page replays: a year of failures takes seconds. */
const REPLAYED_RUNS = 500;

/** The plan, or another that a form has; of one that was not saved, if it was `refused` as it is. */
export async function loadPlan(
  ctx: ScheduleRequest,
  form: URLSearchParams,
  { isRefused = false, isStale = false } = {},
) {
  const { services, statuses, preferences: { zone } } = ctx.state;
  const schedule = await loadSchedule(ctx);
  const { loaded: { runs }, settings } = schedule;
  const { pauses, calendar } = settings;
  const { verdict, now } = await judgeForPage(ctx.state, schedule);
  const said = settings.plans.at(-1) ?? null;
  const standing = said ?? verdict.schedule?.plan ?? null;
  const present = toPlanFields(standing, pauses, zone);
  const fields = form.has("cron") ? planFieldsIn(form) : present;
  const isChanged = PLAN_FIELDS.some((name) => fields[name] !== present[name]);
  const read = isChanged ? readPlanFields(fields, now, standing) : null;
  const version = planVersion(settings);
  const judged = new Map(verdict.planned.map(({ at, outcome }) => [at, outcome]));
  const show = async (plan: Plan, exempt: readonly Pause[]) => {
    const days = excusedSpans(plan, exempt, calendar);
    const { latest, ...fit } = await compare(ctx, { plan, pauses: days, runs, now, zone });
    return {
      plan,
      exempt,
      ...fit,
      planned: latest.map((slot) => ({ ...slot, isPaused: isInPause(slot.at, days) })),
    };
  };
  const shown = standing && await show(standing, pauses);
  const preview = read && read.issues === null ? await show(read.plan, read.pauses) : null;
  const changes = await loadChanges(ctx.state, schedule.scheduleId, CHANGES);
  const [confirmed] = await loadChanges(ctx.state, schedule.scheduleId, 1, ["plan confirmed"]);
  return {
    ...schedule,
    headline: verdict.headline,
    plan: standing,
    planSource: said ? "confirmed" as const : "inferred" as const,
    // Another plan is about to be saved instead.
    confirm: isChanged || isRefused ? null : confirmFields(standing, settings, zone),
    changes,
    standing: shown && {
      ...shown,
      // Earlier planned runs show how the plan fits, but are not judged by it.
      planned: shown.planned.map((each) => {
        const outcome = judged.get(each.at);
        return {
          ...each,
          // The verdict also knows what excuses it, and how late the service lists its runs.
          ...outcome === "due" && { outcome },
          isPaused: each.isPaused || outcome === "excused",
          isCounted: outcome !== undefined || each.at >= shown.plan.since,
        };
      }),
      misfit: said && shown.misfit,
      confirmed: said && { at: said.confirmed ?? said.since, by: confirmed?.by ?? null },
    },
    preview: preview && {
      ...preview,
      backtest: form.has("backtest") ? await backtest(preview) : null,
    },
    form: {
      fields,
      issues: read?.issues ?? {},
      person: form.get("name") ?? "",
      seen: isStale ? version : form.get("seen") ?? version,
      isConfirmed: said !== null,
      whyNotSaved: services.records ? null : whyNotObserved(services),
    },
  };

  async function backtest({ plan, exempt }: Awaited<ReturnType<typeof show>>) {
    const replayed = runs.slice(0, REPLAYED_RUNS);
    const facts = await recipientFacts(services.records, services.settings, {
      ...{ scheduleId: schedule.scheduleId, now },
      starts: replayed.map(({ startTime }) => timeOf(startTime)),
    });
    const options = { now, calendar, statuses, ...facts };
    const replay = (plans: readonly Plan[], pauses: readonly Pause[]) =>
      services.judging.backtest(replayed, { ...options, plans, pauses }, ctx.req.signal);
    const held = said ? settings.plans : standing ? [standing] : [];
    try {
      const incidents = await replay([plan], exempt);
      const present = held.length > 0 ? (await replay(held, pauses)).length : null;
      return { runs: replayed.length, incidents, present, failure: null };
    } catch (error) {
      // The build bundles the class twice, so `instanceof` would not do.
      if (!(error instanceof Error) || error.name !== "JudgingError") throw error;
      return { runs: replayed.length, incidents: [], present: 0, failure: error.message };
    }
  }
}

/**
 * Saves the plan of the form, or returns to the inferred one.
 *
 * @throws {ProblemError} Of wrong fields; or with status 409 if somebody else has changed the plan
 */
export async function savePlanForm(
  ctx: ScheduleRequest & {
    readonly state: { readonly services: OpenedServices; readonly origin: string };
  },
  form: URLSearchParams,
  acting: () => Acting,
): Promise<void> {
  const scheduleId = requireScheduleId(ctx.params);
  const now = Date.now();
  const action = form.get("action");
  let settings: Parameters<typeof savePlan>[1] = { plan: null };
  if (action === "confirm") {
    const { standing, preview } = await loadPlan(ctx, form);
    const read = readPlanFields(planFieldsIn(form), now, standing?.plan);
    if (read.issues) {
      throw invalidRequest(
        Object.entries(read.issues).map(([field, detail]) => ({ pointer: `/${field}`, detail })),
      );
    }
    if (preview?.fitsNone && !form.has("anyway")) throw new ProblemError(400, MISFIT);
    settings = { plan: { ...read.plan, confirmed: now }, pauses: read.pauses };
  }
  const by = { scheduleId, ...acting(), seen: form.get("seen") };
  try {
    await savePlan(actionServices(ctx.state), settings, by);
  } catch (error) {
    if (!isProblemError(error) || error.problem.status !== 409) throw error;
    const { settings: { plans, pauses } } = await loadSchedule(ctx);
    const saved = planSummary({ plan: plans.at(-1) ?? null, pauses });
    throw new ProblemError(
      409,
      "Nothing was saved, because somebody else has changed the plan. The saved plan is now: " +
        `${saved}. What you typed is still below. To replace the saved plan, press the button again`,
    );
  }
}

const MISFIT = "Nothing was saved: none of the latest runs fits this plan. If it is right, tick " +
  "that below";

async function compare(
  { state: { services: { judging }, statuses }, req: { signal } }: ScheduleRequest,
  { plan, pauses, runs, now, zone }: Omit<PlanToCompare, "statuses">,
) {
  // Copying all recipients to the worker would take longer than comparing.
  const short = runs.map(({ recipients: _, ...run }) => run);
  try {
    return await judging.comparePlan({ plan, pauses, now, zone, statuses, runs: short }, signal);
  } catch (cause) {
    throw new ProblemError(503, "The plan could not be compared with the runs; please try again", {
      cause,
      retryAfterSeconds: 5,
    });
  }
}

async function loadChanges(
  { services: { records } }: PageState,
  ...which: Parameters<ObserverRecords["events"]["latest"]>
) {
  const events = await records?.events.latest(...which) ?? [];
  return events.map(({ at, kind, actor, note }) => ({ at, kind, by: actorText(actor), note }));
}
