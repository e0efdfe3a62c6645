/** The page of an incident: what is wrong, what happened, who did not get it, and who was notified. */
import { formatCountOf, formatDuration } from "../../lib/format.ts";
import { actorText } from "../../lib/actor.ts";
import { isMutedAt } from "../../lib/judgement/incidents/incident.ts";
import { hasLevel, MAX_NAMED_RUNS } from "../../lib/judgement/reason.ts";
import { meaningOfRun, shortStatus, type StatusDictionary } from "../../lib/runs/status.ts";
import { countRecipients } from "../../lib/runs/recipients.ts";
import { durationOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { ProblemError } from "../http/problem.ts";
import { isReopenable } from "../actions/act_on_incident.ts";
import { isOpenEnded, isOpenGap } from "../actions/silence_schedule.ts";
import { nextStep } from "../observer/words.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { ListedMessage } from "../store/records/messages.ts";
import type { WatchedRun } from "../store/runs/store_runs.ts";
import { loadChannels } from "./owner_pages.ts";
import { deliveryRow, loadIncidentRows, MAX_OUTSIDERS } from "./incidents.ts";
import { type PageState, requireRecords } from "./page_request.ts";

const MAX_DELIVERIES = 50;
const MAX_RUNS = 50;
/** The newest runs that the timeline lists: those that a reason names. */
export const MAX_LISTED = MAX_NAMED_RUNS;
/** Events that the timeline has other words for. */
const EVENT_WORDS: Readonly<Record<string, string>> = {
  opened: "found",
  unexpected: "no longer expected",
};

export async function loadIncident(
  { services, statuses, preferences: { zone } }: PageState,
  id: string,
) {
  const records = requireRecords(services);
  const incident = await records.incidents.get(id);
  if (!incident) throw new ProblemError(404, "There is no such incident");
  const { scheduleId, reason, opened, resolved } = incident;
  const now = Date.now();
  // Runs around its beginning and its end are of its timeline too.
  const times = [reason.since ?? opened, ...resolved === null ? [] : [resolved]];
  const [[{ watch, verdict, outsiders, ...row }], open, own, ofSchedule, deliveries, stored] =
    await Promise.all([
      loadIncidentRows(records, [incident], { now, zone }),
      records.incidents.open(scheduleId),
      records.events.timeline(id),
      records.events.during(incident),
      records.messages.list({ incidentId: id, limit: MAX_DELIVERIES }),
      scheduleId === null
        ? []
        : records.runs.around(scheduleId, { runIds: reason.runs, times, max: MAX_RUNS }),
    ]);
  const runs = runsAbout(incident, stored, statuses);
  const { code, since } = reason;
  const unmet = code === "overdue" || code === "missed" ? verdict?.details[code] ?? [] : [];
  const slots = unmet.filter(({ at }) => at >= (since ?? Infinity)).slice(0, MAX_LISTED)
    .map(({ at }): TimelinePoint => ({ at, words: "due, did not run", isBad: true }));
  const { lastGood, latest } = runs;
  const view = {
    id,
    scheduleId,
    isOpen: incident.resolved === null,
    isReopenable: isReopenable(incident) &&
      !open.some(({ family, subject }) =>
        family === incident.family && subject === incident.subject
      ),
    isAcknowledged: incident.acknowledged !== null,
    isMuted: isMutedAt(incident, now),
    isGap: isOpenGap(incident),
    hasLevel: hasLevel(incident),
    isExpected: own.findLast(({ kind }) => kind === "expected" || kind === "unexpected")?.kind ===
      "expected",
    isWatched: watch !== undefined,
    isScheduleMuted: watch !== undefined && isMutedAt(watch, now),
    isPaused: (watch?.pauses ?? []).some(isOpenEnded),
  };
  const { toRow, label, defaults, of } = await loadChannels(services);
  const owner = watch?.owner ? await records.owners.get(watch.owner) : undefined;
  const owned = of(owner);
  const responsible = (owned.length > 0 ? owned : defaults).map(({ outlet }) => outlet);
  const outlets = new Set([...responsible, ...deliveries.items.map(({ outlet }) => outlet)]);
  // Whoever got the run before did not get one that went to nobody.
  const isToNobody = incident.code === "sent-to-nobody";
  const people = (isToNobody ? lastGood : latest ?? lastGood)?.run.recipients ?? [];
  // Later runs may have reached whoever did not get this one.
  const isMadeGood = latest?.meaning !== "good" &&
    (!view.isOpen || incident.code === "flaky" || incident.code === "started-by-hand");
  return {
    row,
    view,
    nextStep: incident.resolved === null ? nextStep(incident.code) : "",
    planned: verdict?.strip ?? [],
    lastSuccess: (isToNobody ? lastGood?.start : verdict?.lastSuccess) ?? null,
    nextDue: verdict?.nextDue ?? null,
    compared: lastGood && latest ? [lastGood.run, latest.run] as const : null,
    outsiders: outsiders.slice(0, MAX_OUTSIDERS),
    hasMoreOutsiders: outsiders.length > MAX_OUTSIDERS,
    timeline: [
      ...runs.timeline,
      ...slots,
      ...[...own, ...ofSchedule].map(({ at, kind, actor, note }): TimelinePoint => ({
        at,
        words: EVENT_WORDS[kind] ?? kind,
        note,
        person: actor ? actorText(actor) : undefined,
      })),
      ...messagesAbout(deliveries.items, label),
    ].toSorted((a, b) => b.at - a.at),
    /** Whether it may have more runs than are listed. */
    isCut: Math.max(slots.length, incident.reason.runs.length) >= MAX_LISTED,
    outlets: [...outlets].map((outlet) => {
      const delivery = deliveries.items.find((each) => each.outlet === outlet);
      return { ...toRow(outlet), delivery: delivery ? deliveryRow(delivery, label) : null };
    }),
    isMuted: view.isMuted || view.isScheduleMuted,
    recipients: {
      people,
      meaning: isMadeGood ? "unknown" : isToNobody
        ? "bad"
        // Nothing ran of a gap.
        : latest?.meaning ?? (view.isGap ? "bad" : "unknown"),
      reasons: [incident, ...open].map(({ reason }) => reason),
    },
  };
}

/** What happened at a time. */
interface TimelinePoint {
  readonly at: number;
  readonly words: string;
  readonly isBad?: boolean;
  readonly run?: { readonly scheduleId: number; readonly runId: number };
  /** Who did it; empty for Docket itself. */
  readonly person?: string;
  readonly note?: string | null;
  readonly deliveries?: readonly ReturnType<typeof deliveryRow>[];
}

/** The runs of an incident, with the last success before them and the first one after. */
function runsAbout(
  { scheduleId, reason, opened, resolved }: StoredIncident,
  stored: readonly WatchedRun[],
  statuses: StatusDictionary,
) {
  const timed = stored.toReversed().flatMap(({ id, start, run }) =>
    start === null ? [] : [{ id, start, run, meaning: meaningOfRun(run, statuses) }]
  );
  const about = timed.filter(({ id }) => reason.runs.includes(id));
  const latest = about.at(-1);
  const began = Math.min(reason.since ?? opened, about[0]?.start ?? Infinity);
  const lastGood = timed.findLast(({ start, meaning }) => start < began && meaning === "good");
  const firstGood = resolved === null
    ? undefined
    : timed.find(({ start, meaning }) => start > (latest?.start ?? began) && meaning === "good");
  const timeline = [...new Set([lastGood, ...about, firstGood])].flatMap((one): TimelinePoint[] => {
    if (one === undefined || scheduleId === null) return [];
    const which = one === lastGood && latest?.meaning !== "good" ? "last success before, " : "";
    const words = which + runWords(one.run, one.meaning);
    const isBad = one.meaning === "bad";
    return [{ at: one.start, words, isBad, run: { scheduleId, runId: one.id } }];
  });
  return { timeline, lastGood, latest };
}

/** How a run ended, such as `failed after 37 s, meant for 6 people`. */
function runWords(run: ReportRun, meaning: ReturnType<typeof meaningOfRun>): string {
  const count = countRecipients(run);
  const people = typeof count === "number" ? formatCountOf(count, "person", "people") : "";
  if (meaning === "good") {
    return count === 0 ? "sent to nobody" : `sent${people && ` to ${people}`}`;
  }
  const took = durationOf(run);
  const ended = meaning === "bad"
    ? "failed"
    : meaning === "pending"
    ? "running"
    : `unknown (${shortStatus(run.status ?? null)})`;
  const after = took === undefined || took < 0 ? "" : ` after ${formatDuration(took)}`;
  return `${ended}${after}${people && `, meant for ${people}`}`;
}

function messagesAbout(
  deliveries: readonly ListedMessage[],
  label: (outlet: string) => string,
): readonly TimelinePoint[] {
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
