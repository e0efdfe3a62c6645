/** Loads and judges the schedules of a watch list. */
import {
  attentionTo,
  NOT_LOADED_RANK,
  recencyOf,
  UNKNOWN_ID_RANK,
} from "../../../components/runs/overview/attention.ts";
import type { WatchedSchedule } from "../../../components/runs/overview/watch_table.tsx";
import { problemOf } from "../../../server/http/problem.ts";
import { reasonOf } from "../../../server/log/log_problem.ts";
import {
  type LastLook,
  loadLastLooks,
  shownVerdict,
} from "../../../server/observer/shown_verdict.ts";
import {
  type JudgedWatch,
  judgeWatched,
  loadWatched,
  type Watched,
} from "../../../server/schedules/watch_loader.ts";
import type { StoredWatch } from "../../../server/store/observer/types.ts";
import { watchName } from "../../../server/store/observer/watches.ts";
import type { State } from "../_middleware.ts";
import { pageError } from "../../_errors.ts";
import { whyNotLooked } from "../incidents/_incidents.ts";
import { judgingOf, type ScheduleContext, titleOf } from "./_runs.ts";

type ListContext = Pick<ScheduleContext, "req" | "state">;

/**
 * The schedules, most urgent first, what their verdicts rest on, and the error that keeps all of
 * them from loading, if there is one.
 */
export async function loadWatchList(ctx: ListContext, ids: readonly number[]) {
  const { services, backend, preferences: { statuses } } = ctx.state;
  const { store } = services;
  const { signal } = ctx.req;
  const [watched, watches] = await Promise.all([
    loadWatched(backend, ids, {
      signal,
      zone: services.settings.serviceZone,
      runtime: services.runtime,
      keptRuns: services.keptRuns,
      ...(store && { versionOf: (scheduleId: number) => store.runsVersion(scheduleId) }),
    }),
    loadWatches(ctx.state, ids),
  ]);
  const judging = judgingOf(ctx);
  const now = Date.now();
  const judged = await judgeWatched(watched, (scheduleId) => {
    const { plan = null, pauses = [] } = watches.get(scheduleId)?.watch ?? {};
    return { ...judging, now, plan, pauses };
  }, signal);
  const isLooked = whyNotLooked(services) === null;
  let oldest: number | null = null;
  let own = 0;
  const shown = judged.map((each) => {
    const last = watches.get(each.scheduleId)?.last;
    if (!("verdict" in each) || !last || !isLooked) return each;
    const { verdict, basis } = shownVerdict(each.verdict, last, {
      now,
      statuses,
      allReadTheSame: store !== null,
    });
    if (basis === "stored") oldest = Math.min(oldest ?? now, last.kept.judged);
    else own++;
    return { ...each, verdict };
  });
  return {
    schedules: shown.map((each) => rowOf(each, watches.get(each.scheduleId)?.watch, ctx))
      .toSorted(mostUrgentFirst),
    basis: { oldest, own, now },
    thrown: commonError(watched),
  };
}

/** What people set for the watched schedules, by schedule id, with what their last looks left. */
async function loadWatches(
  { services: { records }, log }: State,
  scheduleIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly watch: StoredWatch; readonly last: LastLook | null }>> {
  try {
    const watches = await records?.watches.list(scheduleIds) ?? [];
    const lasts = records ? await loadLastLooks(records, watches) : new Map<number, LastLook>();
    return new Map(watches.map((watch) => {
      const { scheduleId } = watch;
      return [scheduleId, { watch, last: lasts.get(scheduleId) ?? null }];
    }));
  } catch (error) {
    log.warn("The confirmed plans could not be read", { reason: reasonOf(error) });
    return new Map();
  }
}

/** The error that keeps every schedule from loading, such as one of the service. */
function commonError(watched: readonly Watched[]): unknown {
  const errors = watched.map((schedule) => "error" in schedule ? schedule.error : undefined);
  const statuses = errors.map((error) => error === undefined ? 200 : problemOf(error).status);
  const isCommon = statuses.every((status) => status >= 400 && status !== 404);
  return errors[statuses.indexOf(401)] ?? (isCommon ? errors[0] : undefined);
}

/**
 * Most severe first; among those, schedules that are down first and of these the critical ones, then
 * those that were well most recently: the order of the overview.
 */
function mostUrgentFirst(a: WatchedSchedule, b: WatchedSchedule): number {
  const keysOf = (schedule: WatchedSchedule) => {
    const { scheduleId, rank } = schedule;
    if (!("verdict" in schedule)) return [rank, 0, 0, 0, -scheduleId];
    const { verdict } = schedule;
    const isCritical = verdict.reasons[0]?.severity === "critical";
    const isDown = verdict.state === "down";
    return [rank, Number(isDown), Number(isCritical), recencyOf(verdict), -scheduleId];
  };
  const [first, second] = [keysOf(a), keysOf(b)];
  const at = first.findIndex((key, at) => key !== second[at]);
  return at < 0 ? 0 : second[at] - first[at];
}

function rowOf(
  judged: JudgedWatch,
  watch: StoredWatch | undefined,
  ctx: ListContext,
): WatchedSchedule {
  const { scheduleId } = judged;
  const called = watch ? watchName(watch) : "";
  if ("error" in judged) {
    const { title, detail } = pageError(judged.error, ctx).error;
    const isUnknownId = problemOf(judged.error).status === 404;
    // The row itself says that the id is unknown.
    return {
      scheduleId,
      name: called,
      rank: isUnknownId ? UNKNOWN_ID_RANK : NOT_LOADED_RANK,
      reason: isUnknownId ? detail : `${title}. ${detail}`,
      isUnknownId,
    };
  }
  const { loaded, verdict } = judged;
  const attention = attentionTo(verdict);
  const title = titleOf(loaded.runs) || (watch?.title ?? "");
  const name = called || title;
  const reportTitle = title === name ? "" : title;
  return {
    scheduleId,
    name,
    reportTitle,
    rank: attention.rank,
    runs: loaded.runs,
    verdict,
    attention,
  };
}
