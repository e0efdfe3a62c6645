/** The rows of schedules on Today and on the page Schedules. */
import { capitalized } from "../../lib/format.ts";
import {
  type OverviewFilter,
  TODAY_CHOICES,
} from "../../components/runs/overview/overview_filter.tsx";
import type { Silence } from "../../components/runs/incidents/silence.tsx";
import type { ScheduleRow } from "../../components/runs/overview/schedule_table.tsx";
import { reasonMark } from "../../components/runs/verdict/state_badge.tsx";
import { filterText } from "../../components/ui/query.ts";
import { describePlan } from "../../lib/judgement/plans/describe.ts";
import { HEADLINES } from "../../lib/judgement/headline.ts";
import { reasonText, unreadableText } from "../../lib/judgement/reason_text.ts";
import type { ScheduleOverview } from "../../server/store/records/overview.ts";
import type { ObserverRecords } from "../../server/store/records/observer_records.ts";
import { readFilter } from "./_filter.ts";
import { loadSilences } from "./_silences.ts";

export function readOverviewFilter(params: URLSearchParams) {
  const { choice, offset, issues } = readFilter(params);
  const headline = choice("state", ["all", ...HEADLINES]);
  const filter: OverviewFilter = {
    headline: headline === "all" ? undefined : headline,
    day: TODAY_CHOICES.find((choice) => choice === params.get("day")),
    text: filterText(params, "q") || undefined,
    owner: filterText(params, "owner") || undefined,
    among: (["watched", "unwatched"] as const).find((each) => each === params.get("list")),
  };
  return { filter, offset: offset(), issues };
}

export async function scheduleRows(
  records: ObserverRecords,
  schedules: readonly ScheduleOverview[],
  { now, zone }: { readonly now: number; readonly zone: string },
): Promise<readonly ScheduleRow[]> {
  const silences = await loadSilences(records, schedules, now);
  return schedules.map((each) => scheduleRow(each, zone, silences.get(each.scheduleId) ?? []));
}

function scheduleRow(
  schedule: ScheduleOverview,
  zone: string,
  silences: readonly Silence[],
): ScheduleRow {
  const { details, failure } = schedule;
  const reasons = (details?.reasons ?? [])
    .filter(({ severity, code }) => severity !== "info" || code === "never-ran");
  const words = reasons.map((reason) => reasonText(reason, { zone }));
  if (failure !== null) {
    words.unshift(unreadableText(failure));
  } else if (details === null) words.unshift("not checked yet");
  const sentence = words.join("; ");
  const isUnseen = details === null || failure !== null;
  return {
    ...schedule,
    isWatched: schedule.watched === 1,
    sentence: sentence && `${capitalized(sentence)}.`,
    tone: isUnseen || reasons.length === 0 ? "neutral" : reasonMark(reasons[0])[1],
    plan: details?.plan ? describePlan(details.plan) : null,
    planned: schedule.strip ?? [],
    silences,
  };
}
