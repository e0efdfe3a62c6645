/** The incidents of the service and of Docket itself, found every minute by one instance for all. */
import { transition } from "../../lib/judgement/incidents/transition.ts";
import type { Reason, ReasonCode, ReasonOf } from "../../lib/judgement/reason.ts";
import { meaningOf, statusWord } from "../../lib/runs/status.ts";
import { MINUTE } from "../../lib/time_units.ts";
import type { OutletHealth } from "../store/records/messages.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { UnknownVerdict } from "../store/records/verdicts.ts";
import { changeSteps, type IncidentServices, record } from "./outbox.ts";
import { CHANNEL_FAILING, failingChannels, outletLabels, registeredOutlets } from "./routing.ts";
import { CLOCK_OFF_MS, type ServiceAccess } from "./service_access.ts";

/** Polls that are later are reported. */
export const BEHIND_MS = 5 * MINUTE;
const BEHIND = "behind" as const;
/** An outlet that sends nothing for this long, although something is waiting, is reported. */
const FAILING_MS = 15 * MINUTE;
/** After a longer time without a check, no observer was running. */
const UNCHECKED_MS = 3 * MINUTE;

/** What a check found; null if it can't be said now, so that its incidents stay as they are. */
type Found = { readonly codes: readonly ReasonCode[]; readonly reasons: readonly Reason[] } | null;

export async function checkService(
  services: IncidentServices & {
    readonly access: Pick<ServiceAccess, "clock">;
    readonly onEvent: (level: "info" | "warn", message: string, reason?: string) => void;
  },
  at: number,
): Promise<void> {
  const { records, access, onEvent } = services;
  const before = await records.service.get();
  const gap = Math.abs(at - before.checked);
  const checkedSince = gap <= UNCHECKED_MS ? before.checkedSince : at;
  // A round of `--once` may come every ten minutes.
  const channelsSince = gap <= FAILING_MS ? before.channelsSince : at;
  await records.service.store({ checked: at, checkedSince, channelsSince });
  await record(services, async () => {
    const { open, recent } = await records.incidents.known(null, at);
    const found = [
      await checkPolls(records, at, checkedSince),
      await checkChannels(records, at, channelsSince, open),
      await checkStatuses(records, open),
      await checkReading(records, open),
      checkClock(access),
    ].filter((each) => each !== null);
    const changes = transition(open, recent, found.flatMap(({ reasons }) => reasons), {
      now: at,
      scheduleId: null,
      only: found.flatMap(({ codes }) => codes),
    });
    const isBehind = changes.find(({ incident }) => incident.code === BEHIND)?.event;
    if (isBehind === "opened" || isBehind === "reopened") onEvent("warn", "Polls are late");
    if (isBehind === "resolved") onEvent("info", "Polls are in time again");
    return await changeSteps(services, changes, { at });
  });
}

/** This many watches are too many for this service, or it asks for long pauses. */
async function checkPolls(
  { polls }: ObserverRecords,
  at: number,
  checkedSince: number,
): Promise<Found> {
  const since = await polls.nextDue() ?? at;
  const lateMs = at - since;
  const isLate = lateMs > BEHIND_MS;
  // What was due while no observer was running is polled first.
  if (isLate && at - checkedSince < BEHIND_MS) return null;
  const reason = {
    code: BEHIND,
    severity: "critical",
    subject: "",
    since,
    runs: [],
    lateMs,
  } as const;
  return { codes: [BEHIND], reasons: isLate ? [reason] : [] };
}

/** Outlets and channels that can't send. */
async function checkChannels(
  records: ObserverRecords,
  at: number,
  checkedSince: number,
  open: readonly StoredIncident[],
): Promise<Found> {
  const before = at - FAILING_MS;
  const health = await records.messages.health();
  const isAnyLate = health.some(({ waitingSince }) => (waitingSince ?? Infinity) <= before);
  // That messages waited while no observer was running is no failure.
  if (isAnyLate && checkedSince > before) return null;
  const owners = await records.owners.list();
  const existing = [
    ...(await registeredOutlets(records)).map(({ name }) => name),
    ...owners.flatMap(({ channels }) => channels.map(({ id }) => id)),
  ];
  const reported = open.flatMap(failingChannels);
  const isFailing = ({ waitingSince, sent }: OutletHealth) =>
    waitingSince !== null && waitingSince <= before && (sent ?? 0) <= before;
  // A channel does not work again only because all its messages were given up.
  const gaveUp = ({ outlet, sent, givenUp }: OutletHealth) =>
    reported.includes(outlet) && existing.includes(outlet) && (givenUp ?? 0) > (sent ?? 0);
  const failing = health.filter((each) => isFailing(each) || gaveUp(each));
  const names = failing.map(({ outlet }) => outlet).sort();
  const reason: Reason = {
    code: CHANNEL_FAILING,
    severity: "critical",
    subject: "",
    since: Math.min(...failing.map(({ waitingSince }) => waitingSince ?? at)),
    runs: [],
    channels: names,
    names: names.map(await outletLabels(records)),
  };
  return { codes: [CHANNEL_FAILING], reasons: names.length > 0 ? [reason] : [] };
}

const UNKNOWN_STATUS = "unknown-status" as const;

/** Schedules end with statuses that nobody knows, until these got a meaning, or the runs are past. */
async function checkStatuses(
  { verdicts, statuses }: ObserverRecords,
  open: readonly StoredIncident[],
): Promise<Found> {
  const dictionary = await statuses.dictionary();
  const isUnknown = (status: string) =>
    !["good", "bad"].includes(meaningOf(statusWord(status), dictionary));
  const unknown = (await verdicts.unknown()).filter(({ reason }) => isUnknown(reason.status));
  const reason = open.find(({ code }) => code === UNKNOWN_STATUS)?.reason;
  // It names these statuses, until all have a meaning: runs with others may come between.
  const said = (reason?.code === UNKNOWN_STATUS ? reason.statuses : [])
    .filter((status) => isUnknown(status) && (status !== "" || unknown.length > 0));
  const now = unknown.length > 0 ? statusReason(unknown, said) : said.length > 0 ? reason! : null;
  return { codes: [UNKNOWN_STATUS], reasons: now ? [now] : [] };
}

function statusReason(
  unknown: readonly UnknownVerdict[],
  said: readonly string[],
): ReasonOf<"unknown-status"> {
  const [{ scheduleId, name, reason }] = unknown;
  const statuses = [...said, ...unknown.map(({ reason: { status } }) => status)];
  return {
    ...reason,
    since: Math.min(...unknown.map(({ reason: { since } }) => since ?? Infinity)),
    runs: reason.runs.slice(0, 1),
    statuses: [...new Map(statuses.map((status) => [statusWord(status), status])).values()],
    of: { scheduleId, name, schedules: unknown.length },
  };
}

/** The codes of incidents that polls open, and that end when the service can be read again. */
const READING_CODES: readonly ReasonCode[] = ["unreadable", "stale"];

async function checkReading(
  { polls }: ObserverRecords,
  open: readonly StoredIncident[],
): Promise<Found> {
  const unread = open.filter(({ code }) => READING_CODES.includes(code));
  if (unread.length === 0) return null;
  // What was opened again has a later reason.
  const times = unread.flatMap(({ opened, reason: { since } }) => [opened, since ?? 0]);
  // Schedules with an incident of their own are not the service's.
  const isUnread = await polls.anyUnread(READING_CODES, Math.max(...times));
  return isUnread ? null : { codes: READING_CODES, reasons: [] };
}

function checkClock({ clock }: Pick<ServiceAccess, "clock">): Found {
  const offsetMs = clock?.offset() ?? null;
  if (offsetMs === null) return null;
  const reason = {
    code: "clock",
    severity: "warning",
    subject: "",
    since: null,
    runs: [],
    offsetMs,
    impossibleStarts: 0,
    endsBeforeStart: 0,
  } as const;
  return { codes: ["clock"], reasons: Math.abs(offsetMs) > CLOCK_OFF_MS ? [reason] : [] };
}
