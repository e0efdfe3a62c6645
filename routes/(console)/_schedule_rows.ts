/** Watched schedules on the overview and the page of schedules: which ones, and how they are. */
import type { OverviewFilter } from "../../components/runs/overview/overview_filter.tsx";
import type { ScheduleRow } from "../../components/runs/overview/schedule_row.ts";
import { alarmOf, tierOf } from "../../components/runs/verdict/state_badge.tsx";
import { filterText } from "../../components/ui/query.ts";
import type { Reason } from "../../lib/judgement/reason.ts";
import { reasonWords } from "../../lib/judgement/reason_words.ts";
import { wholeNumber } from "../../lib/format.ts";
import { SCHEDULE_STATES, type ScheduleOverview } from "../../server/store/observer/overview.ts";
import { readFilter } from "./_filter.ts";

/** The filter in a link, the first row of its page, and what is wrong with it. */
export function readOverviewFilter(params: URLSearchParams) {
  const { choice, offset, issues } = readFilter(params);
  const state = choice("state", ["all", ...SCHEDULE_STATES]);
  const filter: OverviewFilter = {
    state: state === "all" ? undefined : state,
    text: filterText(params, "q") || undefined,
    owner: filterText(params, "owner") || undefined,
    refresh: wholeNumber(params.get("refresh") ?? "") ?? undefined,
  };
  return { filter, offset: offset(), issues };
}

export function scheduleRow(schedule: ScheduleOverview): ScheduleRow {
  const { scheduleId, name, reportTitle, note, state, details, lastSuccess, failure } = schedule;
  // Verdicts are stored as they were written; their codes come from `judgeSchedule`.
  const reasons = (details?.reasons ?? [])
    .filter(({ severity, code }) => severity !== "info" || code === "never-ran") as Reason[];
  const words = reasons.map(reasonWords).filter(Boolean);
  if (failure !== null) words.unshift(`can't be read: ${failure}`);
  else if (details === null) words.unshift("not checked yet");
  const sentence = words.join("; ");
  const isUnseen = details === null || failure !== null;
  return {
    scheduleId,
    name,
    reportTitle,
    note,
    state,
    alarm: alarmOf({ state, reasons }),
    sentence: sentence && `${sentence[0].toUpperCase()}${sentence.slice(1)}.`,
    tier: isUnseen || reasons.length === 0 ? "unknown" : tierOf(reasons[0]),
    lastSuccess,
  };
}
