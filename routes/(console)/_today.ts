/** Loads the page Today from stored polls, without requests to the service. */
import type { AttentionRow, SilencedRow } from "../../components/runs/overview/needs_somebody.tsx";
import {
  type DaySummary,
  isChosen,
  summarizeDay,
} from "../../components/runs/overview/day_summary.ts";
import type { OverviewFilter } from "../../components/runs/overview/overview_filter.tsx";
import { incidentHref } from "../../components/runs/incidents/incident_table.tsx";
import type { Silence } from "../../components/runs/incidents/silence.tsx";
import { runHref, scheduleHref } from "../../components/runs/run_links.tsx";
import { reasonMark } from "../../components/runs/verdict/state_badge.tsx";
import { addDays, dayIn, startOfDay } from "../../lib/days.ts";
import { type Headline, HEADLINES } from "../../lib/judgement/headline.ts";
import { isMutedAt } from "../../lib/judgement/incidents/incident.ts";
import type { Services } from "../../server/program/services.ts";
import type { Attention, StoredIncident } from "../../server/store/records/incidents.ts";
import type { ObserverRecords } from "../../server/store/records/observer_records.ts";
import type { OutletHealth } from "../../server/store/records/messages.ts";
import type { StoredDay } from "../../server/store/records/overview.ts";
import { isSilentAt, loadIncidentSilence, loadSilences } from "./_silences.ts";
import { incidentRow } from "./incidents/_incidents.ts";
import { loadChannels } from "./owners/_owners.ts";
import { outletLabels } from "../../server/observer/channel_health.ts";

const MAX_INCIDENTS = 8;
const MAX_FOLDED = 5;
const MOST_PLANNED = 20;

function fallbackName(scheduleId: number | null): string {
  return scheduleId === null ? "The service" : `Schedule ${scheduleId}`;
}

interface Moment {
  readonly now: number;
  readonly zone: string;
}

export async function loadDay({ overview }: ObserverRecords, { now, zone }: Moment) {
  const day = dayIn(zone)(now);
  const span = { from: startOfDay(day, zone)!, to: startOfDay(addDays(day, 1), zone)!, now };
  const schedules = (await Array.fromAsync(overview.days())).flat();
  const counts = Object.fromEntries(HEADLINES.map((each) => [each, 0])) as Record<Headline, number>;
  for (const { headline } of schedules) counts[headline]++;
  const summary = summarizeDay(
    schedules.map(({ scheduleId, name, headline, day, people, reached }) => ({
      scheduleId,
      name: name || fallbackName(scheduleId),
      headline: day === null ? null : headline,
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
    polled: schedules.reduce<number | null>(
      (latest, { polled }) => polled !== null && polled > (latest ?? 0) ? polled : latest,
      null,
    ),
    unread: schedules.filter((each) => each.day === null).length,
  };
}

/** The schedules of the chosen runs of today; undefined for all. */
export function schedulesOfDay(
  { marks, now }: DaySummary,
  { day }: OverviewFilter,
): readonly number[] | undefined {
  if (day === undefined) return undefined;
  const chosen = marks.filter((mark) => isChosen(mark, day, now));
  return [...new Set(chosen.map(({ scheduleId }) => scheduleId))];
}

export async function loadAttention(
  records: ObserverRecords,
  schedules: readonly StoredDay[],
  moment: Moment,
) {
  const { incidents, messages, leavers } = records;
  const { now } = moment;
  const load = (kind: Attention, most: number) => incidents.attention(kind, now, most);
  const [needed, acknowledged, muted] = await Promise.all([
    load("needed", MAX_INCIDENTS),
    load("acknowledged", MAX_FOLDED),
    load("muted", MAX_FOLDED),
  ]);
  const byId = new Map(schedules.map((each) => [each.scheduleId, each]));
  const [health, label, verdicts, left] = await Promise.all([
    messages.healthByIncident(needed.items.map(({ id }) => id)),
    outletLabels(records),
    records.verdicts.list(needed.items.flatMap(({ scheduleId }) => scheduleId ?? [])),
    leavers.ownedSchedules(now),
  ]);
  const verdictOf = new Map(verdicts.map((verdict) => [verdict.scheduleId, verdict]));
  const owned = schedules.filter(({ scheduleId }) => left.has(scheduleId));
  const rowOf = (incident: StoredIncident): AttentionRow => {
    const { id, scheduleId, acknowledged, reason } = incident;
    const schedule = byId.get(scheduleId ?? NaN);
    const about = health.filter(({ incidentId }) => incidentId === id);
    const verdict = verdictOf.get(scheduleId ?? NaN);
    return {
      ...incidentRow(incident, null, moment.zone),
      scheduleId,
      runHref: reason.code === "unknown-status" && reason.of !== null && reason.runs.length > 0
        ? runHref(reason.of.scheduleId, reason.runs[0])
        : null,
      acknowledged,
      name: schedule?.name || fallbackName(scheduleId),
      owner: schedule?.note ?? "",
      mark: reasonMark(reason),
      planned: (verdict?.strip ?? []).slice(-MOST_PLANNED),
      lastSuccess: verdict?.lastSuccess ?? null,
      people: verdict?.people ?? null,
      sent: about.flatMap(({ outlet, sent, waiting }) =>
        sent !== null && waiting === 0 ? { outlet: label(outlet), at: sent } : []
      ),
      unsent: about.filter(isUnsent).map((each) => ({ ...each, label: label(each.outlet) })),
    };
  };
  return {
    needed: { total: needed.total, items: needed.items.map(rowOf) },
    acknowledged: { total: acknowledged.total, items: acknowledged.items.map(rowOf) },
    silenced: await loadSilenced(records, schedules, muted, moment),
    ownedByLeavers: {
      total: owned.length,
      items: owned.slice(0, MAX_FOLDED).map(({ scheduleId, name }) => ({
        name: name || fallbackName(scheduleId),
        href: scheduleHref(scheduleId),
      })),
    },
  };
}

function isUnsent(
  { waiting, sent, givenUp }: Pick<OutletHealth, "waiting" | "sent" | "givenUp">,
): boolean {
  return waiting > 0 || (givenUp ?? 0) > (sent ?? 0);
}

async function loadSilenced(
  records: ObserverRecords,
  schedules: readonly StoredDay[],
  muted: { readonly items: readonly StoredIncident[]; readonly total: number },
  { now }: Moment,
): Promise<{ readonly items: readonly SilencedRow[]; readonly total: number }> {
  const alone = muted.items.filter((incident) => isMutedAt(incident, now));
  const silent = schedules.filter((each) => isSilentAt(each, now));
  const names = new Map(schedules.map(({ scheduleId, name }) => [scheduleId, name]));
  const rowsOf = (id: number | null, href: string, silences: readonly Silence[] = []) =>
    silences.map((silence) => ({ name: names.get(id ?? NaN) || fallbackName(id), href, silence }));
  const [ofSchedules, ofIncidents] = await Promise.all([
    loadSilences(records, silent.slice(0, MAX_FOLDED), now),
    Promise.all(alone.map((incident) => loadIncidentSilence(records, incident, now))),
  ]);
  return {
    items: [
      ...alone.flatMap(({ id, scheduleId }, at) =>
        rowsOf(scheduleId, incidentHref(id), ofIncidents[at])
      ),
      ...[...ofSchedules].flatMap(([id, silences]) => rowsOf(id, scheduleHref(id), silences)),
    ],
    total: alone.length + silent.length + muted.total - muted.items.length,
  };
}

/** The health of the default outlets, and of owners' channels with something unsent. */
export async function loadOutlets(services: Services, records: ObserverRecords) {
  const { defaults, owned } = await loadChannels(services, records);
  const unsent = owned.filter(isUnsent);
  return { shown: [...defaults, ...unsent], others: owned.length - unsent.length };
}
