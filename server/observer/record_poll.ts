/** Records a poll in one transaction: runs, verdict, incidents, queued messages and the next poll. */
import { gapEnding } from "../../lib/judgement/planned_runs.ts";
import { nextChange, transition } from "../../lib/judgement/incidents/transition.ts";
import { isDue, type Reason } from "../../lib/judgement/reason.ts";
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { terminalText } from "../../lib/terminal.ts";
import { DAY, SECOND } from "../../lib/time_units.ts";
import type { ReportRun } from "../../lib/types.ts";
import { endOfPoll, type LeasedWatch } from "../store/records/polls.ts";
import type { TransactionStep } from "../store/records/transaction_step.ts";
import type { StoredRunText } from "../store/runs/read_runs.ts";
import { putVerdict, type StoredVerdict } from "../store/records/verdicts.ts";
import { recordHistoryRead, watchName } from "../store/records/watches.ts";
import { storeChanges } from "../store/runs/store_runs.ts";
import { changeSteps, record } from "./outbox.ts";
import type { PollServices } from "./poll_services.ts";
import { type HistoryChanges, isGoing } from "./read_changes.ts";
import { isIncident, isRefusal, KINDS, type ReadFailure, readFailure } from "./read_failure.ts";

/** A schedule that is known but not watched is read this often. */
const UNWATCHED_MS = DAY;
/** The time between polls while all is well is this multiple of that while a run is awaited. */
const IDLE_FACTOR = 10;
const MAX_TITLE = 200;
/** Schedules that are due at once are asked within this time. */
const ASKED_AT_ONCE_MS = 2 * SECOND;

/** What a poll has read and judged. */
export interface Polled {
  /** When it asked, by this machine's clock; the service's is ahead by `offset` milliseconds. */
  readonly at: number;
  readonly offset: number;
  readonly changes: HistoryChanges;
  /** The newest runs with these changes, newest first. */
  readonly newest: readonly StoredRunText[];
  /** Whether older runs can be read at once. */
  readonly hasMore: boolean;
  readonly verdict: StoredVerdict;
  /** Whether the verdict is a new one. */
  readonly isJudged: boolean;
}

/** False if the lease was lost. */
export function recordPoll(
  before: LeasedWatch,
  polled: Polled,
  services: PollServices,
): Promise<boolean> {
  const { access, everyMs } = services;
  const { scheduleId, watched } = before;
  const { at, offset, changes, verdict, isJudged, hasMore } = polled;
  const serviceNow = at + offset;
  // If a clock was wrong, some start in the future.
  const started = polled.newest.filter(({ start }) => start !== null && start <= serviceNow);
  const newest: Partial<ReportRun> = JSON.parse(started[0]?.text ?? "{}");
  const watch = {
    ...before,
    title: safeTitle(newest) || before.title,
    ownerId: Number.isSafeInteger(newest.ownerId) ? newest.ownerId! : null,
  };
  const isBusy = verdict.state === "down" || isDue(verdict.details.reasons) ||
    started.some((run) => isGoing(run, serviceNow));
  const next = Math.min(
    at + everyMs * (isBusy ? 1 : IDLE_FACTOR),
    // When a run is due, or its grace ends, people who wait for it are notified in time.
    verdict.holdsUntil - offset,
  );
  const starts = started.map(({ start }) => start!);
  return record(services, async () => {
    const { steps, nextChange } = watched
      ? await incidentSteps(watch, verdict, starts, { at, offset }, services)
      : { steps: [], nextChange: null };
    const due = watched ? Math.min(next, nextChange ?? Infinity) : at + UNWATCHED_MS;
    return [
      // First, because it lets one transaction at a time write runs.
      ...access.clock === null ? [] : [storeChanges(scheduleId, changes, at)],
      endOfPoll(
        watch,
        { polled: at, title: watch.title, ownerId: watch.ownerId },
        hasMore ? at : due,
      ),
      ...isJudged ? [putVerdict(verdict)] : [],
      ...changes.isWhole && access.clock !== null ? [recordHistoryRead(scheduleId, null)] : [],
      ...steps,
    ];
  });
}

/** How the reasons of a verdict change the incidents of its schedule. */
async function incidentSteps(
  watch: LeasedWatch,
  { details, people, lastSuccess, day, strip }: StoredVerdict,
  starts: readonly number[],
  { at, offset }: { readonly at: number; readonly offset: number },
  services: PollServices,
): Promise<{
  readonly steps: readonly TransactionStep[];
  /** When incidents change next though no reason does; null for never. */
  readonly nextChange: number | null;
}> {
  const { scheduleId, mutedUntil, owner, polled, created } = watch;
  const { reasons, plan, repairedBy, oldest } = details;
  const { open, recent } = await services.records.incidents.known(scheduleId, at);
  const gaps = { plan, planned: [...day, ...strip], starts };
  const moment = {
    now: at,
    scheduleId,
    mutedUntil,
    isFirst: polled === null || polled < created,
    ...repairedBy !== null && { repairedBy: repairedBy - offset },
    ...oldest !== null && { oldest },
    endingOf: (gap: number) => gapEnding(gap, gaps),
  };
  const changes = transition(open, recent, reasons, moment);
  const changed = new Map(changes.map(({ incident }) => [incident.id, incident]));
  const unchanged = [...open, ...recent].filter(({ id }) => !changed.has(id));
  const facts = { name: watchName(watch), owner, people, lastSuccess };
  return {
    steps: await changeSteps(services, changes, { at, facts }),
    nextChange: nextChange([...changed.values(), ...unchanged], moment),
  };
}

/** The title in a run, safe for pages and outlets; empty if there is none. */
function safeTitle({ reportTitle }: Partial<ReportRun>): string {
  return reportTitle
    ? terminalText(maskAddresses(reportTitle.slice(0, 2 * MAX_TITLE))).slice(0, MAX_TITLE)
    : "";
}

/** Records a failed poll, and when it is an incident, that one. False if the lease was lost. */
export async function recordFailure(
  before: LeasedWatch,
  failure: ReadFailure,
  requested: number,
  services: PollServices,
): Promise<boolean> {
  const { kind, lacked } = failure;
  // The schedule was refused before, and now the service fails.
  const isOtherCause = kind === "broken" && isRefusal(before.failureKind);
  // Since the last answer that was believed, whatever failed before.
  const isFirstStale = kind === "stale" && before.lacked === null;
  const watch = {
    ...before,
    ...isOtherCause && { failures: 0 },
    ...(isOtherCause || isFirstStale) && { failingSince: null },
  };
  const { records, access, everyMs, now } = services;
  const { scheduleId, watched } = watch;
  const at = now();
  const { code, againMs } = KINDS[kind];
  const again = watched ? at + (againMs ?? everyMs) : at + UNWATCHED_MS;
  const isReported = watched === 1 && isIncident(failure, watch, at);
  const said = isReported ? await explain(watch, failure, requested, services) : null;
  // Failures that name no runs change nothing of what the history lacks.
  const isNew = lacked === "" ? watch.lacked === null : lacked !== watch.lacked;
  const lackedNow = lacked === null || !isNew ? {} : { lacked, lackedSince: at };
  const end = endOfPoll(
    watch,
    { failed: at, failure: failure.words, failureKind: kind, ...lackedNow },
    Math.max(again, access.pausedUntil()),
  );
  return await record(services, async () => {
    if (said === null) return [end];
    const id = said.about === "service" ? null : scheduleId;
    // As in `anyUnread`, a schedule with an incident of its own says nothing of the service.
    const own = id === null ? await records.incidents.open(scheduleId) : [];
    if (own.some((incident) => incident.code === "unreadable")) return [end];
    const { open, recent } = await records.incidents.known(id, at);
    const found = open.find((incident) => incident.code === code)?.reason.since;
    const reason: Reason = {
      code,
      severity: code === "stale" ? "warning" : "critical",
      subject: "",
      // The service fails since the first of its schedules did.
      since: Math.min(watch.failingSince ?? at, found ?? Infinity),
      runs: [],
      failure: said.words,
    };
    const mutedUntil = id === null ? null : watch.mutedUntil;
    const moment = { now: at, scheduleId: id, mutedUntil, only: [code] };
    const changes = transition(open, recent, [reason], moment);
    return [end, ...await changeSteps(services, changes, { at })];
  });
}

/** Whose failure it is, and what is known of it. */
async function explain(
  { scheduleId, failingSince }: LeasedWatch,
  { kind, words, status }: ReadFailure,
  requested: number,
  { records: { polls, incidents }, access, now }: PollServices,
): Promise<{ readonly about: "service" | "schedule"; readonly words: string }> {
  const { about } = KINDS[kind];
  // A schedule that was asked later may show only that the outage has ended since.
  const by = requested + ASKED_AT_ONCE_MS;
  if (about === "unknown" && await polls.wereOthersPolled(scheduleId, failingSince ?? now(), by)) {
    return { about: "schedule", words };
  }
  // In an outage, it is enough to ask each.
  const isOutage = about === "service" || about === "unknown" &&
      (await incidents.open(null)).some(({ code }) => code === "unreadable");
  const other = kind === "unjudged" || isOutage ? undefined : await polls.readBefore(scheduleId);
  const whose = about === "unknown" ? "service" : about;
  if (other === undefined || access.pausedUntil() > now()) return { about: whose, words };
  const found = await access.backend.reportSchedules.history(other, { limit: 1 })
    .then(() => null, (error) => readFailure(error)?.kind ?? null);
  if (about === "unknown") return { about: found === null ? "schedule" : "service", words };
  if (found !== "token" && !isRefusal(found)) return { about, words };
  return {
    about: "service",
    words: `The service refuses schedules ${scheduleId} and ${other} (status ${status})`,
  };
}
