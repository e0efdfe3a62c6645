/** The rows of schedules on Today and on the page Schedules. */
import { capitalized } from "../../lib/format.ts";
import { filterText } from "../../lib/filter_text.ts";
import { TODAY_CHOICES } from "../../lib/judgement/day_summary.ts";
import { HEADLINES } from "../../lib/judgement/headline.ts";
import { describePlan } from "../../lib/judgement/plans/describe.ts";
import { reasonText, unreadableText } from "../../lib/judgement/reason_text.ts";
import type { ScheduleOverview } from "../store/records/overview.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { readFilter } from "./filter.ts";
import type { Silence } from "../../lib/judgement/incidents/silence.ts";
import { loadSilences } from "./silences.ts";

/** Which schedules a link asks for. */
export type OverviewQuery = ReturnType<typeof readOverviewFilter>["filter"];

export function readOverviewFilter(params: URLSearchParams) {
  const { choice, offset, issues } = readFilter(params);
  const headline = choice("state", ["all", ...HEADLINES]);
  const filter = {
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
) {
  const silences = await loadSilences(records, schedules, now);
  return schedules.map((each) =>
    scheduleRow(each, { now, zone }, silences.get(each.scheduleId) ?? [])
  );
}

function scheduleRow(
  schedule: ScheduleOverview,
  moment: { readonly now: number; readonly zone: string },
  silences: readonly Silence[],
) {
  const { details, failure } = schedule;
  const reasons = (details?.reasons ?? [])
    .filter(({ severity, code }) => severity !== "info" || code === "never-ran");
  const words = reasons.map((reason) => reasonText(reason, moment));
  if (failure !== null) {
    words.unshift(unreadableText(failure));
  } else if (details === null) words.unshift("not checked yet");
  const sentence = words.join("; ");
  return {
    ...schedule,
    isWatched: schedule.watched === 1,
    isRead: details !== null,
    sentence: sentence && `${capitalized(sentence)}.`,
    plan: details?.plan ? describePlan(details.plan, moment) : null,
    planned: schedule.strip ?? [],
    silences,
  };
}
