/** Lists of incidents and of deliveries, and their rows wherever a page has them. */
import { outletLabels, removedLabel } from "../observer/routing.ts";
import { createOutlets } from "../observer/outlets/outlets.ts";
import { throwIfInvalid } from "../http/problem.ts";
import { PAGE, readFilter } from "./filter.ts";
import { type PageMoment, type PageState, requireRecords } from "./page_request.ts";
import { actorText } from "../../lib/actor.ts";
import { capitalized } from "../../lib/format.ts";
import { recipientName } from "../../lib/runs/recipients.ts";
import { aboutWords, incidentTitle, knownSince, toSummary } from "../observer/words.ts";
import type { OutletEvent } from "../observer/event.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { ListedMessage, OutletHealth } from "../store/records/messages.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { watchName } from "../store/records/watches.ts";
import { loadIncidentSilence, loadSilences } from "./silences.ts";

export const INCIDENT_STATES = ["open", "resolved", "all"] as const;
export const DELIVERY_STATES = ["all", "given-up", "waiting", "sent"] as const;

/** The incidents in a state, the most urgent first, with how many there are in each. */
export async function loadIncidents(
  { services, preferences: { zone } }: PageState,
  params: URLSearchParams,
) {
  const records = requireRecords(services);
  const read = readFilter(params);
  const state = read.choice("state", INCIDENT_STATES);
  const scheduleId = read.schedule();
  // The causes are those of all open ones.
  const hasCauses = state === "open" && scheduleId === undefined;
  const code = hasCauses ? params.get("code") || undefined : undefined;
  const offset = read.offset();
  throwIfInvalid(read.issues);
  const now = Date.now();
  const of = (
    state: typeof INCIDENT_STATES[number],
    page: Parameters<typeof records.incidents.list>[0],
  ) =>
    records.incidents.list({
      ...(state !== "all" && { state }),
      ...(scheduleId !== undefined && { scheduleId }),
      ...page,
    });
  const counts = await Promise.all(
    INCIDENT_STATES.map(async (each) => [each, (await of(each, { limit: 1 })).total] as const),
  );
  const { items, total } = await of(state, { ...(code && { code }), limit: PAGE, offset });
  return {
    rows: await loadIncidentRows(records, items, { now, zone }),
    position: { start: offset, count: items.length, limit: PAGE, total },
    /** How many of the open ones have which cause. */
    causes: hasCauses ? await records.incidents.countByCode() : [],
    counts: Object.fromEntries(counts) as Record<typeof INCIDENT_STATES[number], number>,
    filter: { state, schedule: `${scheduleId ?? ""}`, code },
    now,
  };
}

export async function loadDeliveries(
  { services }: PageState,
  params: URLSearchParams,
) {
  const records = requireRecords(services);
  const read = readFilter(params);
  const state = read.choice("state", DELIVERY_STATES);
  const offset = read.offset();
  throwIfInvalid(read.issues);
  const { list } = records.messages;
  const { items, total } = await list({ state, limit: PAGE, offset });
  const counts = await Promise.all(
    DELIVERY_STATES.map(async (state) => [state, (await list({ state, limit: 1 })).total] as const),
  );
  const label = await outletLabels(records);
  return {
    deliveries: items.map((item) => deliveryRow(item, label)),
    position: { start: offset, count: items.length, limit: PAGE, total },
    state,
    counts: Object.fromEntries(counts) as Record<typeof state, number>,
    outlets: createOutlets(services.settings.observer).map(({ name }) => name),
  };
}

const MOST_PLANNED = 20;
/** With more incidents, those of the same cause become one row, if they are of enough schedules. */
const MAX_ROWS = 8;
const LEAST_GROUPED = 3;
const MOST_NAMED = 5;
const MAX_MISSED = 1000;

export function fallbackName(scheduleId: number): string {
  return `Schedule ${scheduleId}`;
}

/** What an incident is about, if its schedule has this name. */
export function subjectOf(
  { scheduleId, code }: { readonly scheduleId: number | null; readonly code: string },
  name: string | undefined,
): string {
  return scheduleId === null ? aboutWords(null, code) : name || fallbackName(scheduleId);
}

/** An incident on a page that names its schedule. */
export function incidentRow(incident: StoredIncident, moment: PageMoment) {
  const { acknowledgedBy } = incident;
  return {
    ...incident,
    summary: incidentTitle(incident, null, moment),
    since: knownSince(incident),
    acknowledgedBy: acknowledgedBy && actorText(acknowledgedBy),
  };
}

export function deliveryRow(delivery: ListedMessage, label: (outlet: string) => string) {
  const outlet = label(delivery.outlet);
  const event: OutletEvent = JSON.parse(delivery.event);
  const { schedule, incident: { code } } = event.data;
  return {
    ...delivery,
    outlet,
    /** Whether its channel is gone, so that it can't be sent again. */
    isRemoved: outlet !== delivery.outlet && outlet === removedLabel(delivery.outlet),
    subject: event.type === "test"
      ? "Test"
      : subjectOf({ scheduleId: schedule?.id ?? null, code }, schedule?.name),
    /** What it says of that. */
    summary: capitalized(toSummary(event, "")),
    next: delivery.due,
    givenUp: delivery.givenUp !== null,
  };
}

export function isUnsent(
  { waiting, sent, givenUp }: Pick<OutletHealth, "waiting" | "sent" | "givenUp">,
): boolean {
  return waiting > 0 || (givenUp ?? 0) > (sent ?? 0);
}

/** How many people the page of an incident lists. */
export const MAX_OUTSIDERS = 20;

/**
 * The people that an incident about recipients is about, with whether somebody decided about them;
 * one more than are listed, if there are more.
 */
export async function loadOutsiders(
  { peopleOfSchedule, recipientDecisions }: ObserverRecords,
  { scheduleId, reason, resolved }: StoredIncident,
  now: number,
) {
  if (scheduleId === null || resolved !== null) return [];
  const isLeaver = reason.code === "leaver-recipient";
  if (reason.code !== "outside-recipient" && !isLeaver) return [];
  const items = await peopleOfSchedule(scheduleId).list({
    group: isLeaver ? "left" : "all",
    isReceiving: true,
    ...(reason.code === "outside-recipient" && { domain: reason.domain }),
    home: [],
    newDomains: [],
    now,
  }, { limit: MAX_OUTSIDERS + 1 });
  const domains = items.map(({ domain }) => domain ?? "");
  const decisions = await recipientDecisions.about(items.map(({ id }) => id), domains, now);
  return items.map(({ id, listed, first }) => ({
    id,
    recipient: listed,
    first,
    isDecided: decisions.some((one) =>
      one.personId === id && (one.scheduleId ?? scheduleId) === scheduleId && one.closed === null
    ),
  }));
}

/** How many received the last run before those that went to nobody; null if too many ever did. */
async function countMissed({ peopleOfSchedule }: ObserverRecords, scheduleId: number) {
  const filter = { group: "stopped", home: [], newDomains: [], now: 0 } as const;
  const people = await peopleOfSchedule(scheduleId).list(filter, { limit: MAX_MISSED });
  const newest = Math.max(...people.map(({ last }) => last));
  return people.length < MAX_MISSED ? people.filter(({ last }) => last === newest).length : null;
}

/** Incidents with the names, people and latest planned runs of their schedules, and who was notified. */
export async function loadIncidentRows(
  records: ObserverRecords,
  incidents: readonly StoredIncident[],
  moment: PageMoment,
) {
  const ids = [...new Set(incidents.flatMap(({ scheduleId }) => scheduleId ?? []))];
  const [watches, verdicts, health, label] = await Promise.all([
    records.watches.list(ids),
    records.verdicts.list(ids),
    records.messages.healthByIncident(incidents.map(({ id }) => id)),
    outletLabels(records),
  ]);
  const silences = await loadSilences(records, watches, moment.now);
  const watchOf = new Map(watches.map((watch) => [watch.scheduleId, watch]));
  const verdictOf = new Map(verdicts.map((verdict) => [verdict.scheduleId, verdict]));
  return await Promise.all(incidents.map(async (incident) => {
    const { id, scheduleId, reason, resolved } = incident;
    const watch = watchOf.get(scheduleId ?? NaN);
    const verdict = verdictOf.get(scheduleId ?? NaN);
    const current = resolved === null ? verdict : undefined;
    const outsiders = await loadOutsiders(records, incident, moment.now);
    const about = health.filter(({ incidentId }) => incidentId === id);
    const of = reason.code === "unknown-status" ? reason.of : null;
    return {
      ...incidentRow(incident, moment),
      ...{ watch, verdict, outsiders },
      // The unknown status is of a run of a schedule, and the incident is about the service.
      run: of && { scheduleId: of.scheduleId, runId: reason.runs[0] },
      name: subjectOf(incident, watch && watchName(watch)),
      owner: watch?.owner ?? "",
      planned: (current?.strip ?? []).slice(-MOST_PLANNED),
      lastSuccess: current?.lastSuccess ?? null,
      people: resolved === null && reason.code === "sent-to-nobody"
        ? await countMissed(records, scheduleId!)
        : current?.people ?? null,
      /** The names of those about whom nobody has decided. */
      undecided: outsiders.filter(({ isDecided }) => !isDecided)
        .map(({ recipient }) => recipientName(recipient, false)),
      sent: about.flatMap(({ outlet, sent }) =>
        sent === null ? [] : { outlet: label(outlet), at: sent }
      ),
      unsent: about.filter(isUnsent).map((each) => ({ ...each, label: label(each.outlet) })),
      silences: [
        ...await loadIncidentSilence(records, incident, moment.now),
        ...silences.get(scheduleId ?? NaN) ?? [],
      ],
    };
  }));
}

/**
 * The open incidents that need somebody, the most urgent first. If there are many, those of one
 * cause are a group, and at most so many others are rows; `total` counts all.
 */
export async function loadNeeded(records: ObserverRecords, moment: PageMoment) {
  const { items, total } = await records.incidents.attention(
    "needed",
    moment.now,
    Number.MAX_SAFE_INTEGER,
  );
  const causes = [
    ...Map.groupBy(items.filter(({ scheduleId }) => scheduleId !== null), ({ code }) => code)
      .values(),
  ]
    .map((incidents) => ({
      incidents,
      ids: [...new Set(incidents.flatMap(({ scheduleId }) => scheduleId ?? []))],
    }));
  const groups = items.length > MAX_ROWS
    ? causes.filter(({ ids }) => ids.length >= LEAST_GROUPED)
    : [];
  const grouped = new Set<StoredIncident>(groups.flatMap(({ incidents }) => incidents));
  const alone = items.filter((incident) => !grouped.has(incident)).slice(0, MAX_ROWS);
  const named = new Set(groups.flatMap(({ ids }) => ids.slice(0, MOST_NAMED)));
  const names = new Map(
    (await records.watches.list([...named])).map((watch) => [watch.scheduleId, watchName(watch)]),
  );
  const rows = await loadIncidentRows(records, alone, moment);
  const order = [...new Set(items.map(({ code }): string => code))];
  const place = ({ code }: { readonly code: string }) => order.indexOf(code);
  return {
    total,
    // In the order of the incidents: a group stands where its first one would.
    items: [
      ...groups.map(({ incidents, ids }) => {
        const [{ code }] = incidents;
        const since = incidents.flatMap((incident) => knownSince(incident) ?? []);
        const group = {
          code,
          count: incidents.length,
          schedules: ids.length,
          since: since.length > 0 ? Math.min(...since) : null,
          named: ids.slice(0, MOST_NAMED).map((scheduleId) => ({
            scheduleId,
            name: names.get(scheduleId) || fallbackName(scheduleId),
          })),
        };
        return { code, group, row: null };
      }),
      ...rows.map((row) => ({ code: row.code, group: null, row })),
    ].toSorted((a, b) => place(a) - place(b)),
  };
}
