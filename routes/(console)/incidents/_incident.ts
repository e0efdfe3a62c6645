import type { IncidentView } from "../../../components/runs/incidents/incident_actions.tsx";
import { incidentMeaning } from "../../../components/runs/incidents/incident_meaning.ts";
import type { TimelineEntry } from "../../../components/runs/incidents/incident_story.tsx";
import { recipientName } from "../../../components/runs/recipients/recipient_choices.ts";
import { compareHref, runHref } from "../../../components/runs/run_links.tsx";
import { formatCountOf, formatDuration } from "../../../lib/format.ts";
import { actorText } from "../../../lib/judgement/actor.ts";
import { isMutedAt } from "../../../lib/judgement/incidents/incident.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { countRecipients } from "../../../lib/runs/recipients.ts";
import { durationOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { isPolled, isReopenable } from "../../../server/observer/actions.ts";
import type { ListedMessage } from "../../../server/store/records/messages.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import type { StoredIncident } from "../../../server/store/records/incidents.ts";
import type { StoredVerdict } from "../../../server/store/records/verdicts.ts";
import type { WatchedRun } from "../../../server/store/runs/store_runs.ts";
import { outletLabels } from "../../../server/observer/channel_health.ts";
import { nextStep } from "../../../server/observer/words.ts";
import { watchName } from "../../../server/store/records/watches.ts";
import { loadIncidentSilence, loadSilences } from "../_silences.ts";
import { isOpenEnded, isOpenGap } from "./_act.ts";
import { deliveryRow, incidentRow, outletsFor, recordsOf } from "./_incidents.ts";
import type { ConsoleState } from "../_middleware.ts";

const MAX_DELIVERIES = 50;
const MAX_RUNS = 50;
const MAX_SLOTS = 20;

export async function loadIncident(
  { services, statuses, preferences: { zone } }: Pick<
    ConsoleState,
    "services" | "statuses" | "preferences"
  >,
  id: string,
  form: URLSearchParams,
) {
  const records = recordsOf(services);
  const incident = await records.incidents.get(id);
  if (!incident) throw new ProblemError(404, "There is no such incident");
  const { scheduleId } = incident;
  const now = Date.now();
  const watch = scheduleId === null ? undefined : await records.watches.get(scheduleId);
  const [open, isPolledNow, own, ofSchedule, deliveries, verdict, stored, muted, silences] =
    await Promise.all([
      records.incidents.open(scheduleId),
      isPolled(records, incident, watch),
      records.events.timeline(id),
      records.events.during(incident),
      records.messages.list({ incidentId: id, limit: MAX_DELIVERIES }),
      scheduleId === null ? undefined : records.verdicts.get(scheduleId),
      scheduleId === null ? [] : runsOf(records, scheduleId, incident),
      loadIncidentSilence(records, incident, now),
      loadSilences(records, watch ? [watch] : [], now),
    ]);
  const runs = runsAbout(incident, stored, statuses);
  const { lastGood, latest } = runs;
  const { reason } = incident;
  const known = { reason, lastSuccess: null, people: null, ...verdict };
  const view: IncidentView = {
    typed: {
      name: form.get("name") ?? "",
      note: form.get("note") ?? "",
      span: form.get("span") ?? "1d",
      until: form.get("until") ?? "",
    },
    id,
    scheduleId,
    isOpen: incident.resolved === null,
    isReopenable: isPolledNow && isReopenable(incident, open),
    isAcknowledged: incident.acknowledged !== null,
    isMuted: isMutedAt(incident, now),
    isGap: isOpenGap(incident),
    isWatched: watch !== undefined,
    isScheduleMuted: watch !== undefined && isMutedAt(watch, now),
    isPaused: watch?.pauses.some(isOpenEnded) ?? false,
    pauses: (watch?.pauses ?? []).filter((pause) => !isOpenEnded(pause)),
  };
  const label = await outletLabels(records);
  const rows = deliveries.items.map((each) => deliveryRow(each, label));
  const owner = watch?.note ? await records.owners.get(watch.note) : undefined;
  const channels = owner?.channels.map(({ id }) => id) ?? [];
  const responsible = channels.length > 0 ? channels : outletsFor(services).map(({ name }) => name);
  const outlets = new Set([...responsible.map(label), ...rows.map((row) => row.outlet)]);
  const people = (latest ?? lastGood)?.run.recipients ?? [];
  return {
    row: incidentRow(incident, null, zone),
    view,
    now,
    code: incident.reason.code,
    schedule: watch ? watchName(watch) : scheduleId === null ? "The service" : "",
    owner: watch?.note ?? "",
    meaning: incident.resolved === null ? incidentMeaning(known, now, zone) : "",
    nextStep: incident.resolved === null ? nextStep(incident.code) : "",
    planned: verdict?.strip ?? [],
    lastSuccess: known.lastSuccess,
    nextDue: verdict?.nextDue ?? null,
    compare: scheduleId !== null && lastGood && latest
      ? compareHref(scheduleId, lastGood.id, latest.id)
      : null,
    silences: [...muted, ...silences.get(scheduleId ?? NaN) ?? []],
    timeline: [
      ...runs.timeline,
      ...slotsAbout(incident, verdict),
      ...[...own, ...ofSchedule].map(({ at, kind, actor, note }): TimelineEntry => ({
        at,
        words: kind === "opened" ? "noticed" : kind,
        note,
        person: actor ? actorText(actor) : undefined,
      })),
      ...messagesAbout(deliveries.items, label),
    ].toSorted((a, b) => b.at - a.at),
    outlets: [...outlets].map((outlet) => ({
      outlet,
      delivery: rows.find((row) => row.outlet === outlet) ?? null,
    })),
    wasMuted: incident.said === "nothing",
    meantFor: {
      names: people.map((each) => recipientName(each, false)),
      total: people.length,
      wasSent: latest !== undefined && latest.meaning === "good",
    },
  };
}

/** An incident's own runs, and those around its beginning and its end. */
function runsOf(
  { runs }: ObserverRecords,
  scheduleId: number,
  { reason, opened, resolved }: StoredIncident,
): Promise<readonly WatchedRun[]> {
  const times = [reason.since ?? opened, ...resolved === null ? [] : [resolved]];
  return runs.around(scheduleId, { runIds: reason.runs, times, max: MAX_RUNS });
}

/** The runs of an incident, with the last success before them and the first one after. */
function runsAbout(
  { scheduleId, reason, opened, resolved }: StoredIncident,
  stored: readonly WatchedRun[],
  statuses: StatusDictionary,
) {
  const timed = stored.toReversed().flatMap(({ id, start, run }) =>
    start === null ? [] : [{ id, start, run, meaning: meaningOf(run.status, statuses) }]
  );
  const about = timed.filter(({ id }) => reason.runs.includes(id));
  const latest = about.at(-1);
  const began = Math.min(reason.since ?? opened, about[0]?.start ?? Infinity);
  const lastGood = timed.findLast(({ start, meaning, id }) =>
    start < began && meaning === "good" && !reason.runs.includes(id)
  );
  const firstGood = resolved === null
    ? undefined
    : timed.find(({ start, meaning }) => start > (latest?.start ?? began) && meaning === "good");
  const timeline = [...new Set([lastGood, ...about, firstGood])].flatMap((one): TimelineEntry[] => {
    if (one === undefined || scheduleId === null) return [];
    const which = one === lastGood && latest?.meaning !== "good" ? "last success before, " : "";
    const words = which + runWords(one.run, one.meaning);
    const isBad = one.meaning === "bad";
    return [{ at: one.start, words, isBad, href: runHref(scheduleId, one.id) }];
  });
  return { timeline, lastGood, latest };
}

/** How a run ended, such as `failed after 37 s, meant for 6 people`. */
function runWords(run: ReportRun, meaning: ReturnType<typeof meaningOf>): string {
  const count = countRecipients(run);
  const people = typeof count === "number" ? formatCountOf(count, "person", "people") : "";
  if (meaning === "good") return `sent${people && ` to ${people}`}`;
  const took = durationOf(run);
  const ended = meaning === "bad" ? "failed" : `status ${run.status ?? "missing"}`;
  const after = took === undefined || took < 0 ? "" : ` after ${formatDuration(took)}`;
  return `${ended}${after}${people && `, meant for ${people}`}`;
}

function slotsAbout(
  { reason: { code, since } }: StoredIncident,
  verdict: StoredVerdict | undefined,
): readonly TimelineEntry[] {
  if (code !== "overdue" && code !== "missed") return [];
  return (verdict?.details[code] ?? []).filter(({ at }) => at >= (since ?? Infinity))
    .slice(0, MAX_SLOTS)
    .map(({ at }) => ({ at, words: "due, did not run", isBad: true }));
}

function messagesAbout(
  deliveries: readonly ListedMessage[],
  label: (outlet: string) => string,
): readonly TimelineEntry[] {
  const groups = Map.groupBy(
    deliveries,
    ({ event, created }) => `${JSON.parse(event).type} ${created}`,
  );
  return [...groups].map(([key, group]) => ({
    at: group[0].created,
    words: `message “${key.split(" ")[0].replace("incident.", "")}”`,
    deliveries: group.map((each) => deliveryRow(each, label)),
  }));
}
