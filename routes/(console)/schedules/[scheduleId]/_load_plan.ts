import { planHref } from "../../../../components/runs/plan/plan_form.tsx";
import { isMutedAt } from "../../../../lib/judgement/incidents/incident.ts";
import type { Pause } from "../../../../lib/judgement/slots.ts";
import { spansOfDays } from "../../../../lib/judgement/plans/calendar.ts";
import type { Plan } from "../../../../lib/judgement/plans/plan.ts";
import { timeOf } from "../../../../lib/runs/times.ts";
import { readPersonName } from "../../../../server/http/cookies.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { failureReason } from "../../../../server/log/log_problem.ts";
import { judgeLoaded } from "../../../../server/schedules/judge_loaded.ts";
import {
  PLAN_FIELDS,
  planFieldsIn,
  type PlanIssues,
  readPlanFields,
  toPlanFields,
} from "../../../../server/schedules/plan_fields.ts";
import { COMING_MS, type PlanToCompare } from "../../../../server/schedules/plan_fit.ts";
import { planSummary, planVersion } from "../../../../server/schedules/saved_plan.ts";
import type { WatchEvent } from "../../../../server/store/records/events.ts";
import { whyNotObserved } from "../../../../server/observer/service_observer.ts";
import { judgingOf, loadSchedule, type ScheduleContext } from "../_runs.ts";
import type { Refusal } from "./_save_plan.ts";
import { NAME_MISSING } from "../../_actions.ts";

const CHANGES = 20;
/** The most runs that a page replays: a year of failures takes seconds. */
const REPLAYED_RUNS = 500;

export async function loadPlan(ctx: ScheduleContext, form: URLSearchParams, refused?: Refusal) {
  const { services, statuses, preferences: { zone } } = ctx.state;
  const schedule = await loadSchedule(ctx);
  const { loaded: { runs }, settings } = schedule;
  const now = Date.now();
  const judged = await judgeLoaded(schedule.loaded, {
    ...judgingOf(ctx),
    now,
    plan: settings.plan,
    pauses: settings.pauses,
    calendar: settings.calendar,
  });
  const standing = settings.plan ?? judged.schedule?.plan ?? null;
  const version = planVersion(settings);
  const typedName = form.get("name") ?? "";
  // A link may have the name of whoever wrote it, so the cookie's comes first.
  const person = refused ? typedName : readPersonName(ctx.req.headers) || typedName;
  const present = toPlanFields(standing, settings.pauses, { now, zone });
  const fields = form.has("cron") ? planFieldsIn(form) : present;
  const isChanged = PLAN_FIELDS.some((name) => fields[name] !== present[name]);
  const read = isChanged ? readPlanFields(fields, now) : null;
  const isPreview = read !== null && read.issues === null;
  const plan = isPreview ? read.plan : standing;
  const pauses = isPreview ? read.pauses : settings.pauses;
  const issues: PlanIssues = read?.issues ?? {};
  const exempt = [...pauses, ...plan ? spansOfDays(settings.calendar, plan.zone) : []];
  const compared = plan && await compare(ctx, { plan, pauses: exempt, runs, now });
  // A confirmed plan also judges earlier planned runs, if its times are those of the inferred one.
  const counted = new Set(isPreview ? [] : judged.planned.map(({ at }) => at));
  const replayed = runs.slice(0, REPLAYED_RUNS);
  const incidentsOf = async (of: Plan | null, during: readonly Pause[]) => {
    const { calendar } = settings;
    const options = { now, plan: of, pauses: during, calendar, statuses };
    return (await services.judging.backtest(replayed, options, ctx.req.signal)).incidents;
  };
  const backtested = async () => {
    try {
      const incidents = await incidentsOf(plan, pauses);
      const standingOnes = isPreview ? await incidentsOf(standing, settings.pauses) : null;
      return { incidents, standing: standingOnes, failure: null };
    } catch (error) {
      // The build bundles the class twice, so `instanceof` would not do.
      if (!(error instanceof Error) || error.name !== "JudgingError") throw error;
      return { incidents: [], standing: null, failure: error.message };
    }
  };
  return {
    ...schedule,
    changes: await loadChanges(ctx.state, schedule.scheduleId),
    refused: refused ? refusalWords(refused, settings) : null,
    backtest: form.has("backtest") && plan && Object.keys(issues).length === 0
      ? {
        runs: replayed.length,
        fit: compared?.fit ?? null,
        ...await backtested(),
        falseIncidents: settings.falseIncidents,
        person,
        href: `${planHref(schedule.scheduleId)}${ctx.url.search}`,
        mutedUntil: isMutedAt(settings, now) ? settings.mutedUntil : null,
      }
      : null,
    plan: plan && compared && {
      plan,
      isPreview,
      confirmed: settings.plan && (settings.plan.confirmed ?? settings.plan.since),
      runs: runs.length,
      cutMs: compared.cutMs,
      misfit: isPreview
        ? previewMisfit(compared.misfit, plan, timeOf(runs[0]?.startTime) ?? now)
        : settings.plan && compared.misfit,
      slots: compared.latest,
      countsFrom: compared.latest.findLast(({ at }) => counted.has(at))?.at ?? plan.since,
      pauses: exempt,
      month: { zone: plan.zone, from: now, to: now + COMING_MS, days: compared.coming },
    },
    form: {
      fields,
      issues,
      person,
      seen: refused === "stale" ? version : form.get("seen") ?? version,
      isConfirmed: settings.plan !== null,
      whyNotSaved: services.records ? null : whyNotObserved(services),
    },
  };
}

async function compare(
  { state: { services: { judging }, statuses }, req: { signal } }: ScheduleContext,
  { plan, pauses, runs, now }: Omit<PlanToCompare, "statuses">,
) {
  const question = {
    plan,
    pauses,
    now,
    statuses,
    // Copying all recipients to the worker would take longer than comparing.
    runs: runs.map(({ recipients: _, ...run }) => run),
  };
  try {
    return await judging.comparePlan(question, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new ProblemError(503, "The plan could not be compared with the runs; please try again", {
      cause,
      retryAfterSeconds: 5,
    });
  }
}

function refusalWords(refused: Refusal, saved: Parameters<typeof planSummary>[0]): string | null {
  switch (refused) {
    case "fields":
      return null;
    case "name":
      return `${NAME_MISSING}.`;
    case "stale":
      return "Nothing was saved, because somebody else has changed the plan: see the changes at the " +
        `end of the page. The saved plan is now: ${planSummary(saved)}. What you typed is still ` +
        "below. To replace the saved plan, press the button again.";
  }
}

async function loadChanges(
  { services: { records }, log }: ScheduleContext["state"],
  scheduleId: number,
): Promise<readonly WatchEvent[]> {
  try {
    return await records?.events.latest(scheduleId, CHANGES) ?? [];
  } catch (error) {
    log.warn("The changes of a watch could not be read", { reason: failureReason(error) });
    return [];
  }
}

/** A warning that a typed plan does not fit. Unlike with `watch add`, it may begin in the past. */
function previewMisfit(words: string | null, { since }: Plan, latest: number): string | null {
  return words === null || since > latest
    ? words
    : `${words}. If the plan is new, set “Valid from” to its first day: from that day on, planned ` +
      "runs that did not start count as missed";
}
