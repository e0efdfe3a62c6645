/** What today's page shows: loaded from what polls stored, without asking the service. */
import type { AttentionRow, SilencedRow } from "../../components/runs/overview/needs_somebody.tsx";
import {
  type DaySummary,
  isChosen,
  summarizeDay,
} from "../../components/runs/overview/day_summary.ts";
import type { OverviewFilter } from "../../components/runs/overview/overview_filter.tsx";
import { scheduleHref } from "../../components/runs/run_links.ts";
import { reasonMark } from "../../components/runs/verdict/state_badge.tsx";
import { addDays, dayIn, startOfDay } from "../../lib/days.ts";
import { actorText } from "../../lib/judgement/actor.ts";
import { type Headline, HEADLINES } from "../../lib/judgement/headline.ts";
import { isMutedAt } from "../../lib/judgement/incident.ts";
import type { Services } from "../../server/program/services.ts";
import type { Attention } from "../../server/store/observer/incidents.ts";
import type { ObserverRecords } from "../../server/store/observer/observer_records.ts";
import type { StoredDay } from "../../server/store/observer/overview.ts";
import { readPlanned } from "../../server/store/observer/planned_text.ts";
import type { StoredIncident } from "../../server/store/observer/types.ts";
import { pauseAt } from "./_schedule_rows.ts";
import { incidentRow, outletsFor } from "./incidents/_incidents.ts";

const MOST_INCIDENTS = 8;
const MOST_FOLDED = 5;

function nameless(scheduleId: number | null): string {
  return scheduleId === null ? "The service" : `Schedule ${scheduleId}`;
}

interface Moment {
  readonly now: number;
  readonly zone: string;
}

/** Today's planned runs of every watched schedule, and how many have each headline. */
export async function loadDay({ overview }: ObserverRecords, { now, zone }: Moment) {
  const day = dayIn(zone)(now);
  const span = { from: startOfDay(day, zone)!, to: startOfDay(addDays(day, 1), zone)!, now };
  const schedules: StoredDay[] = [];
  for await (const some of overview.days()) {
    for (const each of some) schedules.push(each);
  }
  const counts = Object.fromEntries(HEADLINES.map((each) => [each, 0])) as Record<Headline, number>;
  for (const { headline } of schedules) counts[headline]++;
  const summary = summarizeDay(
    schedules.map(({ scheduleId, name, headline, day, people, reached }) => ({
      scheduleId,
      name: name || nameless(scheduleId),
      headline,
      planned: readPlanned(day ?? "", span.from, span.to),
      people,
      reached: reached ?? "",
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
    /** How many schedules were not read yet. */
    unread: schedules.filter((each) => each.day === null).length,
  };
}

/** The schedules that a link to some of today's runs asks for; undefined for all. */
export function schedulesOfDay(
  { marks, now }: DaySummary,
  { day }: OverviewFilter,
): readonly number[] | undefined {
  if (day === undefined) return undefined;
  const chosen = marks.filter((mark) => isChosen(mark, day, now));
  return [...new Set(chosen.map(({ scheduleId }) => scheduleId))];
}

/** The open incidents by what is done about them, and what is muted or paused. */
export async function loadAttention(
  records: ObserverRecords,
  schedules: readonly StoredDay[],
  moment: Moment,
) {
  const { incidents, deliveries } = records;
  const { now } = moment;
  const load = (kind: Attention, most: number) => incidents.attention(kind, now, most);
  const [needed, acknowledged, muted] = await Promise.all([
    load("needed", MOST_INCIDENTS),
    load("acknowledged", MOST_FOLDED),
    load("muted", MOST_FOLDED),
  ]);
  const byId = new Map(schedules.map((each) => [each.scheduleId, each]));
  const health = await deliveries.health(needed.items.map(({ id }) => id));
  const rowOf = (incident: StoredIncident): AttentionRow => {
    const { id, scheduleId, acknowledged, reason } = incident;
    const { summary, since, opened, acknowledgedBy } = incidentRow(incident, null, moment);
    const schedule = byId.get(scheduleId ?? NaN);
    const about = health.filter(({ incidentId }) => incidentId === id);
    return {
      ...{ id, scheduleId, summary, since, opened, acknowledgedBy, acknowledged },
      name: schedule?.name || nameless(scheduleId),
      owner: schedule?.note ?? "",
      mark: reasonMark(reason),
      sent: about.flatMap(({ outlet, sent, waiting }) =>
        sent !== null && waiting === 0 ? { outlet, at: sent } : []
      ),
      waiting: about.filter(({ waiting }) => waiting > 0)
        .map(({ outlet, failingSince }) => ({ outlet, since: failingSince })),
    };
  };
  return {
    needed: { total: needed.total, items: needed.items.map(rowOf) },
    acknowledged: { total: acknowledged.total, items: acknowledged.items.map(rowOf) },
    silenced: await loadSilenced(records, schedules, muted, moment),
  };
}

/** Schedules that are muted or paused, and incidents that are muted alone. */
async function loadSilenced(
  { incidents, watchEvents }: ObserverRecords,
  schedules: readonly StoredDay[],
  muted: { readonly items: readonly StoredIncident[]; readonly total: number },
  { now }: Moment,
): Promise<{ readonly items: readonly SilencedRow[]; readonly total: number }> {
  const names = new Map(schedules.map(({ scheduleId, name }) => [scheduleId, name]));
  const nameOf = (id: number | null) => names.get(id ?? NaN) || nameless(id);
  const alone = muted.items.filter((incident) => isMutedAt(incident, now));
  const ofIncidents = alone.map(async ({ id, scheduleId, mutedUntil }): Promise<SilencedRow> => {
    const event = (await incidents.timeline(id)).findLast(({ kind }) => kind === "muted");
    return {
      kind: "muted",
      name: nameOf(scheduleId),
      href: `/incidents/${encodeURIComponent(id)}`,
      until: mutedUntil,
      person: event?.actor ? actorText(event.actor) : "",
      note: event?.note ?? "",
      end: { incidentId: id, action: "unmute" },
    };
  });
  const silent = schedules.flatMap(({ scheduleId, mutedUntil, pauses }) => {
    const pause = pauseAt(pauses, now);
    return [
      ...(isMutedAt({ mutedUntil }, now)
        ? [{ scheduleId, kind: "muted" as const, until: mutedUntil }]
        : []),
      ...(pause ? [{ scheduleId, kind: "paused" as const, until: pause.to }] : []),
    ];
  });
  const ofSchedules = silent.slice(0, MOST_FOLDED).map(async (row): Promise<SilencedRow> => {
    const { scheduleId, kind, until } = row;
    const [events, { items: [incident] }] = await Promise.all([
      watchEvents.latest(scheduleId, 20),
      incidents.list({ scheduleId, limit: 1 }),
    ]);
    const wanted = kind === "muted" ? "schedule muted" : "no runs expected";
    const event = events.find((each) => each.kind === wanted);
    const isOpenEnd = kind === "paused" && until === null;
    const action = kind === "muted" ? "unmute-schedule" : isOpenEnd ? "resume-plan" : null;
    return {
      kind,
      name: nameOf(scheduleId),
      href: scheduleHref(scheduleId),
      until,
      person: event?.actor ? actorText(event.actor) : "",
      note: "",
      // These actions belong to the page of an incident, even of one that ended.
      end: incident && action ? { incidentId: incident.id, action } : null,
    };
  });
  const others = muted.total - muted.items.length;
  return {
    items: await Promise.all([...ofIncidents, ...ofSchedules]),
    total: alone.length + silent.length + others,
  };
}

/** How each configured outlet does. */
export async function loadOutlets(services: Services, { deliveries }: ObserverRecords) {
  const health = await deliveries.health();
  return outletsFor(services).map(({ name }) =>
    health.find(({ outlet }) => outlet === name) ??
      { outlet: name, sent: null, waiting: 0, failingSince: null }
  );
}
