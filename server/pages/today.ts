/** The page Today, from stored polls, without requests to the service. */
import { addDays, dayIn, startOfDay } from "../../lib/days.ts";
import { summarizeDay } from "../../lib/judgement/day_summary.ts";
import { type Headline, HEADLINES } from "../../lib/judgement/headline.ts";
import { isMutedAt, type Silence } from "../../lib/judgement/incidents/incident.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { StoredDay } from "../store/records/overview.ts";
import { loadChannels } from "./owner_pages.ts";
import { fallbackName, isUnsent, loadNeeded, subjectOf } from "./incidents.ts";
import type { PageMoment, PageState } from "./page_request.ts";
import { latestPoll, loadOutage, readOverviewFilter, scheduleRows } from "./schedules.ts";
import { isSilentAt, loadIncidentSilence, loadSilences } from "./silences.ts";

const PAGE = 30;
const MAX_FOLDED = 5;

export async function loadToday(
  { services, preferences: { zone } }: PageState,
  params: URLSearchParams,
) {
  const now = Date.now();
  const { filter, offset } = readOverviewFilter(params);
  const { records } = services;
  const common = { now, filter };
  if (!records) return { ...common, watched: null };
  const moment = { now, zone };
  const { schedules, ...day } = await loadDay(records, moment);
  const [{ items, total }, attention, channels, outage] = await Promise.all([
    records.overview.list({ ...filter, limit: PAGE, offset }),
    loadAttention(records, schedules, moment),
    loadChannels(services),
    loadOutage(records),
  ]);
  const rows = await scheduleRows(records, items, { ...moment, outage });
  const unsent = channels.owned.filter(isUnsent);
  return {
    ...common,
    watched: {
      ...day,
      count: schedules.length,
      outage: outage && { ...outage, polled: day.polled },
      rows,
      position: { start: offset, count: rows.length, limit: PAGE, total },
      attention,
      // The default outlets, and owners' channels with something unsent.
      outlets: {
        shown: [...channels.defaults, ...unsent],
        others: channels.owned.length - unsent.length,
      },
    },
  };
}

async function loadDay(
  { overview, incidents, verdicts }: ObserverRecords,
  { now, zone }: PageMoment,
) {
  const day = dayIn(zone)(now);
  const span = { from: startOfDay(day, zone)!, to: startOfDay(addDays(day, 1), zone)!, now };
  const schedules = (await overview.days())
    .map((each) => ({ ...each, name: each.name || fallbackName(each.scheduleId) }));
  const counts = Object.fromEntries(HEADLINES.map((each) => [each, 0])) as Record<Headline, number>;
  for (const { headline } of schedules) counts[headline]++;
  const unjudged = schedules.filter((each) => each.day === null);
  // Read only where it matters, as it looks through all verdicts.
  const isAsked = schedules.some((each) => each.headline === "unknown" && !each.planSource);
  const unexplained = (isAsked ? await verdicts.unknown() : []).map(({ scheduleId }) => scheduleId);
  const unknown = (await incidents.schedulesWith("unreadable")).union(new Set(unexplained));
  const leavers = (await incidents.schedulesWith("leaver-recipient"))
    .difference(await incidents.schedulesWith("outside-recipient"));
  const summary = summarizeDay(
    schedules.map(({ scheduleId, name, headline, day, planSource, polled, people, reached }) => ({
      scheduleId,
      name,
      polled,
      headline: day === null ? null : headline,
      isOfLeaver: leavers.has(scheduleId),
      isWithoutPlan: planSource === null && !unknown.has(scheduleId),
      planned: day ?? [],
      people,
      reached,
    })),
    span,
  );
  return {
    schedules,
    counts,
    summary,
    polled: latestPoll(schedules),
    unread: unjudged.filter(({ failures }) => failures === 0).length,
    unreadable: unjudged.filter(({ failures }) => failures > 0).length,
    unjudged: unjudged.length === 0 ? "none" : unjudged.length < schedules.length ? "some" : "all",
  } as const;
}

async function loadAttention(
  records: ObserverRecords,
  schedules: readonly StoredDay[],
  moment: PageMoment,
) {
  const { incidents, leavers } = records;
  const [needed, acknowledged, muted, left] = await Promise.all([
    loadNeeded(records, moment),
    incidents.attention("acknowledged", moment.now, 1),
    incidents.attention("muted", moment.now, MAX_FOLDED),
    leavers.ownedSchedules(moment.now),
  ]);
  const names = new Map(schedules.map(({ scheduleId, name }) => [scheduleId, name]));
  const owned = schedules.filter(({ scheduleId }) => left.has(scheduleId));
  const alone = muted.items.filter((incident) => isMutedAt(incident, moment.now));
  const silent = schedules.filter((each) => isSilentAt(each, moment.now));
  const toRows = (name: string, silences: readonly Silence[] = []) =>
    silences.map((silence) => ({ name, silence }));
  const ofSchedules = await loadSilences(records, silent.slice(0, MAX_FOLDED), moment.now);
  const ofIncidents = await Promise.all(alone.map(async (incident) => {
    const name = subjectOf(incident, names.get(incident.scheduleId ?? NaN));
    return toRows(name, await loadIncidentSilence(records, incident, moment.now));
  }));
  return {
    needed,
    acknowledged: acknowledged.total,
    silenced: {
      items: [
        ...ofIncidents.flat(),
        ...silent.flatMap(({ scheduleId, name }) => toRows(name, ofSchedules.get(scheduleId))),
      ],
      total: alone.length + silent.length + muted.total - muted.items.length,
    },
    ownedByLeavers: {
      total: owned.length,
      items: owned.slice(0, MAX_FOLDED).map(({ scheduleId, name }) => ({ name, scheduleId })),
    },
  };
}
